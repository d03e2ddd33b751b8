package inspect

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Estimate is a number with its standard error and its 95 % interval.
type Estimate struct {
	Value result.Number `json:"value"`
	SE    result.Number `json:"se"`
	Lo    result.Number `json:"lo"`
	Hi    result.Number `json:"hi"`

	relative, dof float64 // the standard error of the logarithm, and its degrees of freedom
}

// absent is an estimate that is not defined.
var absent = Estimate{result.Absent(), result.Absent(), result.Absent(), result.Absent(), 1, 1}

// level is the coverage of intervals.
const level = 0.95

// positive returns the estimate of a number that is not negative, with its interval on the scale of
// logarithms: variances are skewed.
func (m mean) positive() Estimate {
	if math.IsNaN(m.se) {
		unknown := absent
		unknown.Value = result.Number(m.value)
		return unknown
	}
	e := Estimate{result.Number(m.value), result.Number(m.se), 0, 0, m.relative, m.dof}
	lo, hi := e.limits((1 - level) / 2)
	e.Lo, e.Hi = result.Number(lo), result.Number(hi)
	return e
}

// limits returns the interval outside which the truth lies with the chance tail on either side.
func (e Estimate) limits(tail float64) (lo, hi float64) {
	value := float64(e.Value)
	if value == 0 {
		return 0, 0
	}
	half := elementary.Exp(theory.StudentQuantile(tail, e.dof) * e.relative)
	return value / half, value * half
}

// power returns the estimate of a power of what is estimated, times a factor.
func (e Estimate) power(exponent, factor float64) Estimate {
	switch {
	case e.Value == 0 && exponent < 0:
		return absent
	case e.Value == 0:
		return Estimate{dof: e.dof}
	}
	value, size := factor*elementary.Pow(float64(e.Value), exponent), math.Abs(exponent)
	return mean{value, size * value * float64(e.SE/e.Value), size * e.relative, e.dof}.positive()
}

// decreasing returns the estimate of a decreasing function of what is estimated, with the error
// unchanged.
func (e Estimate) decreasing(function func(float64) float64) Estimate {
	apply := func(x result.Number) result.Number { return result.Number(function(float64(x))) }
	return Estimate{apply(e.Value), e.SE, apply(e.Hi), apply(e.Lo), e.relative, e.dof}
}

// Numbers are the estimates of a head, or of all heads.
type Numbers struct {
	Mean     result.Number `json:"score_mean"`
	Variance Estimate      `json:"score_variance"`          // of q·k
	Ratio    Estimate      `json:"score_variance_over_d_k"` // 1 for independent components of variance 1
	Scaled   Estimate      `json:"scaled_variance"`         // of the logits
	LogitSD  Estimate      `json:"logit_sd"`
	// what q·k would have to be multiplied by for logits of variance 1
	Unit     Estimate      `json:"unit_scale"`
	Exponent Estimate      `json:"alignment_exponent"` // 1/2 for independent components, 1 for aligned ones
	Cosine   result.Number `json:"mean_cosine"`        // of the mean vectors, by root mean squares of lengths

	QueryVariance result.Number `json:"query_component_variance"` // of components
	KeyVariance   result.Number `json:"key_component_variance"`
	Largest       result.Number `json:"max_logit"` // of those that the queries see
	Effects       []Effect      `json:"scales"`    // the one that was asked for first; none of pairs
	Participation result.Number `json:"head_participation,omitzero"`

	meansRatio result.Number // the ratio of independent components with these means and variances
}

// Effect is what a scale makes of the rows.
type Effect struct {
	Scale     result.Number `json:"factor"`
	LogitSD   Estimate      `json:"row_logit_sd"`          // square root of the mean variance within a row
	Effective Estimate      `json:"effective_keys"`        // 1 over the mean of Σα²
	Entropy   Estimate      `json:"entropy_ratio"`         // its mean
	Limit     result.Number `json:"effective_keys_limit"`  // below which rows are concentrated
	PeakRatio result.Number `json:"max_weight_times_keys"` // its mean: 1 if all weights are equal
	Dead      result.Number `json:"dead_share"`            // of all rows
	Label     string        `json:"label"`
	Keys      int           `json:"keys"` // of a row, at most
	Rows      int           `json:"rows"` // that were looked at
}

// Columns of the numbers of a text of a head. Each scale has perScale more after the first ones.
const (
	columnVariance = iota
	columnExponent
	columnWithin
	firstColumns
)

