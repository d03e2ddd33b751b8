package samples

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// sure is how many standard errors decide, and surest how many if the worst of many counts.
const (
	sure   = 4
	surest = 6
)

// roughness is the part of the variance of logits that rounding leaves at most.
const roughness = 1e-3

// minComparable is how many pairs, less one for each row, the error of a factor that is compared
// rests on at least.
const minComparable = 20

// within judges a factor with its error against the scale.
func within(factor, se, scale float64) result.Verdict {
	off, allowed := math.Abs(factor-scale), scalefit.FactorTolerance*math.Abs(scale)
	switch {
	case off+float64(sure*se) <= allowed:
		return result.Pass
	case off-float64(sure*se) > allowed:
		return result.Fail
	}
	return result.Undecided
}

// judge judges the factor of the logits, or weights, of all heads.
type judge struct {
	*observed
	*inspect.AppliedScale
	fits *fits
	all  scalefit.Line // of all heads
	err  error         // the first one while reading arrays again
}

// judge judges what the logits, or weights, of all heads show; nil if there are none.
func (o *observed) judge() (*inspect.AppliedScale, error) {
	if !o.Logits && !o.Weights {
		return nil, nil
	}
	j := o.newJudge()
	j.judgeFits()
	if j.err == nil && o.sums.rows > 0 {
		j = j.judgeWeights()
	}
	return j.AppliedScale, j.err
}

// newJudge returns a judge of the logits, or of weights if there are none or they are not looked at.
func (o *observed) newJudge() *judge {
	a := &inspect.AppliedScale{Source: "logits", Scale: result.Number(o.options.Scale),
		Factor: result.Absent(), SE: result.Absent(), Correlation: result.Absent()}
	j := &judge{observed: o, AppliedScale: a, fits: o.logits}
	if !o.Logits || o.byWeights {
		j.Source, j.fits = "weights", o.weights
	}
	j.all = j.fits.all()
	j.MaskedPairs, j.Pairs = j.fits.masked, j.fits.pairs
	if all := j.all; all.IsDetermined() {
		j.Factor, j.SE = result.Number(all.Slope()), result.Number(all.SE())
		j.Correlation = result.Number(math.Copysign(math.Sqrt(1-all.Residual()/all.YY), all.Slope()))
	}
	return j
}

// conclude sets the verdict, and says why after what is said already.
func (j *judge) conclude(v result.Verdict, format string, args ...any) {
	j.Verdict, j.Diagnosis = v, joinPhrases(j.Diagnosis, fmt.Sprintf(format, args...))
}

