package law

import "mcsim/sim/names"

// Normal is the standard normal law.
var Normal = Law{family: normal}

// normal has E x^k = (k−1)!!.
var normal = &family{
	name:   names.LawNormal,
	moment: func(_ float64, k int) float64 { return normalMoment(k) },
}

// normalMoment is (k−1)!! = 1·3·5⋯(k−1).
func normalMoment(k int) float64 {
	m := 1.0
	for j := 1; j < k; j += 2 {
		m *= float64(j)
	}
	return m
}
