package plot

import (
	"math"
	"slices"
	"strconv"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/sim/names"
)

// Tick is a tick of an axis. A minor tick has no label.
type Tick struct {
	Value float64
	Label string
}

// LogTicks returns the ticks of a logarithmic axis with at most maxLabels labels. They are at
// powers of two if all values are powers of two, at the values if these are few, and otherwise at
// powers of ten, or at less round numbers if the axis is too short for these. Two values may be
// only the ends of a line, and do not count as few.
func LogTicks(s Scale, maxLabels int, values []float64) []Tick {
	if arePowersOfTwo(values) && s.Hi/s.Lo < math.Exp2(20) && s.Lo > 0.4 {
		// The room outside the values has no ticks.
		valueRange := Scale{true, max(s.Lo, slices.Min(values)), min(s.Hi, slices.Max(values))}
		return thinLabels(powerTicks(valueRange, 2, func(n int) string { return powerOfTwoLabel(n, s.Hi) }), maxLabels)
	}
	if n := len(values); n == 1 || n > 2 && n <= min(maxLabels, 6) {
		return names.Map(values, func(v float64) Tick { return Tick{v, numberLabel(v)} })
	}
	tens := powerTicks(s, 10, powerOfTenLabel)
	if len(tens) >= 3 {
		return append(thinLabels(tens, maxLabels), minorTicks(s)...)
	}
	for _, steps := range [][]float64{{1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		ticks := decadeTicks(s, steps)
		if len(ticks) >= 3 {
			return thinLabels(ticks, maxLabels)
		}
	}
	return LinearTicks(s, maxLabels)
}

func powerOfTenLabel(n int) string {
	switch n {
	case 0:
		return "1"
	case 1:
		return "10"
	}
	return "$10^{" + strconv.Itoa(n) + "}$"
}

// powerOfTwoLabel writes 2^n as a number, or as a power if the axis ends above 10 000.
func powerOfTwoLabel(n int, axisEnd float64) string {
	if axisEnd > 1e4 {
		return "$2^{" + strconv.Itoa(n) + "}$"
	}
	return strconv.FormatFloat(math.Ldexp(1, n), 'f', -1, 64)
}

func arePowersOfTwo(values []float64) bool {
	for _, v := range values {
		if frac, _ := math.Frexp(v); frac != 0.5 {
			return false
		}
	}
	return len(values) > 0
}

// maxTicks bounds the number of ticks of an axis, with labels or without.
const maxTicks = 60

// powerTicks returns ticks at the powers of the base, or at every second, third
// and so on if these are too many.
func powerTicks(s Scale, base float64, label func(int) string) []Tick {
	var ticks []Tick
	first := int(math.Ceil(math.Log(s.Lo)/math.Log(base) - 1e-9))
	last := int(math.Floor(math.Log(s.Hi)/math.Log(base) + 1e-9))
	for n := first; n <= last; n += 1 + (last-first)/maxTicks {
		ticks = append(ticks, Tick{math.Pow(base, float64(n)), label(n)})
	}
	return ticks
}

// minorTicks returns the ticks at 2 to 9 times each power of ten, unless the axis has over six
// decades.
func minorTicks(s Scale) []Tick {
	if s.Hi/s.Lo > 1e6 {
		return nil
	}
	ticks := decadeTicks(s, []float64{2, 3, 4, 5, 6, 7, 8, 9})
	for i := range ticks {
		ticks[i].Label = ""
	}
	return ticks
}

// decadeTicks returns the ticks at the given multiples of each power of ten.
func decadeTicks(s Scale, steps []float64) []Tick {
	var ticks []Tick
	for n := math.Floor(math.Log10(s.Lo)); math.Pow(10, n) < s.Hi; n++ {
		for _, m := range steps {
			if x := m * math.Pow(10, n); s.Contains(x) {
				ticks = append(ticks, Tick{x, numberLabel(x)})
			}
		}
	}
	return ticks
}

// LinearTicks returns the ticks of a linear axis, at most about maxLabels, at the multiples of 1,
// 2 or 5 times a power of ten.
func LinearTicks(s Scale, maxLabels int) []Tick {
	span := s.Hi - s.Lo
	power := int(math.Floor(math.Log10(max(span/float64(max(maxLabels, 2)), 1e-320))))
	for {
		for _, m := range []float64{1, 2, 5} {
			step := m * math.Pow10(power)
			if span/step <= float64(max(maxLabels, 2)) {
				return ticksAtMultiples(s, step, max(0, -power))
			}
		}
		power++
	}
}

// ticksAtMultiples returns the ticks at the multiples of a step.
func ticksAtMultiples(s Scale, step float64, decimals int) []Tick {
	var ticks []Tick
	first := math.Ceil(s.Lo/step - 1e-9)
	count := math.Floor(s.Hi/step+1e-9) - first
	for i := 0.0; i <= min(count, maxTicks); i++ {
		value := (first + i) * step
		ticks = append(ticks, Tick{value, formatDecimal(value, decimals)})
	}
	return ticks
}

// formatDecimal writes a number with the given decimals, or with a power of ten if it would be
// long.
func formatDecimal(x float64, decimals int) string {
	if decimals > 9 || math.Abs(x) >= 1e9 {
		return numberLabel(x)
	}
	text := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	if x < 0 {
		text = "−" + text
	}
	return text
}

func numberLabel(x float64) string { return label.SuperscriptsToMath(digits.Short(x)) }

// CellTicks returns the ticks of an axis of cells, one at the centre of each, with labels for
// their values. If there is room for only some labels, the last value has one.
func CellTicks(values []float64, maxLabels int) []Tick {
	var ticks []Tick
	for i, v := range slices.Backward(values) {
		ticks = append(ticks, Tick{float64(i), digits.Fraction(v)})
	}
	ticks = thinLabels(ticks, maxLabels)
	slices.Reverse(ticks)
	return ticks
}

// thinLabels removes labels at equal distances until at most maxLabels (at least 2) are left.
func thinLabels(ticks []Tick, maxLabels int) []Tick {
	step := 1
	for (len(ticks)+step-1)/step > max(maxLabels, 2) {
		step++
	}
	for i := range ticks {
		if i%step != 0 {
			ticks[i].Label = ""
		}
	}
	return ticks
}
