package theme

import (
	"fmt"
	"testing"
)

// TestExponentStylesAreDistinct checks that no two series share a colour, or a combination of
// marker and dash, whether they have an exponent or not. Only the three neutral colours repeat.
func TestExponentStylesAreDistinct(t *testing.T) {
	colours, marks := map[string]string{}, map[string]string{}
	checkNew := func(name string, s SeriesStyle, newColour bool) {
		t.Helper()
		if newColour {
			colour := fmt.Sprint(s.Colour)
			if previous, ok := colours[colour]; ok {
				t.Errorf("%s and %s have one colour", name, previous)
			}
			colours[colour] = name
		}
		mark := fmt.Sprint(s.Marker, s.Hollow, s.Dash)
		if previous, ok := marks[mark]; ok {
			t.Errorf("%s and %s have one marker and dash", name, previous)
		}
		marks[mark] = name
	}
	for step := range exponentSteps + 1 {
		s, ok := ExponentStyle(float64(step) / exponentSteps)
		if !ok {
			t.Fatalf("step %d has no style", step)
		}
		checkNew(fmt.Sprint("step ", step), s, true)
	}
	for i := range 12 {
		checkNew(fmt.Sprint("series without exponent ", i), NonExponentStyle(i), i < 3)
	}
	for _, p := range []float64{-0.1, 1.01} {
		if _, ok := ExponentStyle(p); ok {
			t.Errorf("p = %v has a style", p)
		}
	}
}
