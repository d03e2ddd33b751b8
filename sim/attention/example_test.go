package attention_test

import (
	"fmt"
	"math"

	"mcsim/sim/attention"
)

// Example computes attention of three tokens with four components each.
func Example() {
	q := attention.NewTensorFrom([]float64{1.5, 0.5, 1.5, 0.5, 1.5, 1, 0.5, 0.5, 0.5, -1.5, -0.5, 0.5}, 1, 1, 3, 4)
	k := attention.NewTensorFrom([]float64{0.5, 0.2, 1, 0.3, 0.68, 0.96, -0.1, 0.5, 0.2, -1.24, -0.22, 0.5}, 1, 1, 3, 4)
	v := attention.NewTensorFrom([]float64{0.9, 0.1, -0.3, 0.5, 0.2, 0.8, 0.1, -0.4, 0.4, -0.2, 0.7, 0.3}, 1, 1, 3, 4)
	output, err := attention.Forward(attention.Input{Q: q, K: k, V: v, Scale: 1 / math.Sqrt(4)})
	if err != nil {
		fmt.Println(err)
	}
	for i := range 3 {
		fmt.Printf("%.3f\n%.3f\n", output.Weights.Row(0, 0, i), output.Blend.Row(0, 0, i))
	}
	// Output:
	// [0.534 0.341 0.125]
	// [0.599 0.301 -0.038 0.168]
	// [0.379 0.507 0.114]
	// [0.488 0.420 0.017 0.021]
	// [0.175 0.143 0.682]
	// [0.459 -0.004 0.439 0.235]
}
