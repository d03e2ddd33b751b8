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

// A decision needs a distance of minDeviations standard errors, or of minDeviationsOfWorst for the
// largest of many.
const (
	minDeviations        = 4
	minDeviationsOfWorst = 6
)

// maxRounding bounds the residual variance of logits that rounding causes, relative to their variance.
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

// conclude sets the verdict and appends the reason to the diagnosis.
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

// fail concludes that the factor is wrong.
func (j *judge) fail(format string, args ...any) { j.conclude(result.Fail, format, args...) }

// explainFactor names the mistakes that lead to a factor.
func (j *judge) explainFactor(factor, se float64) string {
	l := j.layers[0]
	return scalefit.ExplainFactor(factor, se, j.options.Scale,
		scalefit.LayerShape{Dimension: j.Dimension, Heads: l.query.heads, KeyHeads: l.key.heads, Keys: j.Keys})
}

// judgeFits judges whether the logits have one factor, and whether it is the scale.
func (j *judge) judgeFits() {
	if j.judgeZeros(); j.Verdict != "" {
		return
	}
	if j.judgeShape(); j.err != nil || j.Verdict != "" { // the factor is not one number
		j.SE = result.Absent()
		return
	}
	verdict := compareFactor(j.total.Slope(), j.total.SE(), j.options.Scale)
	if residual := j.total.Residual() / j.total.YY; residual > maxRounding ||
		residual > maxRounding/100 && verdict == result.Undecided {
		j.judgeBiased()
		return
	}
	j.judgeFactor(verdict)
}

// judgeZeros concludes if logits are 0 or −∞ without reason, or if too few pairs are left.
func (j *judge) judgeZeros() {
	f, total := j.fits, j.total
	used := f.zeros + int(total.DoF+total.Rows)
	zeros := float64(f.zeros) / float64(max(1, used))
	mean := f.squares / float64(max(1, used-f.zeros))
	const minProportion = 0.005 // of the logits
	// Logits that were rounded to 0 have small scores.
	unexplained := f.zeros > 8 && zeros > minProportion && f.zeroSquares/float64(max(1, f.zeros)) > mean/4
	switch {
	case f.overflowed > 0 && f.overflowed == f.infinite:
		j.fail("%s %s −∞ where q·k is below −%d, the least of float16: multiply q by the scale before the product",
			names.Count(f.overflowed, "logit"), chooseVerb(f.overflowed), maxHalf)
	case unexplained && f.futureZeros == f.zeros:
		j.fail("the logits of keys behind their query are 0, not −∞, so that softmax gives them weight")
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

// judgeFactor concludes with the verdict on the total factor.
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

// judgeShape concludes if one factor for all pairs does not explain the logits but several
// factors, or a curve, do.
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
	// isExplained reports whether further parameters remove a considerable part of the residuals, and
	// significantly more than chance by the F-statistic.
	isExplained := func(after, before, parameters float64) bool {
		const minReduction, minF = 0.3, 25
		explained, unexplained := (before-after)/parameters, after/max(1, total.DoF-heads-parameters)
		return before-after > minReduction*before && explained > minF*unexplained
	}
	// isNearlyAsGood reports whether one explanation removes nearly as much as another with more
	// parameters.
	isNearlyAsGood := func(residual, reference float64) bool {
		return total.Residual()-residual > 0.95*(total.Residual()-reference)
	}
	// Products of numbers with 11 bits, as in TF32, have a rounding error of 2⁻¹² of their size. A few
	// large logits may dominate the sum of squares.
	relativeRounding := math.Ldexp(1, -min(max(minDigits, f.digits), 12))
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
	if j.Verdict == "" && total.Residual() <= maxRounding*total.YY { // a single head may be wrong
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
	places := j.headBlocks()
	j.reportOutliers(j.fits.heads, "head", func(i int) string { return places[i].headTitle() })
}

// reportOutliers concludes if some lines clearly have another factor. title(i) names line i, and
// noun what a line belongs to.
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
