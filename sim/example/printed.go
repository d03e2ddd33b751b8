package example

import (
	"math"
	"strconv"
	"strings"

	"mcsim/sim/attention"
	"mcsim/sim/elementary"
	"mcsim/sim/result"
)

// read reads a number as a text prints it, a percentage as a share, with half a unit of
// its last digit: what it was rounded from is no farther away.
func read(text string) (value, half float64) {
	number, percent := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		panic("example: no number is printed")
	}
	_, fraction, _ := strings.Cut(number, ".")
	decimals := len(fraction)
	if percent {
		decimals += 2
		value /= 100
	}
	return value, 0.5 / elementary.Pow(10, float64(decimals))
}

// readAll reads printed numbers.
func readAll(printed []string) (values, halves []float64) {
	for _, text := range printed {
		v, h := read(text)
		values, halves = append(values, v), append(halves, h)
	}
	return values, halves
}

// bounds are the least and the greatest value that each number can have, given what its
// inputs were rounded from.
type bounds struct{ lo, hi []float64 }

// against puts the numbers that a source prints beside those of a step, empty where there
// are none, and judges them. Without bounds the inputs are exact.
func against(s result.Step, source string, printed []string, b *bounds) result.Step {
	s.Source, s.Printed = source, printed
	s.Digits = make([]string, len(printed))
	for i, text := range printed {
		lo, hi := float64(s.Value[i]), float64(s.Value[i])
		if b != nil && i < len(b.lo) {
			lo, hi = min(lo, b.lo[i]), max(hi, b.hi[i])
		}
		if b != nil {
			s.Lo, s.Hi = append(s.Lo, result.Number(lo)), append(s.Hi, result.Number(hi))
		}
		if text != "" {
			s.Digits[i] = judge(float64(s.Value[i]), lo, hi, text)
		}
	}
	return s
}

// judge says whether a printed number is right to its digits, given the number that the
// printed inputs give, and the least and the greatest that they can.
func judge(value, lo, hi float64, text string) string {
	p, half := read(text)
	switch {
	case math.Abs(value-p) <= half:
		return "right"
	case lo <= p+half && hi >= p-half:
		return "within rounding"
	}
	return "wrong"
}

// corners calls visit with the weights at each corner of the box of logits that round to
// the printed ones. A weight, and a blend of values by the weights, is a ratio of two
// linear functions of the exponential of each logit, so that it rises or falls with each
// of them throughout: its least and its greatest value stand in corners.
func corners(printed []string, visit func(weights []float64)) {
	values, halves := readAll(printed)
	weights := make([]float64, len(values))
	for corner := range 1 << len(values) {
		for j := range weights {
			weights[j] = values[j] - halves[j]
			if corner>>j&1 == 1 {
				weights[j] = values[j] + halves[j]
			}
		}
		attention.Softmax(weights)
		visit(weights)
	}
}

// hold widens the bounds until they hold the values, from an index on.
func (b *bounds) hold(from int, values []float64) {
	for i, x := range values {
		if from+i == len(b.lo) {
			b.lo, b.hi = append(b.lo, x), append(b.hi, x)
		}
		b.lo[from+i], b.hi[from+i] = min(b.lo[from+i], x), max(b.hi[from+i], x)
	}
}

// weightBounds are those of the weights of rows of as many printed logits as there are tokens.
func weightBounds(printed []string) *bounds {
	b := &bounds{}
	for from := 0; from < len(printed); from += len(tokens) {
		corners(printed[from:from+len(tokens)], func(weights []float64) { b.hold(from, weights) })
	}
	return b
}

// blendBounds are those of the values that the weights of a row of printed logits average.
func blendBounds(printed []string) *bounds {
	b := &bounds{}
	corners(printed, func(weights []float64) { b.hold(0, blend(weights)) })
	return b
}
