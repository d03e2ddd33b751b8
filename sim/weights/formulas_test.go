package weights

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// formula evaluates a text like (2D/(D+d))² as one reads it: what stands side by
// side is multiplied before anything else.
type formula struct {
	rest  []rune
	sizes map[rune]float64
}

// evaluate is the value of a formula at a shape, which panics where it has none.
func evaluate(text string, s Shape) float64 {
	f := &formula{[]rune(text), map[rune]float64{'D': s.d(), 'd': s.k(), 'H': float64(s.Model / s.Key)}}
	x := f.sum()
	if len(f.rest) > 0 {
		panic(fmt.Sprintf("%q is left of the formula %s", string(f.rest), text))
	}
	return x
}

func (f *formula) next() rune {
	if len(f.rest) == 0 {
		return 0
	}
	return f.rest[0]
}

// takes takes the sign if it is next.
func (f *formula) takes(sign rune) bool {
	if f.next() != sign {
		return false
	}
	f.rest = f.rest[1:]
	return true
}

func (f *formula) sum() float64 {
	x := f.ratio()
	for f.takes('+') {
		x += f.ratio()
	}
	return x
}

func (f *formula) ratio() float64 {
	x := f.product()
	for {
		switch {
		case f.takes('/'):
			x /= f.product()
		case f.takes('·'):
			x *= f.product()
		default:
			return x
		}
	}
}

func (f *formula) product() float64 {
	x := f.power()
	for f.next() == '(' || f.sizes[f.next()] > 0 {
		x *= f.power()
	}
	return x
}

func (f *formula) power() float64 {
	x := f.atom()
	if f.takes('²') {
		x *= x
	}
	return x
}

func (f *formula) atom() float64 {
	if size := f.sizes[f.next()]; size > 0 {
		f.rest = f.rest[1:]
		return size
	}
	switch {
	case f.takes('√'):
		return math.Sqrt(f.atom())
	case f.takes('('):
		x := f.sum()
		if !f.takes(')') {
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

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]float64{
		"2D/(D+d)": 24.0 / 15, "(2/(H+d))²": 4.0 / 49, "1/(Dd)": 1.0 / 36, "1/√d": 1 / math.Sqrt(3), "d·(D/2)²/4": 27,
		"0.5·D/3": 2, "2/(D+3D)": 2.0 / 48, "(1+1/D)/3": 13.0 / 36, "0.02²": 0.0004, "2/(D(H+d))": 2.0 / (12 * 7), "2+3·4": 14,
	} {
		if got := evaluate(text, Shape{12, 3}); math.Abs(got-want) > 1e-15*want {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
	}
}

// textDigits is what a text's own digits let it be off: 0.773741 has six.
const textDigits = 1e-6

// says holds every equal side of a text against a number.
func says(t *rapid.T, s *Scheme, shape Shape, what, text string, want float64) {
	for _, side := range strings.Split(text, " = ") {
		if got := evaluate(side, shape); math.Abs(got-want) > textDigits*want {
			t.Fatalf("%s at %+v: %s by %q is %v, the scheme's is %v", s.Name, shape, what, side, got, want)
		}
	}
}

// The formulas that pages print are those that the schemes compute by, at any
// sizes.
func TestTextsOfFormulas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key, heads := rapid.IntRange(1, 300).Draw(t, "d"), rapid.IntRange(1, 100).Draw(t, "H")
		shape := Shape{key * heads, key}
		for i := range table {
			s := &table[i]
			h, f := s.At(shape), s.Formulas
			says(t, s, shape, "the variance of a query", f.Query, h.QueryVariance())
			says(t, s, shape, "the variance of a key", f.Key, h.KeyVariance())
			says(t, s, shape, "the scale", f.Scale, h.Scale)
			says(t, s, shape, "the variance of a logit", f.Logit, h.LogitVariance())
			if f.Entry == "any" {
				if !s.Normalised {
					t.Fatalf("%s: its entries are said to be any", s.Name)
				}
				continue
			}
			query, key, apart := strings.Cut(f.Entry, " of W_Q, ")
			if apart {
				key = strings.TrimSuffix(key, " of W_K")
			} else {
				var biased bool
				query, biased = strings.CutSuffix(f.Entry, ", and of the bias")
				key = query
				if biased {
					says(t, s, shape, "the variance of the bias", query, h.Query.Bias)
				}
				if biased != (s.Bias != nil) {
					t.Fatalf("%s: its text and it disagree on a bias", s.Name)
				}
			}
			says(t, s, shape, "the variance of an entry of W_Q", query, h.Query.Variance)
			says(t, s, shape, "the variance of an entry of W_K", key, h.Key.Variance)
		}
	})
}
