package theory

import (
	"math"
	"testing"
)

// TestKolmogorovAgainstSciPy compares KolmogorovTail with scipy.stats.kstwo.sf of SciPy 1.10.1
// (testdata/kolmogorov.csv). SciPy uses other methods (Simard and L'Ecuyer 2011): exact ones up to
// n = 140, and an expansion with a relative error of 10⁻⁶ for larger n. KolmogorovTail has the same
// accuracy in the far tail; for n > 1000 it is an expansion, too, with an error of up to 10⁻⁴.
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
			t.Errorf("d = %v, n = %d: got %v, want %v", d, n, got, want)
		}
	}
}
