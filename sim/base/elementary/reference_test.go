package elementary

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// known is one line of a file of testdata: values of mpmath 1.2.1 in 50 digits
// (reference.csv) and in 40 (functions.csv), exact sums in 60 digits (beta.csv), values of
// scipy.special.gammainc and gammaincc of SciPy 1.10.1 (gamma.csv).
type known struct {
	args  []float64
	value float64
}

func readKnown(t *testing.T, function string) []known {
	t.Helper()
	files, err := filepath.Glob("testdata/*.csv")
	if err != nil {
		t.Fatal(err)
	}
	var out []known
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		r := csv.NewReader(f)
		r.FieldsPerRecord = -1
		lines, err := r.ReadAll()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			if line[0] == function {
				numbers := numbersOf(t, line[1:])
				last := len(numbers) - 1
				out = append(out, known{numbers[:last], numbers[last]})
			}
		}
	}
	if len(out) < 14 {
		t.Fatalf("%d known values of %s", len(out), function)
	}
	return out
}

func numbersOf(t *testing.T, texts []string) (numbers []float64) {
	t.Helper()
	for _, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, x)
	}
	return numbers
}

// units is how far got is from want, in units in the last place of want.
func units(got, want float64) float64 {
	if got == want {
		return 0
	}
	unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
	return math.Abs(got-want) / unit
}

// within holds a function against its known values: each within the given
// units, which may depend on the arguments. A known value is itself rounded
// by up to half a unit, which the bound includes.
func within(t *testing.T, function string, f func([]float64) float64, bound func(args []float64, value float64) float64) {
	t.Helper()
	worst := 0.0
	for _, k := range readKnown(t, function) {
		got := f(k.args)
		e := units(got, k.value)
		if b := bound(k.args, k.value); !(e <= b) {
			t.Errorf("%s(%v) = %v, known as %v: %.1f units in the last place, want at most %.1f", function, k.args, got, k.value, e, b)
		}
		worst = max(worst, e)
	}
	t.Logf("%s: at most %.1f units in the last place", function, worst)
}

func always(bound float64) func([]float64, float64) float64 {
	return func([]float64, float64) float64 { return bound }
}
