package theme

import (
	"fmt"
	"testing"
)

// Every step of the exponents has a colour, and a marker with a dash, of its own, which
// no series that stands beside them has; an exponent beyond them has none.
func TestExponentStylesAreDistinct(t *testing.T) {
	colours, marks := map[string]string{}, map[string]string{}
	note := func(name string, s SeriesStyle, ownColour bool) {
		if k := fmt.Sprint(s.Colour); ownColour {
			if other, ok := colours[k]; ok {
				t.Errorf("%s and %s have one colour", name, other)
			}
			colours[k] = name
		}
		m := fmt.Sprint(s.Glyph, s.Hollow, s.Dash)
		if other, ok := marks[m]; ok {
			t.Errorf("%s and %s have one marker and dash", name, other)
		}
		marks[m] = name
	}
	for step := range exponentSteps + 1 {
		s, ok := ExponentStyle(float64(step) / exponentSteps)
		if !ok {
			t.Fatalf("step %d has no style", step)
		}
		note(fmt.Sprint("step ", step), s, true)
	}
	for i := range 12 {
		note(fmt.Sprint("the other series ", i), BesideExponents(i), i < 3)
	}
	for _, p := range []float64{-0.1, 1.01} {
		if _, ok := ExponentStyle(p); ok {
			t.Errorf("p = %v has a style", p)
		}
	}
}
