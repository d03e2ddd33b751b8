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

// Blocks may arrive in any order; the tree says which it lacks, and merges them in
// one order alone.
func ExampleTree() {
	t := moments.NewTree()
	for _, block := range []int64{3, 0, 2} {
		face := float64(block + 1)
		n := moments.Node{Moments: []moments.Moments{moments.Of([]float64{face, face + 4}, 2)}}
		if err := t.Add(moments.Place{Index: block}, n); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println("missing:", t.Places().Missing(0, 4, 2))
	one := moments.Node{Moments: []moments.Moments{moments.Of([]float64{2, 6}, 2)}}
	if err := t.Add(moments.Place{Index: 1}, one); err != nil {
		fmt.Println(err)
	}
	n, ok := t.Total(4)
	fmt.Println(ok, n.Moments[0].N, n.Moments[0].Mean, n.Moments[0].Variance())
	// Output:
	// missing: [{0 1}]
	// true 8 4.5 6
}
