package plot

import (
	"math"
	"slices"
	"strconv"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/sim/names"
)

// Tick is a tick of an axis. The label of a minor tick is empty.
type Tick struct {
	Value float64
	Label string
}

const (
	maxOctaves      = 20  // octaves of the longest axis with ticks at powers of two
	minBinaryLo     = 0.4 // lower end of such an axis; it allows room below the value 1/2
	maxTicksAtValue = 6   // values up to this number have a tick each
	minDecadeTicks  = 3   // an axis with fewer ticks at powers of ten needs more ticks between them
)

// LogTicks returns the ticks of a logarithmic axis with at most maxLabels labels. The ticks are
//
//   - at powers of two, if all values are powers of two;
//   - at the values, if there are only a few;
//   - at powers of ten, if the axis is long enough for at least three;
//   - at multiples of powers of ten otherwise.
func LogTicks(s Scale, maxLabels int, values []float64) []Tick {
	if allPowersOfTwo(values) && s.Hi/s.Lo < math.Exp2(maxOctaves) && s.Lo > minBinaryLo {
		// The room outside the values has no ticks.
		scaleOfValues := Scale{true, max(s.Lo, slices.Min(values)), min(s.Hi, slices.Max(values))}
		format := func(n int) string { return powerOfTwoLabel(n, s.Hi) }
		return thinLabels(powerTicks(scaleOfValues, 2, format), maxLabels)
	}
	n := len(values)
	isFew := n > 2 && n <= min(maxLabels, maxTicksAtValue) // two values may be the ends of a line, and not round
	if n == 1 || isFew {
		return names.Map(values, func(v float64) Tick { return Tick{v, NumberLabel(v)} })
	}
	tens := powerTicks(s, 10, powerOfTenLabel)
	if len(tens) >= minDecadeTicks {
		return append(thinLabels(tens, maxLabels), minorTicks(s)...)
	}
	for _, steps := range [][]float64{{1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		ticks := decadeTicks(s, steps)
		if len(ticks) >= minDecadeTicks {
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

func allPowersOfTwo(values []float64) bool {
	return len(values) > 0 && !slices.ContainsFunc(values, func(v float64) bool {
		fraction, _ := math.Frexp(v)
		return fraction != 0.5
	})
}

// maxTicks bounds the number of ticks of an axis, with labels or without.
const maxTicks = 60

// tolerance is the relative error with which a value at the end of an axis counts as on the axis.
const tolerance = 1e-9

// powerTicks returns ticks at the powers of the base. If there would be more than maxTicks ticks,
// it returns only every second power, or every third, and so on.
func powerTicks(s Scale, base float64, label func(int) string) []Tick {
	var ticks []Tick
	first := int(math.Ceil(math.Log(s.Lo)/math.Log(base) - tolerance))
	last := int(math.Floor(math.Log(s.Hi)/math.Log(base) + tolerance))
	for n := first; n <= last; n += 1 + (last-first)/maxTicks {
		ticks = append(ticks, Tick{math.Pow(base, float64(n)), label(n)})
	}
	return ticks
}

// minorTicks returns the ticks at 2 to 9 times each power of ten. An axis of more than six decades
// has none, since they would be too close together.
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
func decadeTicks(s Scale, multiples []float64) []Tick {
	var ticks []Tick
	for n := math.Floor(math.Log10(s.Lo)); math.Pow(10, n) < s.Hi; n++ {
		for _, multiple := range multiples {
			if x := multiple * math.Pow(10, n); s.Contains(x) {
				ticks = append(ticks, Tick{x, NumberLabel(x)})
			}
		}
	}
	return ticks
}

// LinearTicks returns the ticks of a linear axis. Their distance is 1, 2 or 5 times a power of ten:
// the smallest distance of which at most maxLabels (at least 2) fit between the ends of the axis.
func LinearTicks(s Scale, maxLabels int) []Tick {
	span, maxSteps := s.Hi-s.Lo, float64(max(maxLabels, 2))
	const minStep = 1e-320 // has a logarithm and a power of ten, unlike 0
	power := int(math.Floor(math.Log10(max(span/maxSteps, minStep))))
	for {
		for _, m := range []float64{1, 2, 5} {
			step := m * math.Pow10(power)
			if span/step <= maxSteps {
				return ticksAtMultiples(s, step, max(0, -power))
			}
		}
		power++
	}
}

// ticksAtMultiples returns the ticks at the multiples of a step.
func ticksAtMultiples(s Scale, step float64, decimals int) []Tick {
	var ticks []Tick
	first := math.Ceil(s.Lo/step - tolerance)
	steps := math.Floor(s.Hi/step+tolerance) - first
	for i := 0.0; i <= min(steps, maxTicks); i++ {
		value := (first + i) * step
		ticks = append(ticks, Tick{value, formatDecimal(value, decimals)})
	}
	return ticks
}

// formatDecimal writes a number with the given number of decimals. A number that would be long is
// written with a power of ten.
func formatDecimal(x float64, decimals int) string {
	if decimals > 9 || math.Abs(x) >= 1e9 {
		return NumberLabel(x)
	}
	text := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	if x < 0 {
		text = "−" + text
	}
	return text
}

// NumberLabel returns a number as a label.
func NumberLabel(x float64) string { return label.SuperscriptsToMath(digits.Short(x)) }

// CellTicks returns the ticks of an axis of cells: one at the centre of each cell, with the value
// of the cell as its label. If there is room for only some labels, the last value has one.
func CellTicks(values []float64, maxLabels int) []Tick {
	var ticks []Tick
	for i, v := range slices.Backward(values) {
		ticks = append(ticks, Tick{float64(i), digits.Fraction(v)})
	}
	ticks = thinLabels(ticks, maxLabels)
	slices.Reverse(ticks)
	return ticks
}

// thinLabels keeps the label of every n-th tick, starting with the first, for the smallest n that
// leaves at most maxLabels labels (or 2, if maxLabels is smaller).
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
