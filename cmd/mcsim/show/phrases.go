package show

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Point describes the params that the cell's id does not have, such as ", p = 1/2".
func Point(cell string, params result.Params) string {
	segments := strings.Split(cell, "/")
	text := ""
	for _, name := range slices.Sorted(maps.Keys(params)) {
		n, number := params.Number(name)
		v, _ := params.Text(name)
		switch {
		case name == names.ParamExponent && number:
			text += ", p = " + digits.Fraction(n)
		case name == names.ParamTemperature && number:
			text += ", T = " + digits.Short(n)
		case number && !slices.Contains(segments, name+"="+strconv.FormatFloat(n, 'g', -1, 64)):
			text += fmt.Sprintf(", %s = %s", name, digits.Short(n))
		case number || slices.Contains(segments, v) || slices.Contains(segments, name):
		case name == names.ParamTemperature:
			text += ", T " + v
		default:
			text += ", " + v
		}
	}
	return text
}

// Counted formats a number of things.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Portion describes a proportion.
func Portion(proportion float64) string {
	switch {
	case proportion == 1:
		return "all"
	case proportion >= 0.01:
		return fmt.Sprintf("%d %%", int(100*proportion))
	case proportion > 0:
		return "less than 1 %"
	}
	return "nothing"
}

// DrawnBefore says which proportion of a run an earlier one had drawn.
func DrawnBefore(proportion float64) string {
	if proportion > 0 {
		return ", " + Portion(proportion) + " of it drawn before"
	}
	return "" // also if the run draws nothing at all
}
