package figure

import (
	"math"
	"slices"
	"strconv"

	"mcsim/report/digits"
)

// tick is one mark on an axis; without a label it is a minor one.
type tick struct {
	at    float64
	label string
}

// logTicks marks a logarithmic axis with at most most labels: powers of two
// where all data stand on them, else powers of ten, and less round numbers
// only where the axis is too short for those.
func logTicks(s scale, most int, values []float64) []tick {
	if powersOfTwo(values) && s.hi/s.lo < math.Exp2(20) && s.lo > 0.4 {
		// No mark stands where no data can: room beside the data is not an octave.
		within := scale{true, max(s.lo, slices.Min(values)), min(s.hi, slices.Max(values))}
		return thin(powers(within, 2, func(n int) string { return twoTo(n, s.hi) }), most)
	}
	tens := powers(s, 10, func(n int) string { return tenTo(n) })
	if labelled(tens) >= 3 {
		return append(thin(tens, most), between(s)...)
	}
	for _, steps := range [][]float64{{1, 2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		ts := multiples(s, steps)
		if len(ts) >= 3 {
			return thin(ts, most)
		}
	}
	return linearTicks(s, most)
}

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

func powersOfTwo(values []float64) bool {
	for _, v := range values {
		if frac, _ := math.Frexp(v); frac != 0.5 {
			return false
		}
	}
	return len(values) > 0
}

// mostTicks bounds the marks of an axis, labelled or not.
const mostTicks = 60

// powers returns the powers of the base on the axis, or every second, third
// and so on where they would be too many.
func powers(s scale, base float64, label func(int) string) []tick {
	var ts []tick
	first := int(math.Ceil(math.Log(s.lo)/math.Log(base) - 1e-9))
	last := int(math.Floor(math.Log(s.hi)/math.Log(base) + 1e-9))
	for n := first; n <= last; n += 1 + (last-first)/mostTicks {
		ts = append(ts, tick{math.Pow(base, float64(n)), label(n)})
	}
	return ts
}

// between returns the minor ticks 2 to 9 of each decade, where there is room.
func between(s scale) []tick {
	if s.hi/s.lo > 1e6 {
		return nil
	}
	var ts []tick
	for n := math.Floor(math.Log10(s.lo)); math.Pow(10, n) < s.hi; n++ {
		for m := 2.0; m < 10; m++ {
			if x := m * math.Pow(10, n); s.inside(x) {
				ts = append(ts, tick{at: x})
			}
		}
	}
	return ts
}

func multiples(s scale, steps []float64) []tick {
	var ts []tick
	for n := math.Floor(math.Log10(s.lo)); math.Pow(10, n) < s.hi; n++ {
		for _, m := range steps {
			if x := m * math.Pow(10, n); s.inside(x) {
				ts = append(ts, tick{x, short(x)})
			}
		}
	}
	return ts
}

// linearTicks marks an axis at multiples of 1, 2 or 5 times a power of ten.
func linearTicks(s scale, most int) []tick {
	span := s.hi - s.lo
	power := int(math.Floor(math.Log10(max(span/float64(max(most, 2)), 1e-320))))
	for {
		for _, m := range []float64{1, 2, 5} {
			step := m * math.Pow10(power)
			if span/step <= float64(max(most, 2)) {
				return every(s, step, max(0, -power))
			}
		}
		power++
	}
}

func every(s scale, step float64, decimals int) []tick {
	var ts []tick
	first := math.Ceil(s.lo/step - 1e-9)
	count := math.Floor(s.hi/step+1e-9) - first
	for i := 0.0; i <= min(count, mostTicks); i++ {
		at := (first + i) * step
		ts = append(ts, tick{at, decimal(at, decimals)})
	}
	return ts
}

// decimal writes a number of a linear axis: all with the same decimals, or
// with a power of ten where they are many.
func decimal(x float64, decimals int) string {
	if decimals > 9 || math.Abs(x) >= 1e9 {
		return short(x)
	}
	text := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	if x < 0 {
		text = "−" + text
	}
	return text
}

// short writes a number as a label.
func short(x float64) string { return raised(digits.Short(x)) }

// fractionTicks marks an axis at the given values, written as fractions.
func fractionTicks(values []float64) []tick {
	var ts []tick
	for _, v := range values {
		ts = append(ts, tick{v, digits.Fraction(v)})
	}
	return ts
}

// nameTicks marks an axis of names, the first at the top.
func nameTicks(names []string) []tick {
	var ts []tick
	for i, name := range slices.Backward(names) {
		ts = append(ts, tick{float64(len(names) - 1 - i), nameOf(key{by: "name", of: name})})
	}
	return ts
}

// thin takes labels away, evenly, until at most most are left.
func thin(ts []tick, most int) []tick {
	step := 1
	for (len(ts)+step-1)/step > max(most, 2) {
		step++
	}
	for i := range ts {
		if i%step != 0 {
			ts[i].label = ""
		}
	}
	return ts
}

func labelled(ts []tick) (n int) {
	for _, t := range ts {
		if t.label != "" {
			n++
		}
	}
	return n
}
