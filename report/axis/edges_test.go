package axis

import (
	"math"
	"testing"
)

// Borders stand halfway between neighbours, on a logarithmic axis between
// their logarithms.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		log    bool
		values []float64
		want   []float64
	}{
		{false, []float64{0, 1, 2}, []float64{-0.5, 0.5, 1.5, 2.5}},
		{false, []float64{0, 0.5, 1.5}, []float64{-0.25, 0.25, 1, 2}},
		{true, []float64{2, 4, 8}, []float64{math.Sqrt2, 2 * math.Sqrt2, 4 * math.Sqrt2, 8 * math.Sqrt2}},
		{false, []float64{3}, []float64{2.5, 3.5}},
	} {
		_, got := Edges(c.log, c.values)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-12*c.want[i]+1e-12 {
				t.Errorf("%v: borders %v, want %v", c.values, got, c.want)
				break
			}
		}
	}
}

// Cells are equal whatever values they stand for, and each has its mark in the middle.
func TestCells(t *testing.T) {
	values := []float64{2, 8, 64, 4096}
	s := Cells(len(values))
	for i, tick := range CellTicks(values) {
		if want := (float64(i) + 0.5) / 4; math.Abs(s.Unit(tick.At)-want) > 1e-12 {
			t.Errorf("the mark %s stands at %v, want %v", tick.Label, s.Unit(tick.At), want)
		}
	}
}

// Borders beyond the numbers there are stay where they have a logarithm.
func TestEdgesOfExtremeValues(t *testing.T) {
	for _, values := range [][]float64{{1e-300, 1e-9, 1e6}, {1e-300, 1e300}, {5e-324, 1, 1e308}} {
		s, borders := Edges(true, values)
		for i, b := range borders {
			if u := s.Unit(b); !(u >= 0 && u <= 1) || i > 0 && !(b > borders[i-1]) {
				t.Errorf("%v: the borders are %v, %v stands at %v", values, borders, b, u)
			}
		}
	}
}
