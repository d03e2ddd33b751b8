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

// Point is what the params say beyond the cell's id, such as ", p = 1/2".
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

// counts are how many values have each of the verdicts, a column each.
func counts[T any, V comparable](values []T, verdict func(T) V, each ...V) string {
	n := map[V]int{}
	for _, v := range values {
		n[verdict(v)]++
	}
	text := ""
	for _, v := range each {
		text += fmt.Sprintf("%d\t", n[v])
	}
	return text
}

// Counted is a number of things in words.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Portion is so much of something, of 1, in words.
func Portion(share float64) string {
	const percent = 100
	switch {
	case share == 1:
		return "all"
	case share >= 1.0/percent:
		return fmt.Sprintf("%d %%", int(percent*share))
	case share > 0:
		return "less than 1 %"
	}
	return "nothing"
}

// DrawnBefore says of a run how much of it an earlier one had drawn.
func DrawnBefore(share float64) string {
	if share > 0 {
		return ", " + Portion(share) + " of it drawn before"
	}
	return "" // nothing, or of nothing
}
