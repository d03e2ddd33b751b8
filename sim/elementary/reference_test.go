package elementary

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// known is one line of testdata/reference.csv, values of mpmath 1.2.1 in 50
// digits, or of testdata/beta.csv, exact sums in 60 digits. The scripts beside
// them print them.
type known struct {
	args  []float64
	value float64
}

func readKnown(t *testing.T, function string) []known {
	t.Helper()
	file := map[string]string{"loggamma": "testdata/beta.csv", "beta": "testdata/beta.csv"}[function]
	if file == "" {
		file = "testdata/reference.csv"
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []known
	for _, line := range lines[1:] {
		if line[0] != function {
			continue
		}
		numbers := make([]float64, len(line)-1)
		for i, text := range line[1:] {
			if numbers[i], err = strconv.ParseFloat(text, 64); err != nil {
				t.Fatal(err)
			}
		}
		last := len(numbers) - 1
		out = append(out, known{numbers[:last], numbers[last]})
	}
	if len(out) < 40 {
		t.Fatalf("%d known values of %s", len(out), function)
	}
	return out
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
