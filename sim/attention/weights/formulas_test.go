package weights

import (
	"fmt"
	"math"
	"strconv"
	"unicode"
)

// formula is a parser of texts such as (2D/(D+d))². Each method reads one part of the text and
// returns its value; it panics if the text is wrong. The precedence is the usual one, but factors
// without a sign between them are multiplied before a division.
type formula struct {
	rest  []rune           // the text that is not read yet
	sizes map[rune]float64 // values of the letters D, d and H
}

// evaluate returns the value of a formula with D = d_model, d = d_k and H = D/d.
func evaluate(text string, s Shape) (x float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%q is not a formula: %v", text, r)
		}
	}()
	f := &formula{[]rune(text), map[rune]float64{'D': s.modelWidth(), 'd': s.keyWidth(), 'H': float64(s.Model / s.Key)}}
	x = f.sum()
	if len(f.rest) > 0 {
		panic(fmt.Sprintf("%q cannot be read", string(f.rest)))
	}
	return x, nil
}

func (f *formula) peek() rune {
	if len(f.rest) == 0 {
		return 0
	}
	return f.rest[0]
}

// accept consumes the sign if it is next, and reports whether it is.
func (f *formula) accept(sign rune) bool {
	if f.peek() != sign {
		return false
	}
	f.rest = f.rest[1:]
	return true
}

func (f *formula) sum() float64 {
	x := f.ratio()
	for f.accept('+') {
		x += f.ratio()
	}
	return x
}

func (f *formula) ratio() float64 {
	x := f.product()
	for {
		switch {
		case f.accept('/'):
			x /= f.product()
		case f.accept('·'):
			x *= f.product()
		default:
			return x
		}
	}
}

func (f *formula) product() float64 {
	x := f.power()
	for f.peek() == '(' || f.sizes[f.peek()] > 0 {
		x *= f.power()
	}
	return x
}

func (f *formula) power() float64 {
	x := f.atom()
	if f.accept('²') {
		x *= x
	}
	return x
}

func (f *formula) atom() float64 {
	if size := f.sizes[f.peek()]; size > 0 {
		f.rest = f.rest[1:]
		return size
	}
	switch {
	case f.accept('√'):
		return math.Sqrt(f.atom())
	case f.accept('('):
		x := f.sum()
		if !f.accept(')') {
			panic("a parenthesis is not closed")
		}
		return x
	}
	n := 0
	for n < len(f.rest) && (unicode.IsDigit(f.rest[n]) || f.rest[n] == '.') {
		n++
	}
	x, err := strconv.ParseFloat(string(f.rest[:n]), 64)
	if err != nil {
		panic(err)
	}
	f.rest = f.rest[n:]
	return x
}
