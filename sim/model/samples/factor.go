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

// A difference is significant from this number of standard errors on.
const (
	minDeviations        = 4
	minDeviationsOfWorst = 6 // for the largest of many differences
)

// maxRounding bounds the residual variance that rounding of logits can cause, relative to the
// variance of the logits.
const maxRounding = 1e-3

// minComparable is the smallest number of degrees of freedom of a factor that is compared with
// others.
const minComparable = 20

// compareFactor passes if the factor is within the tolerance of the scale by minDeviations
// standard errors, and fails if it is outside by as many.
func compareFactor(factor, se, scale float64) result.Verdict {
	distance, tolerance := math.Abs(factor-scale), scalefit.FactorTolerance*math.Abs(scale)
	switch {
	case distance+float64(minDeviations*se) <= tolerance:
		return result.Pass
	case distance-float64(minDeviations*se) > tolerance:
		return result.Fail
	}
	return result.Undecided
}

// judge judges the factor of the logits, or weights, of all heads.
type judge struct {
	*observations
	*inspect.AppliedScale
	fits  *fits
	total scalefit.Line // line of all heads
	err   error         // the first error while reading arrays again
}

// judge judges the factor; the result is nil if there are neither logits nor weights.
func (o *observations) judge() (*inspect.AppliedScale, error) {
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

// newJudge returns a judge of the logits. It uses the weights if there are no logits or if
// ignoresLogits is set.
func (o *observations) newJudge() *judge {
	a := &inspect.AppliedScale{Source: "logits", Scale: result.Number(o.options.Scale),
		Factor: result.Absent(), SE: result.Absent(), Correlation: result.Absent()}
	j := &judge{observations: o, AppliedScale: a, fits: o.logitFits}
	if !o.Logits || o.ignoresLogits {
		j.Source, j.fits = "weights", o.weightFits
	}
	j.total = j.fits.total()
	j.MaskedPairs, j.Pairs = j.fits.masked, j.fits.pairs
	if total := j.total; total.IsDetermined() {
		j.Factor, j.SE = result.Number(total.Slope()), result.Number(total.SE())
		j.Correlation = result.Number(math.Copysign(math.Sqrt(1-total.Residual()/total.YY), total.Slope()))
	}
	return j
}

// conclude sets the verdict and appends a reason to the diagnosis.
func (j *judge) conclude(v result.Verdict, format string, args ...any) {
	j.Verdict, j.Diagnosis = v, joinPhrases(j.Diagnosis, fmt.Sprintf(format, args...))
}

// joinPhrases joins two phrases, of which either may be empty.
func joinPhrases(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// fail concludes with the verdict Fail and appends a reason to the diagnosis.
func (j *judge) fail(format string, args ...any) { j.conclude(result.Fail, format, args...) }

// explainFactor names mistakes that explain a factor with a standard error.
func (j *judge) explainFactor(factor, se float64) string {
	l := j.layers[0]
	return scalefit.ExplainFactor(factor, se, j.options.Scale,
		scalefit.LayerShape{Dimension: j.Dimension, Heads: l.query.heads, KeyHeads: l.key.heads, Keys: j.Keys})
}

// judgeFits judges whether the logits have one factor, and whether it is the scale.
func (j *judge) judgeFits() {
	j.judgeZeros()
	if j.Verdict != "" {
		return
	}
	j.judgeShape()
	if j.err != nil || j.Verdict != "" { // the factor is not the same for all pairs
		j.SE = result.Absent()
		return
	}
	verdict := compareFactor(j.total.Slope(), j.total.SE(), j.options.Scale)
	maxResidual := maxRounding
	if verdict == result.Undecided { // a smaller addition may be the reason
		maxResidual = maxRounding / 100
	}
	if j.total.Residual()/j.total.YY > maxResidual {
		j.judgeBiased()
		return
	}
	j.judgeFactor(verdict)
}

// judgeZeros concludes if logits are 0 or −∞ without reason, or if too few pairs are left.
func (j *judge) judgeZeros() {
	f, total := j.fits, j.total
	visible := f.zeros + int(total.DoF+total.Rows) // number of pairs
	zeros := float64(f.zeros) / float64(max(1, visible))
	meanSquare := f.squares / float64(max(1, visible-f.zeros))
	const minZeros, minProportion = 8, 0.005 // number and proportion of logits
	// Logits that were rounded to 0 would have small scores.
	hasLargeScores := f.zeroSquares/float64(max(1, f.zeros)) > meanSquare/4
	unexplained := f.zeros > minZeros && zeros > minProportion && hasLargeScores
	switch {
	case f.overflowed > 0 && f.overflowed == f.infinite:
		j.fail("%s %s −∞ where q·k is below −%d, the least of float16: multiply q by the scale before the product",
			names.Count(f.overflowed, "logit"), chooseVerb(f.overflowed), maxHalf)
	case unexplained && f.futureZeros == f.zeros:
		j.fail("the logits of keys after their query are 0, not −∞, so that softmax gives them weight")
	case unexplained && zeros == 1:
		j.fail("all logits are 0")
	case unexplained && total.IsDetermined() &&
		compareFactor(total.Slope()*(1-zeros)/j.options.Scale, 0.01, 1) != result.Fail:
		j.fail("%.2g %% of the logits are exactly 0: dropout on the logits, which scales the others by %.4g",
			100*zeros, 1/(1-zeros))
	case unexplained:
		j.fail("%.2g %% of the logits are exactly 0 where q·k is not: a mask that multiplies, or dropout", 100*zeros)
	case !total.IsDetermined():
		j.conclude(result.Undecided, "too few pairs: %d of %d are left without those that are masked, or "+
			"alike in their row, and three more than rows are needed", f.pairs-f.masked, f.pairs)
	}
}

// judgeFactor concludes with the given verdict on the factor of all pairs.
func (j *judge) judgeFactor(verdict result.Verdict) {
	switch factor, se := j.total.Slope(), j.total.SE(); verdict {
	case result.Pass:
		j.Verdict = verdict
	case result.Fail:
		j.fail("%s", j.explainFactor(factor, se))
	default:
		j.conclude(verdict, "too few pairs for their precision: the factor is known to %.2g %% only, and must be "+
			"right to %g %%; save more rows, or logits in float32", 100*minDeviations*se/math.Abs(j.options.Scale),
			100*scalefit.FactorTolerance)
	}
}

// judgeShape concludes if one factor for all pairs does not explain the logits, but several factors
// or a curve explain them.
func (j *judge) judgeShape() {
	f, total := j.fits, j.total
	headResidual, textResidual, positionResidual := sumResiduals(f.heads), sumResiduals(f.texts),
		sumResiduals(f.positions[:])
	logResidual, cubeResidual := 0.0, 0.0
	for _, h := range f.heads {
		residual, _, _ := h.FitLog()
		logResidual += residual
		residual, _ = h.FitCubes()
		cubeResidual += residual
	}
	heads, texts, positions := float64(len(f.heads)), float64(len(f.texts)), float64(len(f.positions))
	// isExplained reports whether additional parameters, which reduce the residual sum of squares
	// from before to after, remove a considerable part of it, and significantly more than chance by
	// the F-statistic.
	isExplained := func(after, before, parameters float64) bool {
		const minReduction, minF = 0.3, 25
		explained, unexplained := (before-after)/parameters, after/max(1, total.DoF-heads-parameters)
		return before-after > minReduction*before && explained > minF*unexplained
	}
	// isNearlyAsGood reports whether an explanation with the given residual removes nearly as much
	// of the total residual as the explanation with the reference residual.
	isNearlyAsGood := func(residual, reference float64) bool {
		return total.Residual()-residual > 0.95*(total.Residual()-reference)
	}
	// Products of numbers with 11 bits, as in TF32, have a relative rounding error of 2⁻¹².
	// rounding is relative to the sum of squares, since a few large logits may dominate it.
	const tf32Bits = 12
	relativeRounding := math.Ldexp(1, -min(max(minDigits, f.digits), tf32Bits))
	rounding := float64(relativeRounding * relativeRounding * total.YY)
	switch {
	case headResidual > rounding && isExplained(logResidual, headResidual, heads) &&
		isNearlyAsGood(logResidual, min(cubeResidual, positionResidual)):
		j.reportLogFactor()
	case headResidual > rounding && isExplained(cubeResidual, headResidual, heads) &&
		isNearlyAsGood(cubeResidual, positionResidual):
		j.reportCap()
		return
	case isExplained(headResidual, total.Residual(), heads) &&
		isNearlyAsGood(headResidual, min(textResidual, positionResidual)):
		j.reportHeads()
	case isExplained(textResidual, total.Residual(), texts) && isNearlyAsGood(textResidual, positionResidual):
		j.reportOutliers(f.texts, "text", func(i int) string { return fmt.Sprintf("text %d", i) })
	case headResidual > rounding && isExplained(positionResidual, total.Residual(), positions):
		j.reportOutliers(f.positions[:], "row", func(i int) string {
			return fmt.Sprintf("query %d", (i*j.Queries+len(f.positions)-1)/len(f.positions))
		})
	}
	// A single wrong head of many may cause only a small total residual.
	if j.Verdict == "" && total.Residual() <= maxRounding*total.YY {
		j.reportHeads()
	}
}

// reportLogFactor concludes that the factor grows with the logarithm of the number of keys.
func (j *judge) reportLogFactor() {
	_, constant, slopePerLog := j.total.FitLog()
	factor := fmt.Sprintf("s·ln n times the scale, s = %.4g, as in scalable softmax (SSMax)",
		slopePerLog/j.options.Scale)
	if math.Abs(constant) > 0.05*math.Abs(j.total.Slope()) {
		factor = fmt.Sprintf("%.4g + %.4g·ln n", constant, slopePerLog)
	}
	j.fail("the factor depends on the row: it is %s; n is how many keys a row sees", factor)
}

// reportCap concludes that the logits are a curved function of q·k, and fits a soft cap.
func (j *judge) reportCap() {
	if _, cubic := j.total.FitCubes(); cubic*j.total.Slope() > 0 {
		j.fail("the logits are not a multiple of q·k: they grow faster where |q·k| is large")
		return
	}
	limit, factor, maxScore := j.findCap(j.headBlocks()[0])
	largest := math.Abs(factor * maxScore / limit)
	if j.err != nil || 1-elementary.Tanh(largest)/largest < scalefit.FactorTolerance {
		return
	}
	j.fail("a soft cap of about %.3g: the logits are c·tanh(f·q·k/c), with f = %.4g", limit, factor)
	if math.Abs(factor/j.options.Scale-1) > 10*scalefit.FactorTolerance {
		j.fail("as to f, %s", j.explainFactor(factor, scalefit.FactorTolerance*factor))
	}
}

// reportHeads concludes if some heads clearly have another factor.
func (j *judge) reportHeads() {
	blocks := j.headBlocks() // the first ones are those of each head in the first text
	j.reportOutliers(j.fits.heads, "head", func(i int) string { return blocks[i].headTitle() })
}

// reportOutliers concludes that the logits fail if some lines clearly have another factor than the
// median line. title(i) is the name of line i; noun says what a line belongs to: head, text or row.
func (j *judge) reportOutliers(lines []scalefit.Line, noun string, title func(int) string) {
	var factors []float64
	var indexes []int
	for i, l := range lines {
		if l.DoF >= minComparable && l.Residual() < l.YY/2 {
			factors, indexes = append(factors, l.Slope()), append(indexes, i)
		}
	}
	if len(indexes) < 2 {
		return
	}
	median := slices.Sorted(slices.Values(factors))[(len(factors)-1)/2]
	var outliers []int // positions in indexes
	for i, index := range indexes {
		if math.Abs(factors[i]-median) > float64(minDeviationsOfWorst*lines[index].SE())+
			float64(5*scalefit.FactorTolerance*math.Abs(median)) {
			outliers = append(outliers, i)
		}
	}
	switch n := len(outliers); {
	case n == 0:
		return
	case n > len(indexes)/2:
		j.fail("the factor differs from %s to %s, from %.4g to %.4g", noun, noun, slices.Min(factors),
			slices.Max(factors))
		return
	}
	first, suffix := factors[outliers[0]], ""
	if n := len(outliers); n > 1 {
		suffix = fmt.Sprintf(" (and %d more)", n-1)
	}
	j.fail("the factor differs from %s to %s: at %s%s it is %.4g, %.4g times that of most, %.4g", noun, noun,
		title(indexes[outliers[0]]), suffix, first, first/median, median)
	if compareFactor(median, 0, j.options.Scale) == result.Fail {
		j.fail("%s", j.explainFactor(median, scalefit.FactorTolerance*median/3))
	}
}
