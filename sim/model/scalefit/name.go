package scalefit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// Exactness is how far a factor may be from the scale, as a part of it: bfloat16 rounds by up
// to four times as much.
const Exactness = 0.001

// Layer is what names of factors refer to.
type Layer struct{ Dimension, Heads, KeyHeads, Keys int }

// cause is a factor that a mistake leads to.
type cause struct {
	factor float64
	says   string
}

// Name says what number a wrong factor is, and which mistakes give exactly that number
// within its standard error: the likeliest kind that there is, three at most.
func Name(factor, se, scale float64, l Layer) string {
	tolerance := max(1e-4, 3*se/math.Abs(factor))
	said := fmt.Sprintf("that is %s, or %.4g times the scale", Root(math.Abs(factor), 2*tolerance), factor/scale)
	if factor*scale < 0 {
		said += "; its sign is turned"
		factor = -factor
		if math.Abs(factor/scale-1) < Exactness {
			return said
		}
	}
	if tolerance > 5*Exactness {
		return said
	}
	var likely []string
	for i, list := range []causes{commonCauses(scale, l), dimensions(l), plainNumbers(scale), roundings(scale)} {
		for j, c := range list {
			own := math.Abs(c.factor/scale-1) < tolerance/2 // it is no mistake here
			if own || math.Abs(factor/c.factor-1) >= tolerance || slices.Contains(likely, c.says) {
				continue
			}
			likely = append(likely, c.says)
			if i == 0 && j < maxPlain { // so common that nothing else is likely
				return said + ": " + c.says
			}
		}
	}
	if len(likely) > 0 {
		return said + ": " + strings.Join(likely[:min(3, len(likely))], ", or ")
	}
	if n := math.Round(1 / (factor * factor)); l.Heads == 1 && n > float64(l.Dimension) &&
		math.Abs(1/float64(factor*factor)/n-1) < 2*tolerance && math.Mod(n, float64(l.Dimension)) == 0 {
		return fmt.Sprintf("%s: %.0f may be d_model, of %.0f heads", said, n, n/float64(l.Dimension))
	}
	return said
}

// Root writes a number as a root, or as one over a root, of a whole number if it is as near to
// one as the tolerance, or 0.1 %.
func Root(x, tolerance float64) string {
	root := func(square float64) string {
		n := math.Round(square)
		if n == 1 {
			return fmt.Sprintf("√%.6g", square)
		}
		if math.Abs(square/n-1) < min(0.001, tolerance) {
			return fmt.Sprintf("√%.0f", n)
		}
		return fmt.Sprintf("√%.4g", square)
	}
	switch {
	case math.Abs(x-1) < tolerance:
		return "1"
	case x > 1:
		return root(x * x)
	}
	return "1/" + root(1/float64(x*x))
}

// maxPlain is how many of the common causes, the first, exclude all others.
const maxPlain = 2

// causes is a list that mistakes are added to.
type causes []cause

// add adds a mistake that leads to a factor.
func (c *causes) add(factor float64, format string, args ...any) {
	*c = append(*c, cause{factor, fmt.Sprintf(format, args...)})
}

// commonCauses returns the mistakes that people make, the likeliest first.
func commonCauses(scale float64, l Layer) (all causes) {
	d := float64(l.Dimension)
	all.add(1, "the scale is forgotten: q·k goes into softmax as it is (if q was saved divided already: --scale none)")
	if math.Abs(float64(scale*scale*d)-1) < Exactness {
		all.add(scale*scale, "q·k is divided by d_k = %d, not by its root, or is scaled twice", l.Dimension)
	} else {
		all.add(scale*scale, "q·k is scaled twice")
	}
	all.add(1/scale, "q·k is multiplied where it should be divided")
	all.add(math.Sqrt(scale), "one of q and k is scaled by the root, the other is not")
	all.add(1/d, "q·k is divided by d_k = %d, not by its root", l.Dimension)
	all.add(1/math.Sqrt(d), "q·k is divided by the root of d_k = %d, not multiplied by the scale", l.Dimension)
	all.add(d, "q·k is multiplied by d_k")
	all.add(2/d, "q·k is divided by d_k/2 = %g, as d_k ** 1 / 2 gives: write d_k ** 0.5", d/2)
	all.add(d/2, "q·k is multiplied by d_k/2 = %g, as d_k ** 1 / 2 gives: write d_k ** -0.5", d/2)
	all.add(scale*math.Log2E, "log₂e is in the logits, which is right before exp2 and wrong before exp")
	all.add(scale*math.Ln2, "log₂e is missing before an exp2")
	if heads, model := float64(l.Heads), l.Dimension*l.Heads; l.Heads > 1 {
		all.add(1/math.Sqrt(float64(model)), "q·k is divided by the root of d_model = %d, not of d_k = %d",
			model, l.Dimension)
		all.add(1/float64(model), "q·k is divided by d_model = %d", model)
		all.add(1/math.Sqrt(heads), "q·k is divided by the root of %d heads, not of d_k", l.Heads)
		all.add(1/heads, "q·k is divided by %d, the number of heads", l.Heads)
		all.add(scale/heads, "the scale is divided by %d, the number of heads", l.Heads)
		all.add(scale*heads, "the scale is multiplied by %d, the number of heads", l.Heads)
	}
	for _, s := range []float64{2, 4, 8, 16, 32, 40, 64} {
		m := 1 + float64(0.1*elementary.Log(s))
		name := fmt.Sprintf("YaRN's mscale %.4g (of factor %g)", m, s)
		all.add(scale/m, "%s is missing", name)
		all.add(scale*m, "%s is extra", name)
		all.add(scale/float64(m*m), "%s is missing, squared", name)
		all.add(scale*m*m, "%s is extra, squared", name)
	}
	return all
}

