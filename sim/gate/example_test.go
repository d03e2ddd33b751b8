package gate_test

import (
	"fmt"
	"math"

	"mcsim/sim/gate"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// zeroMean says that a mean of numbers of variance 1 is 0 to within a tenth.
var zeroMean = gate.Check{
	Name: "zero mean", Expect: names.ExpectInside, Cell: "example", Quantity: "mean", Tolerance: 0.1, Share: 1,
	At: func(n int64) (theory, se float64, band [2]float64) {
		return 0, 1 / math.Sqrt(float64(n)), gate.Around(0, 0.1)
	},
}

// A gate needs as many numbers as make its band z_{α/2} + z_β standard errors wide
// to either side: ((1.960 + 1.645)/0.1)² = 1299.5.
func ExampleSamples() {
	n, err := gate.Samples(zeroMean, gate.Rates{Alpha: 0.05, Beta: 0.05, Gates: 1})
	fmt.Println(n, err)
	// Output: 1300 <nil>
}

// With too few numbers nothing is decided, and the gate says how many would do:
// an estimate of 0.02 is 0.08 from the edge, which must be z_β standard errors,
// so (1.645/0.08)² = 422.8.
func ExampleJudge() {
	rates := gate.Rates{Alpha: 0.05, Beta: 0.05, Gates: 1}
	for _, row := range []result.Estimate{{N: 1300, Value: 0.02}, {N: 1300, Value: 0.2}, {N: 100, Value: 0.02}} {
		g := gate.Judge(zeroMean, row, rates)
		fmt.Printf("%.2f of %d: [%.3f, %.3f] %s", float64(g.Value), row.N, float64(g.Lo), float64(g.Hi), g.Verdict)
		if g.NToDecide != nil {
			fmt.Printf(", %d would decide", *g.NToDecide)
		}
		fmt.Println()
	}
	// Output:
	// 0.02 of 1300: [-0.026, 0.066] pass
	// 0.20 of 1300: [0.154, 0.246] fail
	// 0.02 of 100: [-0.144, 0.184] undecided, 423 would decide
}
