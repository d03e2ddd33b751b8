package experiment

import (
	"slices"
	"testing"

	"mcsim/sim/result"
)

// TestCurvesAreDense checks that a curve has the given values and perOctave points in each octave
// between the smallest and the largest of them, in ascending order and each once, and that
// CurveWholes rounds these points to whole numbers.
func TestCurvesAreDense(t *testing.T) {
	for _, c := range []struct {
		values    []float64
		perOctave int
		want      []result.Number
	}{
		{[]float64{4, 1, 4}, 6, []result.Number{1, 2, 3, 4}},
		{[]float64{4, 8, 16}, 2, []result.Number{4, 6, 8, 11, 16}},
		{[]float64{64, 100}, 2, []result.Number{64, 91, 100}},
		{[]float64{7}, 6, []result.Number{7}},
		{nil, 6, nil},
	} {
		if got := CurveWholes(c.values, c.perOctave); !slices.Equal(got, c.want) {
			t.Errorf("CurveWholes(%v, %d) = %v, want %v", c.values, c.perOctave, got, c.want)
		}
	}
	got, want := CurveValues([]float64{1, 4}, 1), []result.Number{1, 2, 4}
	if !slices.Equal(got, want) {
		t.Errorf("CurveValues([1 4], 1) = %v, want %v", got, want)
	}
}
