package elementary

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// referenceValue is a line of a file of testdata. The values of reference.csv are from mpmath 1.2.1
// with 50 digits, of functions.csv from mpmath with 40 digits, of beta.csv from exact sums with 60
// digits, and of gamma.csv from gammainc and gammaincc of scipy.special, SciPy 1.10.1.
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
	const minValues = 14 // fewer mean that a file of testdata was not read
	if len(values) < minValues {
		t.Fatalf("%d reference values of %s, want at least %d", len(values), function, minValues)
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
// error in units in the last place. The bound includes half a unit for the rounding of the
// reference value.
func checkAccuracy(t *testing.T, function string, f func([]float64) float64,
	bound func(args []float64, value float64) float64) {
	t.Helper()
	worst := 0.0
	for _, reference := range readReferenceValues(t, function) {
		got := f(reference.args)
		distance := distanceInUnits(got, reference.value)
		if maxDistance := bound(reference.args, reference.value); !(distance <= maxDistance) {
			t.Errorf("%s(%v) = %v, want %v: error of %.1f units in the last place, want at most %.1f", function,
				reference.args, got, reference.value, distance, maxDistance)
		}
		worst = max(worst, distance)
	}
	t.Logf("%s: the largest error is %.1f units in the last place", function, worst)
}

func constantBound(bound float64) func([]float64, float64) float64 {
	return func([]float64, float64) float64 { return bound }
}
