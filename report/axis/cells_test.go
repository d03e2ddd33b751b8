package axis

import (
	"math"
	"testing"
)

// Cells are equal whatever values they stand for, and each has its mark in the middle.
func TestCells(t *testing.T) {
	values := []float64{2, 8, 64, 4096}
	s := Cells(len(values))
	for i, tick := range CellTicks(values, 2) {
		if want := (float64(i) + 0.5) / 4; math.Abs(s.Unit(tick.At)-want) > 1e-12 {
			t.Errorf("the mark %s stands at %v, want %v", tick.Label, s.Unit(tick.At), want)
		}
	}
}
