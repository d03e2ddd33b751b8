package theme

import (
	"fmt"
	"testing"
)

// TestExponentStylesAreDistinct checks that no two series share a combination of marker and dash,
// and that no other series has the colour of one of the three scales.
func TestExponentStylesAreDistinct(t *testing.T) {
	colours, marks := map[string]string{}, map[string]string{}
	checkDistinct := func(name string, s SeriesStyle, hasOwnColour bool) {
		t.Helper()
		if hasOwnColour {
			colour := fmt.Sprint(s.Colour)
			if previous, ok := colours[colour]; ok {
				t.Errorf("%s and %s have the same colour", name, previous)
			}
			colours[colour] = name
		}
		mark := fmt.Sprint(s.Marker, s.Hollow, s.Dash)
		if previous, ok := marks[mark]; ok {
			t.Errorf("%s and %s have the same marker and dash", name, previous)
		}
		marks[mark] = name
	}
	for step := range exponentSteps + 1 {
		s, ok := ExponentStyle(float64(step) / exponentSteps)
		if !ok {
			t.Fatalf("step %d has no style", step)
		}
		checkDistinct(fmt.Sprint("step ", step), s, step%(exponentSteps/2) == 0)
	}
	for i := range 12 {
		checkDistinct(fmt.Sprint("series without exponent ", i), NonExponentStyle(i), i < 3)
	}
	for _, p := range []float64{-0.1, 1.01} {
		if _, ok := ExponentStyle(p); ok {
			t.Errorf("exponent %v, outside of [0, 1], has a style", p)
		}
	}
}
