package law

import (
	"math"

	"mcsim/sim/names"
)

// studentT with ν degrees of freedom has E x^k = ν^{k/2} (k−1)!! /
// ((ν−2)(ν−4)⋯(ν−k)) for ν > k; rescaled by its variance ν/(ν−2).
var studentT = &family{
	name: names.LawStudentT, param: "nu", lo: 2, hi: 1e6, def: 10,
	moment: func(nu float64, k int) float64 {
		if nu <= float64(k) {
			return math.Inf(1) // it does not exist
		}
		m := normalMoment(k)
		for j := 2; j <= k; j += 2 {
			m *= (nu - 2) / (nu - float64(j))
		}
		return m
	},
}
