package scalefit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// FactorTolerance is the largest relative difference between a correct factor and the scale.
// Rounding to bfloat16 can change a factor by four times as much.
const FactorTolerance = 0.001

// LayerShape has the dimensions of a layer from which a wrong factor may be computed: d_k, the
// numbers of heads, and the number of keys of a row.
type LayerShape struct{ Dimension, Heads, KeyHeads, Keys int }

// cause is a mistake and the factor that it leads to.
type cause struct {
	factor      float64
	description string
}

// ExplainFactor describes a wrong factor with a standard error. The text has the number and at most
// three mistakes that lead to it within three standard errors, the likeliest first.
func ExplainFactor(factor, se, scale float64, l LayerShape) string {
	tolerance := max(1e-4, 3*se/math.Abs(factor))
	text := fmt.Sprintf("that is %s, or %.4g times the scale", FormatRoot(math.Abs(factor), 2*tolerance), factor/scale)
	if factor*scale < 0 {
		text += "; its sign is turned"
		factor = -factor
		if math.Abs(factor/scale-1) < FactorTolerance {
			return text
		}
	}
	if tolerance > 5*FactorTolerance {
		return text
	}
	var likely []string
	for i, list := range []causes{commonCauses(scale, l), dimensionCauses(l), numberCauses(scale),
		roundingCauses(scale)} {
		for j, c := range list {
			isCorrect := math.Abs(c.factor/scale-1) < tolerance/2 // for this scale it is not a mistake
			if isCorrect || math.Abs(factor/c.factor-1) >= tolerance || slices.Contains(likely, c.description) {
				continue
			}
			likely = append(likely, c.description)
			if i == 0 && j < exclusiveCauses { // no other cause is likely
				return text + ": " + c.description
			}
		}
	}
	if len(likely) > 0 {
		return text + ": " + strings.Join(likely[:min(3, len(likely))], ", or ")
	}
	if n := math.Round(1 / (factor * factor)); l.Heads == 1 && n > float64(l.Dimension) &&
		math.Abs(1/float64(factor*factor)/n-1) < 2*tolerance && math.Mod(n, float64(l.Dimension)) == 0 {
		return fmt.Sprintf("%s: %.0f may be d_model, of %.0f heads", text, n, n/float64(l.Dimension))
	}
	return text
}

// FormatRoot returns x as √n if x ≥ 1, and as 1/√n if x < 1. n is rounded to an integer if the
// relative difference is less than the tolerance and 0.1 %.
func FormatRoot(x, tolerance float64) string {
	format := func(square float64) string {
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
		return format(x * x)
	}
	return "1/" + format(1/float64(x*x))
}

// exclusiveCauses is the number of causes at the start of commonCauses that exclude all others if
// they match.
const exclusiveCauses = 2

// causes is a list of mistakes.
type causes []cause

// add appends a mistake.
func (c *causes) add(factor float64, format string, args ...any) {
	*c = append(*c, cause{factor, fmt.Sprintf(format, args...)})
}

// commonCauses returns common mistakes, the likeliest first.
func commonCauses(scale float64, l LayerShape) (list causes) {
	d := float64(l.Dimension)
	list.add(1, "the scale is forgotten: q·k goes into softmax as it is (if the saved q is already divided, use --scale none)")
	if math.Abs(float64(scale*scale*d)-1) < FactorTolerance {
		list.add(scale*scale, "q·k is divided by d_k = %d, not by its root, or is scaled twice", l.Dimension)
	} else {
		list.add(scale*scale, "q·k is scaled twice")
	}
	list.add(1/scale, "q·k is multiplied where it should be divided")
	list.add(math.Sqrt(scale), "one of q and k is scaled by the root, the other is not")
	list.add(1/d, "q·k is divided by d_k = %d, not by its root", l.Dimension)
	list.add(1/math.Sqrt(d), "q·k is divided by the root of d_k = %d, not multiplied by the scale", l.Dimension)
	list.add(d, "q·k is multiplied by d_k")
	list.add(2/d, "q·k is divided by d_k/2 = %g, as d_k ** 1 / 2 gives: write d_k ** 0.5", d/2)
	list.add(d/2, "q·k is multiplied by d_k/2 = %g, as d_k ** 1 / 2 gives: write d_k ** -0.5", d/2)
	list.add(scale*math.Log2E, "log₂e is in the logits, which is right before exp2 and wrong before exp")
	list.add(scale*math.Ln2, "log₂e is missing before an exp2")
	if heads, model := float64(l.Heads), l.Dimension*l.Heads; l.Heads > 1 {
		list.add(1/math.Sqrt(float64(model)), "q·k is divided by the root of d_model = %d, not of d_k = %d",
			model, l.Dimension)
		list.add(1/float64(model), "q·k is divided by d_model = %d", model)
		list.add(1/math.Sqrt(heads), "q·k is divided by the root of %d heads, not of d_k", l.Heads)
		list.add(1/heads, "q·k is divided by %d, the number of heads", l.Heads)
		list.add(scale/heads, "the scale is divided by %d, the number of heads", l.Heads)
		list.add(scale*heads, "the scale is multiplied by %d, the number of heads", l.Heads)
	}
	for _, s := range []float64{2, 4, 8, 16, 32, 40, 64, 128} {
		m := 1 + float64(0.1*elementary.Log(s))
		name := fmt.Sprintf("YaRN's mscale %.4g (of factor %g)", m, s)
		list.add(scale/m, "%s is missing", name)
		list.add(scale*m, "%s is extra", name)
		list.add(scale/float64(m*m), "%s is missing, squared", name)
		list.add(scale*m*m, "%s is extra, squared", name)
	}
	return list
}

