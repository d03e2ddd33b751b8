//go:build long

package inspect

import "testing"

// TestIntervalsLong simulates the coverage of intervals for independent and for dependent tokens,
// in one text and in several.
func TestIntervalsLong(t *testing.T) {
	var worlds []world
	for _, phi := range []float64{0, 0.1, 0.3, 0.6, 0.9} {
		worlds = append(worlds, world{1, 12, 64, 16, phi}, world{1, 1, 64, 64, phi}, world{1, 4, 128, 32, phi},
			world{4, 4, 32, 16, phi}, world{16, 4, 32, 16, phi}, world{32, 1, 32, 32, phi})
	}
	checkIntervals(t, 1000, worlds)
}
