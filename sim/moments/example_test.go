package moments_test

import (
	"fmt"

	"mcsim/sim/moments"
)

// The faces of a die have the mean 7/2, the variance 35/12 over all of them (7/2
// as a sample) and the kurtosis 3 − 6·37/(5·35).
func ExampleOf() {
	m := moments.Of([]float64{1, 2, 3, 4, 5, 6}, 4)
	fmt.Println(m.N, m.Mean, m.Variance())
	fmt.Printf("%.4f, by the formula %.4f\n", m.Standard(4), 3-6*37/(5*35.0))
	// Output:
	// 6 3.5 3.5
	// 1.7314, by the formula 1.7314
}

// Parts of a set, merged, say what the whole set does.
func ExampleMerge() {
	low, high := moments.Of([]float64{1, 2}, 4), moments.Of([]float64{3, 4, 5, 6}, 4)
	m := moments.Merge(low, high)
	fmt.Println(m.N, m.Mean, m.Variance())
	// Output: 6 3.5 3.5
}
