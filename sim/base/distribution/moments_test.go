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
	l, err := Parse(text, parseNumber)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func parseNumber(text string) (float64, error) { return strconv.ParseFloat(text, 64) }

// TestConformanceMomentsAgainstSciPy compares with SciPy 1.10.1 and mpmath 1.2.1, by
// testdata/moments.py. Each moment is a few products and quotients; that of the truncated normal is
// the difference of numbers of up to 60 times its size, twice in a row.
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
		l := mustParse(t, line[0])
		if findProblems(l.family) != nil {
			continue // TestConformanceDistributions reports it
		}
		for i, k := range []int{2, 4, 6, 8, 10, 12} {
			want, err := strconv.ParseFloat(line[1+i], 64)
			if err != nil {
				t.Fatal(err)
			}
			got := l.Moment(k)
			if got != want && !(math.Abs(got/want-1) <= 64*16*0x1p-53) {
				t.Errorf("%v: E x^%d = %v, want %v", l, k, got, want)
			}
		}
		if l.Kurtosis() != l.Moment(4) {
			t.Errorf("%v: κ = %v, E x⁴ = %v", l, l.Kurtosis(), l.Moment(4))
		}
	}
}
