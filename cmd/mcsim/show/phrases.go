package show

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// DescribeParams describes the parameters that the cell's ID does not contain, such as ", p = 1/2".
// It always describes an exponent and a temperature.
func DescribeParams(cell string, params result.Params) string {
	segments := strings.Split(cell, "/")
	text := ""
	for _, name := range slices.Sorted(maps.Keys(params)) {
		x, isNumber := params.Number(name)
		value, _ := params.Text(name)
		segment := name // an ID has "residual" for the parameter residual = yes
		if isNumber {
			segment = name + "=" + strconv.FormatFloat(x, 'g', -1, 64)
		}
		isInCell := slices.Contains(segments, segment) || !isNumber && slices.Contains(segments, value)
		switch {
		case name == names.ParamExponent && isNumber:
			text += ", p = " + digits.Fraction(x)
		case name == names.ParamTemperature && isNumber:
			text += ", T = " + digits.Short(x)
		case isInCell:
		case isNumber:
			text += fmt.Sprintf(", %s = %s", name, digits.Short(x))
		case name == names.ParamTemperature:
			text += ", T " + value
		default:
			text += ", " + value
		}
	}
	return text
}

// FormatCount formats a number with its noun, such as "1 gate" or "2 gates". The plural of the noun
// must be regular.
func FormatCount(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// FormatProportion formats a proportion as a percentage, rounded down, or as "all" or "nothing".
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

// DescribeDrawnBefore returns a clause that states the proportion of samples that an earlier run
// drew. The clause is empty if the proportion is 0 or, because there are no samples, NaN.
func DescribeDrawnBefore(proportion float64) string {
	if proportion > 0 {
		return ", " + FormatProportion(proportion) + " of it drawn before"
	}
	return ""
}

// FormatPlain formats a number without a sampling error to three decimals, and an unknown one as a
// dash.
func FormatPlain[T ~float64](x T) string {
	if math.IsNaN(float64(x)) {
		return digits.None
	}
	return digits.Decimals(float64(x), 3)
}
