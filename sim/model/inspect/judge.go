package inspect

import (
	"cmp"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Gate has requirements on the heads of a model. A requirement with only zeros is not judged.
type Gate struct {
	Tolerance            float64 // largest deviation of the scaled variance from 1, of every head and of their mean
	Lo, Hi               float64 // band of the standard deviation of every head's logits
	MaxLogit             float64 // limit of every head's largest logit
	EntropyLo, EntropyHi float64 // band of every head's entropy ratio, in [0, 1]
	Alpha                float64 // approximate probability that a correct model fails
	Beta                 float64 // approximate probability that a value on or beyond an edge passes
}

// GateResult is the comparison of one estimate with its band.
type GateResult struct {
	Name     string           `json:"name"`
	Quantity string           `json:"quantity"`
	Estimate Estimate         `json:"estimate"`
	Band     [2]result.Number `json:"band"` // the first is absent if there is no lower limit
	Verdict  result.Verdict   `json:"verdict"`
	// TimesNeeded is the factor by which the number of texts or rows must grow for a decision. The
	// true value is assumed to be in the middle of the band, or as far outside an edge as the
	// middle is inside. It is absent if the number suffices, or if the error is not known well
	// enough.
	TimesNeeded result.Number `json:"times_as_many,omitzero"`
	SampleUnit  string        `json:"of"`                   // texts or rows
	Diagnosis   string        `json:"looks_like,omitempty"` // the likeliest mistake, or why nothing is decided
}

// Judgement holds the results of a gate.
type Judgement struct {
	Alpha        float64        `json:"alpha"`
	Beta         float64        `json:"beta"`
	Verdict      result.Verdict `json:"verdict"` // the worst verdict
	Gates        []GateResult   `json:"gates"`
	AppliedScale *AppliedScale  `json:"logits,omitempty"` // nil if it is not known
}

// AppliedScale is the factor by which a model multiplies q·k, estimated from its logits or
// weights.
type AppliedScale struct {
	Factor result.Number `json:"factor"`
	// SE is the standard error of Factor. It allows for rounding and for what the model adds to its
	// logits. It is absent if the factor varies.
	SE          result.Number  `json:"factor_se"`
	Scale       result.Number  `json:"scale"`       // the correct factor
	Correlation result.Number  `json:"correlation"` // of logits and q·k within rows
	Verdict     result.Verdict `json:"verdict"`
	Diagnosis   string         `json:"looks_like,omitempty"` // the likeliest mistake, or why nothing is decided
	Source      string         `json:"from"`                 // logits, weights, or saved scale
	MaskedPairs int            `json:"masked_pairs"`         // number of pairs that are omitted or have weight 0
	Pairs       int            `json:"pairs"`                // number of all pairs
}

// Judge compares a summary with a gate. An estimate passes if its interval with tail probability β
// on each side lies in the band. It fails if the interval with tail probability min(α/2, β) on each
// side lies outside. α is divided by the number of judged estimates of the same quantity. If the
// true value is in the middle of the band and the error is small enough, the estimate passes with
// probability 1 − α.
func (s Summary) Judge(gate Gate, applied *AppliedScale) Judgement {
	judgement := Judgement{Alpha: gate.Alpha, Beta: gate.Beta, Verdict: result.Pass, AppliedScale: applied}
	if gate.Tolerance > 0 {
		alpha := gate.Alpha / float64(len(s.checkedHeads()))
		for _, h := range s.checkedHeads() {
			gateResult := GateResult{Name: h.Title(), Quantity: names.ScaledVariance, Estimate: h.ScaledVariance,
				Band: band(1-gate.Tolerance, 1+gate.Tolerance)}.judge(alpha, gate.Beta)
			switch {
			case gateResult.Verdict != result.Fail: // needs no diagnosis
			case h.Head < 0 || len(s.Heads) == 1:
				gateResult.Diagnosis = s.diagnose()
			default:
				gateResult.Diagnosis = s.describeOutlierHeads()
			}
			judgement.Gates = append(judgement.Gates, gateResult)
		}
	}
	alpha := gate.Alpha / float64(len(s.Heads))
	for _, h := range s.Heads {
		add := func(quantity string, e Estimate, lo, hi float64) {
			g := GateResult{Name: h.Title(), Quantity: quantity, Estimate: e, Band: band(lo, hi)}
			judgement.Gates = append(judgement.Gates, g.judge(alpha, gate.Beta))
		}
		if gate.Hi > 0 {
			add(names.LogitSD, h.LogitSD, gate.Lo, gate.Hi)
		}
		if gate.MaxLogit > 0 {
			add(MaxLogitName, h.MaxLogit, math.Inf(-1), gate.MaxLogit)
		}
		if gate.EntropyHi > 0 { // the interval of 1 minus the ratio is known, since it is positive
			ratio := h.FirstScale().EntropyRatio
			complement := ratio.applyDecreasing(func(x float64) float64 { return 1 - x })
			add(names.EntropyRatio, complement, 1-gate.EntropyHi, 1-gate.EntropyLo)
			last := &judgement.Gates[len(judgement.Gates)-1]
			last.Estimate, last.Band = ratio, band(gate.EntropyLo, gate.EntropyHi)
		}
	}
	for i, gateResult := range judgement.Gates {
		judgement.Gates[i].SampleUnit = s.sampleUnit()
		judgement.Verdict = result.Worse(judgement.Verdict, gateResult.Verdict)
	}
	if applied != nil {
		judgement.Verdict = result.Worse(judgement.Verdict, applied.Verdict)
	}
	return judgement
}

// MaxLogitName is the quantity of gates on the largest logit.
const MaxLogitName = "max_logit"

// MeanOfHeads is the title of the mean over heads.
const MeanOfHeads = "the mean over heads"

// checkedHeads returns the heads whose scaled variance a gate judges: the mean over heads, with
// the number −1, followed by every head. If there is only one head, it returns only this head.
func (s Summary) checkedHeads() []Head {
	if len(s.Heads) == 1 {
		return s.Heads
	}
	return append([]Head{{Head: -1, Estimates: s.Overall}}, s.Heads...)
}

// sampleUnit returns what a larger file has more of: texts or rows.
func (s Summary) sampleUnit() string {
	if s.Texts > 1 {
		return "texts"
	}
	return "rows"
}

// SamplePlan says how much larger a file must be for a check of a tolerance.
type SamplePlan struct {
	Tolerance float64 `json:"tolerance"`
	Alpha     float64 `json:"alpha"`
	Beta      float64 `json:"beta"`
	// Heads is the factor for a check of every head and their mean; absent if errors are not known.
	Heads      result.Number `json:"times_as_many"`
	Mean       result.Number `json:"times_as_many_mean"` // the factor for a check of only the mean over heads
	SampleUnit string        `json:"of"`                 // texts or rows
}

// Plan returns the size of a file whose check passes with probability 1 − α if all scaled
// variances are 1. It uses the errors of this summary, which is a pilot; the error of a head is
// the root mean square of all heads' errors. The half widths of the intervals with tail
// probabilities α/2 and β must add up to half of the band on the logarithmic scale. With more
// texts or rows, errors decrease as the inverse root of their number, and Student's quantiles
// decrease because the degrees of freedom grow.
func (s Summary) Plan(g Gate) SamplePlan {
	alpha, square := g.Alpha/float64(len(s.checkedHeads())), 0.0
	timesFor := func(e Estimate) result.Number { return timesNeeded(e, 1-g.Tolerance, 1+g.Tolerance, alpha, g.Beta) }
	for _, h := range s.Heads {
		square += float64(h.ScaledVariance.logSE*h.ScaledVariance.logSE) / float64(len(s.Heads))
	}
	head := s.Heads[0].ScaledVariance // all heads have the same degrees of freedom
	head.logSE = math.Sqrt(square)
	plan := SamplePlan{g.Tolerance, g.Alpha, g.Beta, timesFor(head), timesFor(s.Overall.ScaledVariance), s.sampleUnit()}
	plan.Heads = max(plan.Heads, plan.Mean)
	return plan
}

// tiny is the smallest divisor: it replaces 0.
const tiny = 1e-300

// EdgeDistance returns how far the estimate is outside the band, in standard errors. It is negative
// inside the band. If the standard error is not known, the distance is in units of the estimate.
func (g GateResult) EdgeDistance() float64 {
	value, se := float64(g.Estimate.Value), float64(g.Estimate.SE)
	if !g.Estimate.SE.Present() {
		se = 1
	}
	return max(float64(g.Band[0])-value, value-float64(g.Band[1])) / max(se, tiny)
}

// band returns the band [lo, hi] of a gate.
func band(lo, hi float64) [2]result.Number {
	return [2]result.Number{result.Number(lo), result.Number(hi)}
}

// judge compares the estimate of g with its band, and returns g with the verdict.
func (g GateResult) judge(alpha, beta float64) GateResult {
	e, lo, hi := g.Estimate, float64(g.Band[0]), float64(g.Band[1])
	g.Verdict, g.TimesNeeded = result.Undecided, result.Absent()
	if !e.SE.Present() {
		switch {
		case float64(e.Hi) <= hi: // false without bounds
			g.Verdict = result.Pass
		case float64(e.Lo) > hi:
			g.Verdict = result.Fail
		case e.HasOnlyBounds():
			g.Diagnosis = "the limit is between them: save q and k"
		default:
			g.Diagnosis = cmp.Or(e.reason, unknownErrorText)
		}
		return g
	}
	passLo, passHi := e.interval(beta)
	failLo, failHi := e.interval(min(alpha/2, beta))
	switch {
	case passLo >= lo && passHi <= hi:
		g.Verdict = result.Pass
	case failHi < lo || failLo > hi:
		g.Verdict = result.Fail
	default:
		isErrorKnownWell := e.dof >= minBatches-1
		if e.isMaximum { // the error of a maximum hardly depends on the number of rows
			g.Diagnosis = "its error is too large to decide"
			break
		}
		if times := timesNeeded(e, lo, hi, alpha, beta); times > 1 && isErrorKnownWell {
			g.TimesNeeded = times
		}
	}
	return g
}

// unknownErrorText explains why an estimate without an error decides nothing.
const unknownErrorText = "rows, or texts, are too alike for its error to be known: save longer texts, or several, " +
	"one after the other on the first axis"

// timesNeeded returns the factor by which the number of texts or rows must grow for a decision. On
// the logarithmic scale, the true value is assumed to be in the middle of the band, or as far
// outside an edge as the middle is inside. The factor is absent if the error is not known or too
// large. It is found by bisection.
func timesNeeded(e Estimate, lo, hi, alpha, beta float64) result.Number {
	const maxEdgeRatio = 1e6 // a lower edge of 0 has no logarithm
	halfWidth := elementary.Log(hi/max(lo, hi/maxEdgeRatio)) / 2
	minTimes, maxTimes := 1e-9, 1e12
	const minDoF = 3                                         // an error with fewer degrees of freedom is hardly known
	isSmallEnough := e.logSE < halfWidth*math.Sqrt(maxTimes) // false if the error is not known
	if !isSmallEnough || e.dof < minDoF {
		return result.Absent()
	}
	for maxTimes > 1.001*minTimes {
		times := math.Sqrt(minTimes * maxTimes)
		dof := max(1, float64((e.dof+1)*times)-1)
		quantiles := theory.StudentQuantile(alpha/2, dof) + theory.StudentQuantile(beta, dof)
		if quantiles*e.logSE > float64(halfWidth*math.Sqrt(times)) {
			minTimes = times
		} else {
			maxTimes = times
		}
	}
	return result.Number(maxTimes)
}
