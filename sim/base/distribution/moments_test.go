package distribution

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

func mustParse(t *testing.T, text string) Distribution {
	t.Helper()
	d, err := Parse(text, parseNumber)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func parseNumber(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// momentTolerance is the allowed relative error of a moment. A moment is computed by a few products
// and quotients with an error of 2⁻⁵³ each. The recursion of the truncated normal also subtracts
// numbers that are up to 60 times as large as their difference.
const momentTolerance = 64 * 16 * 0x1p-53

// TestConformanceMomentsAgainstSciPy compares moments with testdata/moments.csv, which
// testdata/moments.py wrote with SciPy 1.10.1 and mpmath 1.2.1.
func TestConformanceMomentsAgainstSciPy(t *testing.T) {
	f, err := os.Open("testdata/moments.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		d := mustParse(t, line[0])
		if findProblems(d.family) != nil {
			continue // TestConformanceDistributions reports it
		}
		for i, k := range []int{2, 4, 6, 8, 10, 12} {
			want, err := strconv.ParseFloat(line[1+i], 64)
			if err != nil {
				t.Fatal(err)
			}
			got := d.Moment(k)
			bothInfinite := got == want // the quotient would be NaN
			if !bothInfinite && !(math.Abs(got/want-1) <= momentTolerance) {
				t.Errorf("%v: E x^%d = %v, want %v", d, k, got, want)
			}
		}
		if d.Kurtosis() != d.Moment(4) {
			t.Errorf("%v: Kurtosis is %v, want E x⁴ = %v", d, d.Kurtosis(), d.Moment(4))
		}
	}
}
