package inspect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/result"
)

// Logits compares what a model feeds into softmax with its q·k: it finds the factor between
// them. A constant that a whole row has is left out, since softmax does not see it.
type Logits struct {
	products, squares, logits float64 // sums of s·l, s² and l², each less its mean in the row
	free                      float64 // pairs less one for each row
}

// Masked is a logit at or below which a pair counts as masked.
const Masked = -1e4

// Add takes one row of scores with its logits, of which those that are masked are left out.
func (l *Logits) Add(scores, logits []float64) {
	var n, meanScore, meanLogit float64
	for j, x := range logits {
		if x > Masked {
			n++
			meanScore += scores[j]
			meanLogit += x
		}
	}
	if n < 2 {
		return
	}
	meanScore, meanLogit = meanScore/n, meanLogit/n
	for j, x := range logits {
		if x > Masked {
			s, y := scores[j]-meanScore, x-meanLogit
			l.products += float64(s * y)
			l.squares += float64(s * s)
			l.logits += float64(y * y)
		}
	}
	l.free += n - 1
}

// Applied is the factor that a model multiplies q·k by, as its logits show.
type Applied struct {
	Factor      result.Number  `json:"factor"`
	SE          result.Number  `json:"factor_se"`   // of rounding, and of what else the logits have
	Scale       result.Number  `json:"scale"`       // what it should be
	Correlation result.Number  `json:"correlation"` // of logits with q·k within rows
	Verdict     result.Verdict `json:"verdict"`
	Looks       string         `json:"looks_like,omitempty"` // which mistake, where it fails
}

// Exactness is how far a factor may be from the scale, as a part of it: bfloat16 rounds by up
// to four times as much.
const Exactness = 0.001

// leastFit is the squared correlation below which logits are not a multiple of these q·k.
const leastFit = 0.9

// Applied judges the factor against the scale, in a layer of so many heads of d_k.
func (l *Logits) Applied(scale float64, dimension, heads int) Applied {
	factor := l.products / l.squares
	fit := float64(l.products*l.products) / float64(l.squares*l.logits)
	rest := math.Max(0, l.logits-float64(factor*l.products)) / math.Max(1, l.free-1)
	se := math.Sqrt(rest / l.squares)
	a := Applied{Factor: result.Number(factor), SE: result.Number(se), Scale: result.Number(scale),
		Correlation: result.Number(math.Copysign(math.Sqrt(fit), factor)), Verdict: result.Pass}
	const sure = 4 // standard errors
	off := math.Abs(factor - scale)
	switch allowed := Exactness * scale; {
	case !(fit >= leastFit):
		a.Verdict = result.Undecided
		a.Looks = "the logits are not a multiple of these q·k: save q and k as they are multiplied, after RoPE and every norm"
	case off+float64(sure*se) <= allowed:
	case off-float64(sure*se) > allowed:
		a.Verdict, a.Looks = result.Fail, mistaken(factor, scale, dimension, heads)
	default:
		a.Verdict = result.Undecided
	}
	return a
}

// mistaken says which mistake makes of a scale the factor.
func mistaken(factor, scale float64, dimension, heads int) string {
	model := dimension * heads
	d, all := float64(dimension), float64(model)
	if heads == 1 { // d_model is d_k
		all = math.NaN()
	}
	short := math.Float64frombits((math.Float64bits(scale) + 1<<44) &^ (1<<45 - 1)) // 8 bits, as bfloat16
	half := math.Float64frombits((math.Float64bits(scale) + 1<<41) &^ (1<<42 - 1))  // 11 bits
	var likely []string
	for _, m := range []struct {
		factor float64
		says   string
	}{
		{1, "the scale is forgotten: q·k goes into softmax as it is (if q was saved divided already: --scale none)"},
		{scale * scale, "q·k is scaled twice"},
		{1 / math.Sqrt(all), fmt.Sprintf("q·k is divided by the root of d_model = %d, not of d_k = %d", model, dimension)},
		{1 / all, fmt.Sprintf("q·k is divided by d_model = %d", model)},
		{1 / d, fmt.Sprintf("q·k is divided by d_k = %d, not by its root", dimension)},
		{-scale, "the sign of the scale is turned"},
		{1 / scale, "q·k is multiplied where it should be divided"},
		{math.Sqrt(scale), "one of q and k is scaled, the other is not"},
		{1 / math.Floor(1/scale), "the divisor is rounded to a whole number"},
		{1 / math.Ceil(1/scale), "the divisor is rounded to a whole number"},
		{short, "the scale is rounded to bfloat16; compute it in float32"},
		{half, "the scale is rounded to float16; compute it in float32"},
	} {
		if math.Abs(factor/m.factor-1) < Exactness/2 {
			likely = append(likely, m.says)
		}
	}
	if len(likely) == 0 {
		likely = []string{fmt.Sprintf("q·k is multiplied by %.4g, which is %.4g times the scale", factor, factor/scale)}
		if less := factor / scale; less > 0.8 && less < 1 {
			likely = append(likely, "a soft cap, which makes large logits smaller")
		}
	}
	return strings.Join(slices.Compact(likely), ", or ")
}