const (
	columnExcess = iota
	columnDeficit
	perScale
)

// columns returns the numbers of each text of a head, and the terms of each if there is one. If the keys
// along the mean query move all rows at once, the error of what softmax makes of rows is not known.
func columns(texts []Part) (values [][]float64, all []terms) {
	const maxAlongMean = 0.02
	first := texts[0]
	values, all = [][]float64{variances(texts), exponents(texts)}, []terms{first.score, first.exponent}
	add := func(t terms, number func(Part) float64) {
		var xs []float64
		for _, p := range texts {
			xs = append(xs, number(p))
		}
		values, all = append(values, xs), append(all, t)
	}
	add(first.within, func(p Part) float64 { return p.Within })
	for s := range first.effects {
		excess := func(p Part) []float64 { return p.effects[s].excess }
		deficit := func(p Part) []float64 { return p.effects[s].deficit }
		for _, rows := range []func(Part) []float64{excess, deficit} {
			t := first.rowTerms(rows(first))
			if first.alongMean > maxAlongMean {
				t.factor = math.NaN()
			}
			add(t, func(p Part) float64 { return elementary.Sum(rows(p)) / float64(len(rows(p))) })
		}
	}
	return values, all
}

// newNumbers joins parts whose columns have the given means.
func newNumbers(parts []Part, columns []mean, o Options) Numbers {
	n := float64(len(parts))
	var score, vq, vk, cosine, meansRatio float64
	largest, d := math.Inf(-1), parts[0].Dimension
	for _, p := range parts {
		score += p.Mean / n
		vq += p.QueryVariance / n
		vk += p.KeyVariance / n
		cosine += p.Cosine / n
		meansRatio += p.OfMeans / n
		largest = max(largest, float64(p.greatest*o.Scale))
	}
	variance := columns[columnVariance].positive()
	out := Numbers{
		Mean: result.Number(score), Variance: variance,
		Ratio: variance.power(1, 1/float64(d)), Scaled: variance.power(1, float64(o.Scale*o.Scale)),
		LogitSD: variance.power(0.5, math.Abs(o.Scale)), Unit: variance.power(-0.5, 1),
		Exponent: columns[columnExponent].signed(),
		Cosine:   result.Number(cosine), QueryVariance: result.Number(vq), KeyVariance: result.Number(vk),
		Largest: result.Number(largest), Participation: result.Absent(), meansRatio: result.Number(meansRatio),
	}
	if d == 1 || !(variance.Value > 0) {
		out.Exponent = absent
	}
	if o.Paired {
		return out
	}
	within := columns[columnWithin].positive()
	for s, scale := range o.scales(d) {
		e := newEffect(parts, s, columns[firstColumns+s*perScale:])
		e.Scale, e.LogitSD = result.Number(scale), within.power(0.5, math.Abs(scale))
		out.Effects = append(out.Effects, e)
	}
	return out
}

// newEffect joins what the scale of an index makes of the rows of parts.
func newEffect(parts []Part, scale int, columns []mean) Effect {
	e := Effect{Keys: parts[0].keys}
	n, dead, limit, uniform := float64(len(parts)), 0, 0.0, 0.0
	for _, p := range parts {
		part := p.effects[scale]
		e.Rows += len(part.excess)
		e.PeakRatio += result.Number(part.peaks)
		limit += part.limit / n / float64(len(part.excess))
		uniform += part.uniform / n / float64(len(part.excess))
		dead += part.dead
	}
	e.PeakRatio /= result.Number(e.Rows)
	e.Dead = result.Number(float64(dead) / float64(e.Rows))
	e.Effective = columns[columnExcess].positive().decreasing(func(x float64) float64 { return 1 / (x + uniform) })
	e.Effective.SE *= e.Effective.Value * e.Effective.Value
	e.Entropy = columns[columnDeficit].positive().decreasing(func(x float64) float64 { return 1 - x })
	e.Limit = result.Number(1 / limit)
	e.Label = label(e.Effective, 1/limit, float64(e.Dead))
	return e
}

// label names rows by the interval of their effective keys, the limit of these, and the proportion of
// dead rows.
func label(effective Estimate, limit, dead float64) string {
	switch {
	case float64(effective.Lo) >= limit:
		return names.LabelSpread
	case !(float64(effective.Hi) < limit): // the error may not be known
		return names.LabelSpread + " or " + names.LabelConcentrated
	case dead > 0.5:
		return names.LabelDead
	}
	return names.LabelConcentrated
}
