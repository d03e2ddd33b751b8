package figure

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Markers of a swarm do not touch while there is room, stay within it, and one alone
// stands on its row.
func TestSwarm(t *testing.T) {
	var xs []vg.Length
	for i := range 200 {
		xs = append(xs, vg.Length(100+40*math.Sin(float64(37*i)))) // crowded at the ends
	}
	const width, wide = 4, 1000
	lifts := swarm(xs, width, wide)
	for i := range xs {
		for j := range i {
			if math.Hypot(float64(xs[i]-xs[j]), float64(lifts[i]-lifts[j])) < 0.99*width {
				t.Fatalf("markers %d and %d touch: (%v, %v) and (%v, %v)", i, j, xs[i], lifts[i], xs[j], lifts[j])
			}
		}
	}
	for _, lift := range swarm(xs, width, 6) {
		if math.Abs(float64(lift)) > 6 {
			t.Errorf("a marker stands %v off its row", lift)
		}
	}
	if lifts := swarm([]vg.Length{5, 50, 20}, width, wide); !slices.Equal(lifts, []vg.Length{0, 0, 0}) {
		t.Errorf("apart: %v", lifts)
	}
}
