package theory

import (
	"math"
	"testing"
)

// testdata/kolmogorov.csv: scipy.stats.kstwo.sf of SciPy 1.10.1, which takes other ways
// (Simard and L'Ecuyer 2011): exact ones up to 140 numbers, and beyond an expansion that is
// off by 10⁻⁶ of the chance. The expression for the far tail is as good as that; beyond 1000
// numbers ours is an expansion too.
func TestKolmogorovAgainstSciPy(t *testing.T) {
	for _, row := range readTable(t, "kolmogorov.csv", 60) {
		d, n, want := row.at["d"], int(row.at["n"]), row.at["tail"]
		got, allowed := KolmogorovTail(d, n), 2e-11
		switch {
		case n > 1000:
			allowed = 1e-4
		case n > 140 || d*d*float64(n) > 3.76:
			allowed = max(allowed, 2e-6*want)
		}
		if !(math.Abs(got-want) <= allowed) {
			t.Errorf("beyond %v with %d numbers: %v, SciPy has %v", d, n, got, want)
		}
	}
}
