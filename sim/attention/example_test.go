package attention_test

import (
	"fmt"
	"math"

	"mcsim/sim/attention"
)

// Attention of three tokens with four components each.
func Example() {
	q := attention.Of([]float64{1.5, 0.5, 1.5, 0.5, 1.5, 1, 0.5, 0.5, 0.5, -1.5, -0.5, 0.5}, 1, 1, 3, 4)
	k := attention.Of([]float64{0.5, 0.2, 1, 0.3, 0.68, 0.96, -0.1, 0.5, 0.2, -1.24, -0.22, 0.5}, 1, 1, 3, 4)
	v := attention.Of([]float64{0.9, 0.1, -0.3, 0.5, 0.2, 0.8, 0.1, -0.4, 0.4, -0.2, 0.7, 0.3}, 1, 1, 3, 4)
	out, err := attention.Forward(attention.Input{Q: q, K: k, V: v, Scale: 1 / math.Sqrt(4)})
	if err != nil {
		fmt.Println(err)
	}
	for i := range 3 {
		fmt.Printf("%.4f %.4f\n", out.Weights.Row(0, 0, i), out.Blend.Row(0, 0, i))
	}
	// Output:
	// [0.5341 0.3406 0.1253] [0.5990 0.3008 -0.0385 0.1684]
	// [0.3791 0.5067 0.1142] [0.4882 0.4204 0.0169 0.0212]
	// [0.1750 0.1433 0.6818] [0.4588 -0.0042 0.4391 0.2347]
}
