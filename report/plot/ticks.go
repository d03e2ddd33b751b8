package plot

import (
	"math"
	"slices"
	"strconv"

	"mcsim/report/digits"
	"mcsim/report/label"
	"mcsim/sim/names"
)

// Tick is one mark on an axis; without a label it is a minor one.
type Tick struct {
	At    float64
	Label string
}

// LogTicks marks a logarithmic axis with at most maxLabels labels: powers of two
// if all data are, else powers of ten, and less round numbers
// only if the axis is too short for those. A few values have their own marks, except two, which may be
// only the ends of a line.
func LogTicks(s Scale, maxLabels int, values []float64) []Tick {
	if powersOfTwo(values) && s.Hi/s.Lo < math.Exp2(20) && s.Lo > 0.4 {
		// No mark is outside the data, where the room is not an octave.
		within := Scale{true, max(s.Lo, slices.Min(values)), min(s.Hi, slices.Max(values))}
		return thin(powers(within, 2, func(n int) string { return twoTo(n, s.Hi) }), maxLabels)
	}
	if n := len(values); n == 1 || n > 2 && n <= min(maxLabels, 6) {
		return names.Map(values, func(v float64) Tick { return Tick{v, numberLabel(v)} })
	}
	tens := powers(s, 10, tenTo)
	if len(tens) >= 3 {
		return append(thin(tens, maxLabels), minorTicks(s)...)
	}
	for _, steps := range [][]float64{{1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		ts := multiples(s, steps)
		if len(ts) >= 3 {
			return thin(ts, maxLabels)
		}
	}
	return LinearTicks(s, maxLabels)
}

// tenTo writes a power of ten as a label.
func tenTo(n int) string {
	switch n {
	case 0:
		return "1"
	case 1:
		return "10"
	}
	return "$10^{" + strconv.Itoa(n) + "}$"
}

// twoTo writes powers of two as numbers, or on an axis that goes far, as
// powers.
func twoTo(n int, last float64) string {
	if last > 1e4 {
		return "$2^{" + strconv.Itoa(n) + "}$"
	}
	return strconv.FormatFloat(math.Ldexp(1, n), 'f', -1, 64)
}

// powersOfTwo reports whether all values are powers of two.
func powersOfTwo(values []float64) bool {
	for _, v := range values {
		if frac, _ := math.Frexp(v); frac != 0.5 {
			return false
		}
	}
	return len(values) > 0
}

// maxTicks bounds the marks of an axis, labelled or not.
const maxTicks = 60

// powers returns the powers of the base on the axis, or every second, third
// and so on if they would be too many.
func powers(s Scale, base float64, label func(int) string) []Tick {
	var ts []Tick
	first := int(math.Ceil(math.Log(s.Lo)/math.Log(base) - 1e-9))
	last := int(math.Floor(math.Log(s.Hi)/math.Log(base) + 1e-9))
	for n := first; n <= last; n += 1 + (last-first)/maxTicks {
		ts = append(ts, Tick{math.Pow(base, float64(n)), label(n)})
	}
	return ts
}

// minorTicks returns the ticks 2 to 9 of each decade, if there is room.
func minorTicks(s Scale) []Tick {
	if s.Hi/s.Lo > 1e6 {
		return nil
	}
	ts := multiples(s, []float64{2, 3, 4, 5, 6, 7, 8, 9})
	for i := range ts {
		ts[i].Label = ""
	}
	return ts
}

// multiples returns the ticks at those multiples of each power of ten.
func multiples(s Scale, steps []float64) []Tick {
	var ts []Tick
	for n := math.Floor(math.Log10(s.Lo)); math.Pow(10, n) < s.Hi; n++ {
		for _, m := range steps {
			if x := m * math.Pow(10, n); s.Contains(x) {
				ts = append(ts, Tick{x, numberLabel(x)})
			}
		}
	}
	return ts
}

// LinearTicks marks an axis at multiples of 1, 2 or 5 times a power of ten.
func LinearTicks(s Scale, maxLabels int) []Tick {
	span := s.Hi - s.Lo
	power := int(math.Floor(math.Log10(max(span/float64(max(maxLabels, 2)), 1e-320))))
	for {
		for _, m := range []float64{1, 2, 5} {
			step := m * math.Pow10(power)
			if span/step <= float64(max(maxLabels, 2)) {
				return every(s, step, max(0, -power))
			}
		}
		power++
	}
}

// every returns the ticks at the multiples of a step.
func every(s Scale, step float64, decimals int) []Tick {
	var ts []Tick
	first := math.Ceil(s.Lo/step - 1e-9)
	count := math.Floor(s.Hi/step+1e-9) - first
	for i := 0.0; i <= min(count, maxTicks); i++ {
		value := (first + i) * step
		ts = append(ts, Tick{value, decimal(value, decimals)})
	}
	return ts
}

// decimal writes a number of a linear axis: all with the same decimals, or
// with a power of ten if they are many.
func decimal(x float64, decimals int) string {
	if decimals > 9 || math.Abs(x) >= 1e9 {
		return numberLabel(x)
	}
	text := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	if x < 0 {
		text = "−" + text
	}
	return text
}

// numberLabel writes a number as a label.
func numberLabel(x float64) string { return label.SuperscriptsToMath(digits.Short(x)) }

// CellTicks marks the middle of each cell of an axis, one for each value, as fractions.
// If not all have labels, the last has.
func CellTicks(values []float64, maxLabels int) []Tick {
	var ts []Tick
	for _, v := range slices.Backward(values) {
		ts = append(ts, Tick{float64(len(values) - 1 - len(ts)), digits.Fraction(v)})
	}
	ts = thin(ts, maxLabels)
	slices.Reverse(ts)
	return ts
}

// thin removes labels, evenly, until at most maxLabels are left.
func thin(ts []Tick, maxLabels int) []Tick {
	step := 1
	for (len(ts)+step-1)/step > max(maxLabels, 2) {
		step++
	}
	for i := range ts {
		if i%step != 0 {
			ts[i].Label = ""
		}
	}
	return ts
}
