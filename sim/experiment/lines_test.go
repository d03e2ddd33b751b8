package experiment

import (
	"fmt"
	"slices"
	"testing"

	"mcsim/sim/result"
)

func TestGrouped(t *testing.T) {
	got := Grouped([]int{5, 2, 7, 4, 9}, func(n int) bool { return n%2 == 0 })
	if fmt.Sprint(got) != "[[5 7 9] [2 4]]" {
		t.Errorf("odd and even numbers are %v", got)
	}
	if Grouped(nil, func(int) int { return 0 }) != nil {
		t.Error("there is a group of nothing")
	}
}

// A curve goes through what is measured and has so many points to each octave between,
// whole numbers where only these have theory, in ascending order and each once.
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
			t.Errorf("%v with %d to the octave: %v, want %v", c.values, c.octave, got, c.want)
		}
	}
	got := CurveValues([]float64{1, 4}, 1)
	if !slices.Equal(got, []result.Number{1, 2, 4}) {
		t.Errorf("got %v", got)
	}
}

// A cell at another d_k leaves the cell itself alone.
func TestAtDimension(t *testing.T) {
	c := NewPoint(&Experiment{Name: "e"}, "e", map[string]Value{"d_k": {Number: 4}})
	if got := c.AtDimension(64).Dimension(); got != 64 || c.Dimension() != 4 {
		t.Errorf("the copy is at %d, the cell at %d", got, c.Dimension())
	}
}
