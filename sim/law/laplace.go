package law

import "mcsim/sim/names"

// laplace with scale b has E x^k = k! b^k; unit variance wants b² = 1/2.
var laplace = &family{
	name:   names.LawLaplace,
	moment: func(_ float64, k int) float64 { return ratio(factorial(k), 2, k) },
}

// factorial is k!.
func factorial(k int) float64 {
	m := 1.0
	for j := 2; j <= k; j++ {
		m *= float64(j)
	}
	return m
}