// roundings returns the scale, or its divisor, with fewer digits.
func roundings(scale float64) (all causes) {
	short := func(bits int) float64 {
		unit := uint64(1) << bits
		return math.Float64frombits((math.Float64bits(scale) + unit/2) &^ (unit - 1))
	}
	all.add(short(45), "the scale is rounded to bfloat16; compute it in float32")
	all.add(short(42), "the scale is rounded to float16; compute it in float32")
	for places, unit := range []float64{1, 10, 100, 1000, 10000} {
		digits := "a whole number"
		if places > 0 {
			digits = names.Count(places, "decimal")
			all.add(math.Round(scale*unit)/unit, "the scale is rounded to %s", digits)
			all.add(math.Trunc(scale*unit)/unit, "the scale is cut to %s", digits)
		}
		all.add(unit/math.Round(unit/scale), "the divisor is rounded to %s", digits)
		all.add(unit/math.Floor(unit/scale), "the divisor is cut to %s", digits)
		all.add(unit/math.Ceil(unit/scale), "the divisor is rounded up to %s", digits)
	}
	return all
}

// dimensions returns roots of numbers that may be taken for d_k, and these numbers.
func dimensions(l Layer) (all causes) {
	d, keyHeads := l.Dimension, l.KeyHeads
	if keyHeads == l.Heads { // which are named already
		keyHeads = 0
	}
	for _, padded := range []int{64, 80, 96, 128, 160, 192, 256, 512} {
		if padded > d && padded < 3*d {
			all.add(1/math.Sqrt(float64(padded)), "q·k is divided by the root of %d (d_k padded)", padded)
		}
	}
	for _, number := range []struct {
		n    int
		says string
	}{
		{3 * d, "3 d_k, of queries, keys and values in one array"}, {2 * d, "2 d_k"}, {d / 2, "d_k/2"},
		{4 * d, "4 d_k"},
		{3 * d * l.Heads, "3 d_model, of queries, keys and values in one array"},
		{d * keyHeads, "d_k times the heads of keys"},
		{512 + 64, "absorbed latent attention, 512 + 64"}, {d + 64, "d_k and 64 components for RoPE"},
		{d - 64, "d_k without 64 components for RoPE"}, {l.Keys, "keys of a row"}, {keyHeads, "heads of keys"},
		{l.Heads + 1, "heads and one more"},
		{d - 1, "d_k − 1"}, {d + 1, "d_k + 1"}, {2 * l.Heads, "twice the heads"},
	} {
		if n := float64(number.n); n > 1 {
			all.add(1/math.Sqrt(n), "q·k is divided by the root of %d (%s)", number.n, number.says)
			all.add(1/n, "q·k is divided by %d (%s)", number.n, number.says)
		}
	}
	if n := float64(l.Keys); n > 1 {
		all.add(elementary.Log(n)/math.Sqrt(float64(d)), "the scale is multiplied by ln n of n = %d keys", l.Keys)
	}
	return all
}

// plainNumbers returns powers of two, simple multiples of the scale, and its powers.
func plainNumbers(scale float64) (all causes) {
	all.add(scale*scale*scale, "the scale is applied three times")
	all.add(math.Sqrt(math.Sqrt(scale)), "the root of one side's part is applied")
	all.add(elementary.Pow(scale, 1.5),
		"the scale is applied one and a half times: to the product, and its root to one side")
	for p := 1.0; p <= 10; p++ {
		for q := 1.0; q <= 10; q++ {
			all.add(scale*p/q, "a temperature of %.4g", q/p)
		}
	}
	for n := 11; n <= 64; n++ {
		all.add(scale/float64(n), "the scale is divided by %d, as by the number of a layer", n)
	}
	for power := -20; power <= 10; power++ {
		all.add(math.Ldexp(1, power), "a power of two, 2^%d", power)
	}
	return all
}
