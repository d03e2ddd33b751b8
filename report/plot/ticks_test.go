package plot

import (
	"math"
	"testing"
)

func TestNumberLabel(t *testing.T) {
	for x, want := range map[float64]string{0.5: "0.5", -2e-12: "−2·$10^{-12}$", 1e-7: "$10^{-7}$",
		3e15: "3·$10^{15}$"} {
		if got := NumberLabel(x); got != want {
			t.Errorf("%v is labelled %s, want %s", x, got, want)
		}
	}
}

// TestCellTicks checks that all cells have the same size, whatever their values are. The tick of
// each cell is at its centre.
func TestCellTicks(t *testing.T) {
	values := []float64{2, 8, 64, 4096}
	s := cellScale(len(values))
	for i, tick := range CellTicks(values, 2) {
		if want := (float64(i) + 0.5) / 4; math.Abs(s.Position(tick.Value)-want) > 1e-12 {
			t.Errorf("the tick %s is at %v, want %v", tick.Label, s.Position(tick.Value), want)
		}
	}
}
