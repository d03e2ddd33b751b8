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

// tiny takes the place of a length of 0, of which there is no logarithm.
const tiny = 1e-300

// judgeBiased judges logits of which q·k explains a part: what else is there?
func (j *judge) judgeBiased() {
	raw := j.fits
	kind, without := j.findBias()
	steps := []func(){func() { j.nameKeys(raw, kind) }, j.nameNorm, j.namePart}
	if without != nil {
		j.fits, j.all = without, without.all()
		j.Diagnosis = "a bias seems to be added, " + kind.Description
		steps = []func(){j.judgeShape, func() { j.nameKeys(j.fits, kind) }}
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
	j.Factor, j.SE = result.Number(j.all.Slope()), result.Number(j.all.SE())
	j.judgeBeside(without != nil, j.all.Residual() <= max(j.fits.rounding(), roughness/100*j.all.YY))
}

// judgeBeside judges the factor if something is added to the logits, which is known or not. If it is
// rounded, no more than rounding may be left.
func (j *judge) judgeBeside(isKnown, isRounded bool) {
	all, factor, se, scale := j.all, j.all.Slope(), j.all.SE(), j.options.Scale
	verdict, margin, off := within(factor, se, scale), 100*sure*se/math.Abs(scale), math.Abs(factor/scale-1)
	const near = 1 // percent
	// What is left may have as large a part that goes with q·k.
	isDoubtful := !isRounded && off < math.Sqrt(all.Residual()/all.YY)
	switch {
	case isKnown && isDoubtful && all.Residual() > roughness*all.YY:
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
	case verdict == result.Undecided && isRounded && 100*off <= margin && margin <= near:
		j.Verdict = result.Pass
		j.Diagnosis += fmt.Sprintf(", beside which the factor is known to %.2g %% only", margin)
	case verdict == result.Undecided || isDoubtful:
		j.conclude(result.Undecided, "it is too large to tell the factor, which is about %.4g: save "+
			"logits without it, or more texts with the same bias", factor)
	default:
		j.judgeFactor(verdict)
	}
}

// nameNorm says whether logits are a multiple of the cosine, as if queries and keys were normalised
// after they were saved, or of q·k though they should be normalised.
func (j *judge) nameNorm() {
	p, other := j.places()[0], j.options
	other.Length = 1
	if j.options.Length > 0 {
		other.Length = 0
	}
	f := scalefit.FitRows(j.study(p, p.keyHead(), other))
	switch {
	case !f.IsDetermined() || f.Residual() >= 1e-3*f.YY:
	case other.Length == 0:
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

// namePart says whether the factor depends on queries and keys, so that what is added is not a
// bias. The factor of a head does not matter.
func (j *judge) namePart() {
	var all []scalefit.Row
	for _, p := range j.places()[:min(maxStudiedHeads, j.Heads)] {
		rows := j.study(p, p.keyHead(), j.options)
		f := scalefit.FitRows(rows)
		if !f.IsDetermined() || math.Abs(f.Slope()) < 10*f.SE() {
			continue
		}
		for _, r := range rows {
			for i := range r.Y {
				r.Y[i] /= f.Slope()
			}
			all = append(all, r)
		}
	}
	byDistance := func(r scalefit.Row, key int) int { return bits.Len(uint(max(key-r.Query, r.Query-key))) }
	byLength := func(r scalefit.Row, _ int) int { return int(8 * elementary.Log(max(r.QueryLength, tiny))) }
	switch {
	case scalefit.FactorVaries(all, byDistance):
		j.conclude(result.Undecided, "the factor depends on the distance of query and key: save q and k after their "+
			"positions (RoPE), as they are multiplied")
	case scalefit.FactorVaries(all, byLength):
		j.conclude(result.Undecided,
			"the factor depends on the length of the query: save q and k after every norm, as they "+
				"are multiplied")
	}
}

// nameKeys says whether logits of heads that their keys do not explain go with keys of other heads.
func (j *judge) nameKeys(f *fits, b scalefit.Bias) {
	var swapped []string
	inTurns, asked := true, 0
	keyHeads, heads := j.layers[0].key.heads, j.layers[0].query.heads
	for i, p := range j.places()[:j.Heads] {
		if h := f.heads[i]; !h.IsDetermined() || h.Residual() <= h.YY/2 || asked == maxStudiedHeads {
			continue
		}
		asked++
		k, square := j.findKeys(p, b)
		if square < 0.9 || k == p.keyHead() {
			continue
		}
		inTurns = inTurns && k == p.headInLayer()%p.layer.key.heads
		swapped = append(swapped, fmt.Sprintf("%s uses the keys of head %d, not %d", p.headTitle(), k, p.keyHead()))
	}
	switch {
	case j.err != nil || len(swapped) == 0:
	case inTurns && len(swapped) > 1 && keyHeads < heads:
		j.fail("keys go to the wrong heads: head h uses the keys of head h %% %d, where neighbouring heads "+
			"share them: h // %d (repeat_interleave, not repeat)", keyHeads, heads/keyHeads)
	default:
		j.fail("keys go to the wrong heads: %s", strings.Join(swapped[:min(3, len(swapped))], ", "))
	}
}
