package elementary

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// referenceValue is a line of a file of testdata: values of mpmath 1.2.1 with 50 digits
// (reference.csv) and with 40 (functions.csv), exact sums with 60 digits (beta.csv), values of
// scipy.special.gammainc and gammaincc of SciPy 1.10.1 (gamma.csv).
type referenceValue struct {
	args  []float64
	value float64
}

func readReferenceValues(t *testing.T, function string) []referenceValue {
	t.Helper()
	files, err := filepath.Glob("testdata/*.csv")
	if err != nil {
		t.Fatal(err)
	}
	var values []referenceValue
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
				numbers := parseNumbers(t, line[1:])
				last := len(numbers) - 1
				values = append(values, referenceValue{numbers[:last], numbers[last]})
			}
		}
	}
	if len(values) < 14 {
		t.Fatalf("%d reference values of %s", len(values), function)
	}
	return values
}

func parseNumbers(t *testing.T, texts []string) (numbers []float64) {
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

// distanceInUnits returns |got − want| in units in the last place of want.
func distanceInUnits(got, want float64) float64 {
	if got == want {
		return 0
	}
	unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
	return math.Abs(got-want) / unit
}

// checkAccuracy compares a function with its reference values. bound returns the largest allowed
// error in units in the last place, which includes half a unit for the rounding of the reference
// value.
func checkAccuracy(t *testing.T, function string, f func([]float64) float64,
	bound func(args []float64, value float64) float64) {
	t.Helper()
	worst := 0.0
	for _, k := range readReferenceValues(t, function) {
		got := f(k.args)
		e := distanceInUnits(got, k.value)
		if b := bound(k.args, k.value); !(e <= b) {
			t.Errorf("%s(%v) = %v, reference %v: %.1f units in the last place, want at most %.1f", function, k.args,
				got, k.value, e, b)
		}
		worst = max(worst, e)
	}
	t.Logf("%s: at most %.1f units in the last place", function, worst)
}

func constantBound(bound float64) func([]float64, float64) float64 {
	return func([]float64, float64) float64 { return bound }
}
