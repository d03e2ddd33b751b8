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

// DescribeParams describes the params that the cell's id does not contain, such as ", p = 1/2".
func DescribeParams(cell string, params result.Params) string {
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

// FormatCount formats a number of things, whose noun has a regular plural.
func FormatCount(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// FormatProportion formats a proportion as a rounded percentage, or as "all" or "nothing".
func FormatProportion(proportion float64) string {
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

// DescribeDrawnBefore returns a clause for a proportion of samples that an earlier run drew.
func DescribeDrawnBefore(proportion float64) string {
	if proportion > 0 {
		return ", " + FormatProportion(proportion) + " of it drawn before"
	}
	return "" // also if the run draws nothing at all
}
