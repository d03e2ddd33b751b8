package samples

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/result"
)

// tiny replaces a length of 0, which has no logarithm.
const tiny = 1e-300

// judgeBiased judges logits that q·k explains only in part, and looks for what explains the rest.
func (j *judge) judgeBiased() {
	rawFits := j.fits
	bias, withoutBias := j.findBias()
	steps := []func(){func() { j.checkKeyHeads(rawFits, bias) }, j.checkNorm, j.checkDependence}
	if withoutBias != nil {
		j.fits, j.total = withoutBias, withoutBias.total()
		j.Diagnosis = "a bias seems to be added, " + bias.Description
		steps = []func(){j.judgeShape, func() { j.checkKeyHeads(j.fits, bias) }}
	}
	for _, step := range steps {
		if j.err == nil {
			step()
		}
		if j.err != nil || j.Verdict != "" {
			j.SE = result.Absent()
			return
		}
	}
	j.Factor, j.SE = result.Number(j.total.Slope()), result.Number(j.total.SE())
	j.judgeWithAddition(withoutBias != nil, j.total.Residual() <= max(j.fits.rounding(), maxRounding/100*j.total.YY))
}

// judgeWithAddition judges the factor if something is added to the logits. isKnown says whether the
// addition was identified as a bias. isRounded says whether the residuals are so small that
// rounding errors explain them.
func (j *judge) judgeWithAddition(isKnown, isRounded bool) {
	line, factor, se, scale := j.total, j.total.Slope(), j.total.SE(), j.options.Scale
	verdict, margin, relativeError := compareFactor(factor, se, scale), 100*minDeviations*se/math.Abs(scale),
		math.Abs(factor/scale-1)
	const maxMargin = 1 // percent
	// The addition may be correlated with q·k and may have changed the factor by this relative
	// error.
	isDoubtful := !isRounded && relativeError < math.Sqrt(line.Residual()/line.YY)
	switch {
	case isKnown && isDoubtful && line.Residual() > maxRounding*line.YY:
		j.Diagnosis += ", and more is added to the logits, or the factor varies"
	case isKnown:
		isDoubtful = false
	case isRounded:
		j.Diagnosis = "the logits have noise, such as rounding"
	default:
		j.Diagnosis = "a bias, or noise, seems to be added (if q and k are those that are multiplied, after RoPE " +
			"and every norm)"
	}
	switch {
	case math.Abs(factor) < 10*se:
		j.SE, j.Diagnosis = result.Absent(), ""
		j.conclude(result.Undecided,
			"the logits are not a multiple of these q·k, there is no linear relation: save q and k "+
				"as they are multiplied, after RoPE and every norm, with their heads in the same order")
	case verdict == result.Undecided && isRounded && 100*relativeError <= margin && margin <= maxMargin:
		j.Verdict = result.Pass
		j.Diagnosis += fmt.Sprintf(", and therefore the factor is known only to %.2g %%", margin)
	case verdict == result.Undecided || isDoubtful:
		j.conclude(result.Undecided, "it is too large to tell the factor, which is about %.4g: save "+
			"logits without it, or more texts with the same bias", factor)
	default:
		j.judgeFactor(verdict)
	}
}

// maxNormResidual is the largest residual variance, relative to the variance of the logits, of
// logits that are a multiple of the cosine or of q·k.
const maxNormResidual = 1e-3

// checkNorm reports logits that are a multiple of the cosine, as if queries and keys were
// normalised after they were saved. If a norm is expected, it reports logits that are a multiple of
// q·k.
func (j *judge) checkNorm() {
	block, options := j.headBlocks()[0], j.options
	options.Length = 1
	if j.options.Length > 0 {
		options.Length = 0
	}
	f := scalefit.FitRows(j.readStudyRows(block, block.keyHead(), options))
	switch {
	case !f.IsDetermined() || f.Residual() >= maxNormResidual*f.YY:
	case options.Length == 0:
		j.fail("the logits are %.4g times q·k as it is: the norm of --scale is not applied", f.Slope())
	default:
		scale := fmt.Sprintf("\"cosine(%.4g)\"", f.Slope())
		if math.Abs(float64(f.Slope()/math.Sqrt(float64(j.Dimension))-1)) < scalefit.FactorTolerance {
			scale = "qk-norm"
		}
		j.conclude(result.Undecided,
			"the logits are %.4g times the cosine of q and k, not q·k: a norm stands between; "+
				"save q and k after it, or say --scale %s", f.Slope(), scale)
	}
}

// checkDependence reports a factor that depends on the distance of query and key or on the length
// of the query; a bias would not cause that. Logits are divided by the factor of their head first.
func (j *judge) checkDependence() {
	var scaledRows []scalefit.Row
	for _, block := range j.headBlocks()[:min(maxStudiedHeads, j.Heads)] {
		rows := j.readStudyRows(block, block.keyHead(), j.options)
		f := scalefit.FitRows(rows)
		if !f.IsDetermined() || math.Abs(f.Slope()) < 10*f.SE() {
			continue
		}
		for _, r := range rows {
			for i := range r.Y {
				r.Y[i] /= f.Slope()
			}
			scaledRows = append(scaledRows, r)
		}
	}
	byDistance := func(r scalefit.Row, key int) int { return bits.Len(uint(max(key-r.Query, r.Query-key))) }
	const classesPerUnit = 8 // classes of the logarithm of the length
	byLength := func(r scalefit.Row, _ int) int {
		return int(classesPerUnit * elementary.Log(max(r.QueryLength, tiny)))
	}
	switch {
	case scalefit.FactorVaries(scaledRows, byDistance):
		j.conclude(result.Undecided, "the factor depends on the distance of query and key: save q and k after their "+
			"positions (RoPE), as they are multiplied")
	case scalefit.FactorVaries(scaledRows, byLength):
		j.conclude(result.Undecided,
			"the factor depends on the length of the query: save q and k after every norm, as they "+
				"are multiplied")
	}
}

// checkKeyHeads reports heads whose logits are computed with the keys of another head than
// expected.
func (j *judge) checkKeyHeads(f *fits, bias scalefit.Bias) {
	const minSquaredCorrelation = 0.9 // of logits with q·k, for a head of keys that explains them
	var swapped []string
	isInterleaved, studied := true, 0
	keyHeads, heads := j.layers[0].key.heads, j.layers[0].query.heads
	for i, block := range j.headBlocks()[:j.Heads] {
		if h := f.heads[i]; !h.IsDetermined() || h.Residual() <= h.YY/2 || studied == maxStudiedHeads {
			continue
		}
		studied++
		k, squaredCorrelation := j.findKeyHead(block, bias)
		if squaredCorrelation < minSquaredCorrelation || k == block.keyHead() {
			continue
		}
		isInterleaved = isInterleaved && k == block.headInLayer()%block.layer.key.heads
		swapped = append(swapped,
			fmt.Sprintf("%s uses the keys of head %d, not %d", block.headTitle(), k, block.keyHead()))
	}
	switch {
	case j.err != nil || len(swapped) == 0:
	case isInterleaved && len(swapped) > 1 && keyHeads < heads:
		j.fail("keys go to the wrong heads: head h uses the keys of head h %% %d, where neighbouring heads "+
			"share them: h // %d (repeat_interleave, not repeat)", keyHeads, heads/keyHeads)
	default:
		j.fail("keys go to the wrong heads: %s", strings.Join(swapped[:min(3, len(swapped))], ", "))
	}
}