// roundingCauses returns roundings of the scale and of its divisor.
func roundingCauses(scale float64) (list causes) {
	// roundOff rounds off the given number of the last bits of a float64, which has 53.
	roundOff := func(bits int) float64 {
		unit := uint64(1) << bits
		return math.Float64frombits((math.Float64bits(scale) + unit/2) &^ (unit - 1))
	}
	list.add(roundOff(53-8), "the scale is rounded to bfloat16; compute it in float32")
	list.add(roundOff(53-11), "the scale is rounded to float16; compute it in float32")
	for places, unit := range []float64{1, 10, 100, 1000, 10000} {
		digits := "a whole number"
		if places > 0 {
			digits = names.Count(places, "decimal")
			list.add(math.Round(scale*unit)/unit, "the scale is rounded to %s", digits)
			list.add(math.Trunc(scale*unit)/unit, "the scale is cut to %s", digits)
		}
		list.add(unit/math.Round(unit/scale), "the divisor is rounded to %s", digits)
		list.add(unit/math.Floor(unit/scale), "the divisor is cut to %s", digits)
		list.add(unit/math.Ceil(unit/scale), "the divisor is rounded up to %s", digits)
	}
	return list
}

// dimensionCauses returns numbers that may be confused with d_k, and their roots.
func dimensionCauses(l LayerShape) (list causes) {
	d, keyHeads := l.Dimension, l.KeyHeads
	if keyHeads == l.Heads { // covered by commonCauses
		keyHeads = 0
	}
	for _, padded := range []int{64, 80, 96, 128, 160, 192, 256, 512} {
		if padded > d && padded < 3*d {
			list.add(1/math.Sqrt(float64(padded)), "q·k is divided by the root of %d (d_k padded)", padded)
		}
	}
	for _, number := range []struct {
		n           int
		description string
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
			list.add(1/math.Sqrt(n), "q·k is divided by the root of %d (%s)", number.n, number.description)
			list.add(1/n, "q·k is divided by %d (%s)", number.n, number.description)
		}
	}
	if n := float64(l.Keys); n > 1 {
		list.add(elementary.Log(n)/math.Sqrt(float64(d)), "the scale is multiplied by ln n of n = %d keys", l.Keys)
	}
	return list
}

// numberCauses returns powers of the scale, simple multiples of the scale, and powers of two.
func numberCauses(scale float64) (list causes) {
	list.add(scale*scale*scale, "the scale is applied three times")
	list.add(math.Sqrt(math.Sqrt(scale)), "the root of one side's part is applied")
	list.add(elementary.Pow(scale, 1.5),
		"the scale is applied one and a half times: to the product, and its root to one side")
	for p := 1.0; p <= 10; p++ {
		for q := 1.0; q <= 10; q++ {
			list.add(scale*p/q, "a temperature of %.4g", q/p)
		}
	}
	for n := 11; n <= 64; n++ {
		list.add(scale/float64(n), "the scale is divided by %d, as by the number of a layer", n)
	}
	for power := -20; power <= 10; power++ {
		list.add(math.Ldexp(1, power), "a power of two, 2^%d", power)
	}
	return list
}

// DescribeInitialisation names an initialisation that leads to components of queries and keys with
// the variances vq and vk. It returns "" if it knows none.
func DescribeInitialisation(vq, vk float64) string {
	const tolerance = 0.12 // relative
	for _, initialisation := range []struct {
		variance    float64
		description string
	}{
		{2, "He's initialisation, which is meant for layers before ReLU, gives 2"},
		{1.0 / 3, "PyTorch's nn.Linear without a bias gives 1/3"},
		{2.0 / 3, "PyTorch's nn.Linear with a bias gives 2/3"},
		{0.5, "Xavier's of queries, keys and values in one matrix gives 1/2"},
	} {
		if math.Abs(vq/initialisation.variance-1) < tolerance && math.Abs(vk/initialisation.variance-1) < tolerance {
			return "; " + initialisation.description
		}
	}
	if math.Abs(vq/vk-1) < tolerance {
		return "; or tokens are not normalised before W_Q and W_K"
	}
	return ""
}
