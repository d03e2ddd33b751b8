package theory

import (
	"math"
	"testing"
)

// TestKolmogorovAgainstSciPy compares with scipy.stats.kstwo.sf of SciPy 1.10.1
// (testdata/kolmogorov.csv). SciPy uses other methods (Simard and L'Ecuyer 2011): exact ones up to
// 140 numbers, and an expansion with a relative error of 10⁻⁶ for more. Our expression for the far
// tail has the same accuracy; for more than 1000 numbers ours is an expansion, too.
func TestKolmogorovAgainstSciPy(t *testing.T) {
	for _, row := range readTable(t, "kolmogorov.csv", 60) {
		d, n, want := row.numbers["d"], int(row.numbers["n"]), row.numbers["tail"]
		got, tolerance := KolmogorovTail(d, n), 2e-11
		switch {
		case n > 1000:
			tolerance = 1e-4
		case n > 140 || d*d*float64(n) > 3.76:
			tolerance = max(tolerance, 2e-6*want)
		}
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("beyond %v with %d numbers: %v, SciPy has %v", d, n, got, want)
		}
	}
}