// joinPhrases joins the phrases that are not empty.
func joinPhrases(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// fail concludes that the factor is wrong.
func (j *judge) fail(format string, args ...any) { j.conclude(result.Fail, format, args...) }

// name says which mistakes give a factor.
func (j *judge) name(factor, se float64) string {
	l := j.layers[0]
	return scalefit.ExplainFactor(factor, se, j.options.Scale,
		scalefit.LayerShape{Dimension: j.Dimension, Heads: l.query.heads, KeyHeads: l.key.heads, Keys: j.Keys})
}

// judgeFits judges the factor: whether there is one, and whether it is the scale.
func (j *judge) judgeFits() {
	if j.judgeZeros(); j.Verdict != "" {
		return
	}
	if j.judgeShape(); j.err != nil || j.Verdict != "" { // there is no one factor
		j.SE = result.Absent()
		return
	}
	verdict := within(j.all.Slope(), j.all.SE(), j.options.Scale)
	if rest := j.all.Residual() / j.all.YY; rest > roughness || rest > roughness/100 && verdict == result.Undecided {
		j.judgeBiased()
		return
	}
	j.judgeFactor(verdict)
}

// judgeZeros concludes if logits are 0, or −∞, that should not be, or if too few are left.
func (j *judge) judgeZeros() {
	f, all := j.fits, j.all
	used := f.zeros + int(all.DoF+all.Rows)
	zeros := float64(f.zeros) / float64(max(1, used))
	mean := f.squares / float64(max(1, used-f.zeros))
	const many = 0.005 // of the logits
	// Logits that are rounded to 0 have small scores.
	unexplained := f.zeros > 8 && zeros > many && f.zeroSquares/float64(max(1, f.zeros)) > mean/4
	switch {
	case f.overflowed > 0 && f.overflowed == f.infinite:
		j.fail("%s %s −∞ where q·k is below −%d, the least of float16: multiply q by the scale before the product",
			names.Count(f.overflowed, "logit"), isOrAre(f.overflowed), maxHalf)
	case unexplained && f.ahead == f.zeros:
		j.fail("the logits of keys behind their query are 0, not −∞, so that softmax gives them weight")
	case unexplained && zeros == 1:
		j.fail("all logits are 0")
	case unexplained && all.IsDetermined() && within(all.Slope()*(1-zeros)/j.options.Scale, 0.01, 1) != result.Fail:
		j.fail("%.2g %% of the logits are exactly 0: dropout on the logits, which scales the others by %.4g",
			100*zeros, 1/(1-zeros))
	case unexplained:
		j.fail("%.2g %% of the logits are exactly 0 where q·k is not: a mask that multiplies, or dropout", 100*zeros)
	case !all.IsDetermined():
		j.conclude(result.Undecided, "too few pairs: %d of %d are left without those that are masked, or "+
			"alike in their row, and three more than rows are needed", f.pairs-f.masked, f.pairs)
	}
}

// judgeFactor judges one factor, by its verdict.
func (j *judge) judgeFactor(verdict result.Verdict) {
	switch factor, se := j.all.Slope(), j.all.SE(); verdict {
	case result.Pass:
		j.Verdict = verdict
	case result.Fail:
		j.fail("%s", j.name(factor, se))
	default:
		j.conclude(verdict, "too few pairs for their precision: the factor is known to %.2g %% only, and must "+
			"be right "+
			"to %g %%; save more rows, or logits in float32", 100*sure*se/math.Abs(j.options.Scale),
			100*scalefit.FactorTolerance)
	}
}

// judgeShape concludes if the factor is not one number.
func (j *judge) judgeShape() {
	f, all := j.fits, j.all
	perHead, perText, perPlace := restOf(f.heads), restOf(f.texts), restOf(f.positions[:])
	perLog, bent := 0.0, 0.0 // what is left
	for _, h := range f.heads {
		rest, _, _ := h.FitLog()
		perLog += rest
		rest, _ = h.FitCubes()
		bent += rest
	}
	heads, texts, places := float64(len(f.heads)), float64(len(f.texts)), float64(len(f.positions))
	// explains reports whether so many numbers more take away a good part of what is left, and clearly
	// more than chance does by the F-statistic.
	explains := func(after, before, more float64) bool {
		const part, clearly = 0.3, 25
		gain, chance := (before-after)/more, after/max(1, all.DoF-heads-more)
		return before-after > part*before && gain > clearly*chance
	}
	// accounts reports whether one explanation does nearly as well as another of more numbers.
	accounts := func(rest, other float64) bool { return all.Residual()-rest > 0.95*(all.Residual()-other) }
	// Products of numbers with 11 bits, as of TF32, are rounded by 2⁻¹² of their size, and a few large
	// logits may make up most of all.
	half := math.Ldexp(1, -min(max(minDigits, f.digits), 12))
	material := float64(half * half * all.YY)
	switch {
	case perHead > material && explains(perLog, perHead, heads) && accounts(perLog, min(bent, perPlace)):
		j.nameLog()
	case perHead > material && explains(bent, perHead, heads) && accounts(bent, perPlace):
		j.nameCap()
		return
	case explains(perHead, all.Residual(), heads) && accounts(perHead, min(perText, perPlace)):
		j.nameHeads()
	case explains(perText, all.Residual(), texts) && accounts(perText, perPlace):
		j.nameParts(f.texts, "text", func(i int) string { return fmt.Sprintf("text %d", i) })
	case perHead > material && explains(perPlace, all.Residual(), places):
		j.nameParts(f.positions[:], "row", func(i int) string {
			return fmt.Sprintf("query %d", (i*j.Queries+len(f.positions)-1)/len(f.positions))
		})
	}
	if j.Verdict == "" && all.Residual() <= roughness*all.YY { // one of many may be wrong
		j.nameHeads()
	}
}

// nameLog says that the factor grows with the logarithm of the number of keys.
func (j *judge) nameLog() {
	_, constant, perLog := j.all.FitLog()
	factor := fmt.Sprintf("s·ln n times the scale, s = %.4g, as in scalable softmax (SSMax)", perLog/j.options.Scale)
	if math.Abs(constant) > 0.05*math.Abs(j.all.Slope()) {
		factor = fmt.Sprintf("%.4g + %.4g·ln n", constant, perLog)
	}
	j.fail("the factor depends on the row: it is %s; n is how many keys a row sees", factor)
}

// nameCap says that logits bend, and where they end if they do.
func (j *judge) nameCap() {
	if _, bend := j.all.FitCubes(); bend*j.all.Slope() > 0 {
		j.fail("the logits are not a multiple of q·k: they grow faster where |q·k| is large")
		return
	}
	limit, factor, size := j.findCap(j.places()[0])
	largest := math.Abs(factor * size / limit)
	if j.err != nil || 1-elementary.Tanh(largest)/largest < scalefit.FactorTolerance {
		return
	}
	j.fail("a soft cap of about %.3g: the logits are c·tanh(f·q·k/c), with f = %.4g", limit, factor)
	if math.Abs(factor/j.options.Scale-1) > 10*scalefit.FactorTolerance {
		j.fail("as to f, %s", j.name(factor, scalefit.FactorTolerance*factor))
	}
}

// nameHeads says which heads have another factor, if that is sure.
func (j *judge) nameHeads() {
	places := j.places()
	j.nameParts(j.fits.heads, "head", func(i int) string { return places[i].headTitle() })
}

// nameParts says which parts have another factor, if that is sure.
func (j *judge) nameParts(lines []scalefit.Line, part string, title func(int) string) {
	var factors []float64
	var known []int
	for i, l := range lines {
		if l.DoF >= minComparable && l.Residual() < l.YY/2 {
			factors, known = append(factors, l.Slope()), append(known, i)
		}
	}
	if len(known) < 2 {
		return
	}
	usual := slices.Sorted(slices.Values(factors))[(len(factors)-1)/2]
	var others []int // indexes of known
	for i, number := range known {
		if math.Abs(factors[i]-usual) > float64(surest*lines[number].SE())+
			float64(5*scalefit.FactorTolerance*math.Abs(usual)) {
			others = append(others, i)
		}
	}
	switch n := len(others); {
	case n == 0:
		return
	case n > len(known)/2:
		j.fail("the factor differs from %s to %s, from %.4g to %.4g", part, part, slices.Min(factors),
			slices.Max(factors))
		return
	}
	first, more := factors[others[0]], ""
	if n := len(others); n > 1 {
		more = fmt.Sprintf(" (and %d more)", n-1)
	}
	j.fail("the factor differs from %s to %s: at %s%s it is %.4g, %.4g times that of most, %.4g", part, part,
		title(known[others[0]]), more, first, first/usual, usual)
	if within(usual, 0, j.options.Scale) == result.Fail {
		j.fail("%s", j.name(usual, scalefit.FactorTolerance*usual/3))
	}
}
