package axis

import (
	"math"
	"testing"
)

// Borders stand halfway between the logarithms of neighbours.
func TestEdges(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   []float64
	}{
		{[]float64{8}, []float64{8 / math.Sqrt2, 8 * math.Sqrt2}},
		{[]float64{2, 4, 8}, []float64{math.Sqrt2, 2 * math.Sqrt2, 4 * math.Sqrt2, 8 * math.Sqrt2}},
	} {
		_, got := Edges(c.values)
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
		s, borders := Edges(values)
		for i, b := range borders {
			if u := s.Unit(b); !(u >= 0 && u <= 1) || i > 0 && !(b > borders[i-1]) {
				t.Errorf("%v: the borders are %v, %v stands at %v", values, borders, b, u)
			}
		}
	}
}
