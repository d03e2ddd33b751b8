package experiment

import (
	"slices"
	"testing"

	"mcsim/sim/result"
)

// TestCurvesAreDense checks that the points of a curve are the given values and perOctave points in
// each octave between them, sorted, each once, and whole numbers if required.
func TestCurvesAreDense(t *testing.T) {
	for _, c := range []struct {
		values []float64
		octave int
		want   []result.Number
	}{
		{[]float64{4, 1, 4}, 6, []result.Number{1, 2, 3, 4}},
		{[]float64{4, 8, 16}, 2, []result.Number{4, 6, 8, 11, 16}},
		{[]float64{64, 100}, 2, []result.Number{64, 91, 100}},
		{[]float64{7}, 6, []result.Number{7}},
		{nil, 6, nil},
	} {
		if got := CurveWholes(c.values, c.octave); !slices.Equal(got, c.want) {
			t.Errorf("%v with %d per octave: %v, want %v", c.values, c.octave, got, c.want)
		}
	}
	got := CurveValues([]float64{1, 4}, 1)
	if !slices.Equal(got, []result.Number{1, 2, 4}) {
		t.Errorf("got %v", got)
	}
}
