package inspect

import (
	"cmp"
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

	logSE, dof float64 // standard error of the logarithm, and degrees of freedom
	isMaximum  bool    // the estimate is a largest logit, see newMaximumEstimate
	reason     string  // why the number is not known
}

// HasOnlyBounds reports whether Lo and Hi are certain bounds, between which nothing is known.
func (e Estimate) HasOnlyBounds() bool { return e.Lo.Present() && !e.SE.Present() }

// undefined is the estimate of a number that is not defined.
var undefined = Estimate{Value: result.Absent(), SE: result.Absent(), Lo: result.Absent(), Hi: result.Absent(),
	logSE: 1, dof: 1}

// coverage is the confidence level of intervals.
const coverage = 0.95

// positiveEstimate returns the estimate of a number that is not negative. The interval is
// symmetric on the logarithmic scale, since variances are skewed.
func (m meanEstimate) positiveEstimate() Estimate {
	if math.IsNaN(m.se) {
		estimate := undefined
		estimate.Value = result.Number(m.value)
		return estimate
	}
	e := Estimate{Value: result.Number(m.value), SE: result.Number(m.se), logSE: m.logSE, dof: m.dof}
	lo, hi := e.interval((1 - coverage) / 2)
	e.Lo, e.Hi = result.Number(lo), result.Number(hi)
	return e
}

// interval returns the interval with the given tail probability on each side. The estimate must be
// positive or 0, unless it is a maximum.
func (e Estimate) interval(tail float64) (lo, hi float64) {
	if e.isMaximum {
		return e.maximumInterval(tail)
	}
	value := float64(e.Value)
	if value == 0 {
		return 0, 0
	}
	factor := elementary.Exp(theory.StudentQuantile(tail, e.dof) * e.logSE)
	return value / factor, value * factor
}

// scaledPower returns the estimate of factor·x^exponent.
func (e Estimate) scaledPower(exponent, factor float64) Estimate {
	switch {
	case e.Value == 0 && exponent < 0:
		return undefined
	case e.Value == 0:
		return Estimate{dof: e.dof}
	}
	value, absExponent := factor*elementary.Pow(float64(e.Value), exponent), math.Abs(exponent)
	return meanEstimate{value, absExponent * value * float64(e.SE/e.Value), absExponent * e.logSE,
		e.dof}.positiveEstimate()
}

// applyDecreasing returns the estimate of f(x) for a decreasing f. It does not change the standard
// error, which the caller must adapt.
func (e Estimate) applyDecreasing(f func(float64) float64) Estimate {
	apply := func(x result.Number) result.Number { return result.Number(f(float64(x))) }
	return Estimate{Value: apply(e.Value), SE: e.SE, Lo: apply(e.Hi), Hi: apply(e.Lo), logSE: e.logSE, dof: e.dof}
}

// Estimates holds the estimates of a head, or of the mean over heads.
type Estimates struct {
	Mean           result.Number `json:"score_mean"`
	Variance       Estimate      `json:"score_variance"`          // variance of q·k
	VarianceOverDK Estimate      `json:"score_variance_over_d_k"` // 1 for independent components of variance 1
	ScaledVariance Estimate      `json:"scaled_variance"`         // variance of the logits
	LogitSD        Estimate      `json:"logit_sd"`
	// UnitScale is the factor of q·k that leads to logits of variance 1.
	UnitScale  Estimate      `json:"unit_scale"`
	Exponent   Estimate      `json:"alignment_exponent"` // 1/2 for independent components, 1 for aligned ones
	MeanCosine result.Number `json:"mean_cosine"`        // q̄·k̄ over root mean square lengths

	QueryVariance result.Number    `json:"query_component_variance"` // variance of the components of queries
	KeyVariance   result.Number    `json:"key_component_variance"`
	MaxLogit      Estimate         `json:"max_logit"` // largest logit of a visible pair
	ByScale       []ScaleEstimates `json:"scales"`    // the requested scale first; nil if rows are paired
	Participation result.Number    `json:"head_participation,omitzero"`

	// independentRatio is the VarianceOverDK of independent components with the same means and
	// variances.
	independentRatio result.Number
}

// ScaleEstimates describes the rows after softmax under one scale.
type ScaleEstimates struct {
	Scale              result.Number `json:"factor"`
	LogitSD            Estimate      `json:"row_logit_sd"`          // square root of the mean variance within a row
	EffectiveKeys      Estimate      `json:"effective_keys"`        // 1 over the mean of Σα²
	EntropyRatio       Estimate      `json:"entropy_ratio"`         // mean of the entropy over ln n, for n keys
	EffectiveKeysLimit result.Number `json:"effective_keys_limit"`  // rows with fewer effective keys are concentrated
	PeakRatio          result.Number `json:"max_weight_times_keys"` // mean of the ratio; 1 if all weights are equal
	FirstKeyWeight     Estimate      `json:"first_key_weight"`      // mean weight of the first key
	SinkWeight         *Estimate     `json:"sink_weight,omitempty"` // mean weight of the sink; nil if there is none
	DeadProportion     result.Number `json:"dead_share"`            // proportion of dead rows
	Label              string        `json:"label"`
	Keys               int           `json:"keys"` // largest number of keys of a row
	Rows               int           `json:"rows"` // number of measured rows
}

// A head has several columns of values, with one value per text: columnsBeforeScales columns, then
// columnsPerScale columns for each scale.
const (
	columnVariance = iota
	columnExponent
	columnRowVariance
	columnsBeforeScales
)

// The columns of a scale: means of scaleSums.excesses, deficits, firstWeights and sinkWeights.
const (
	columnExcess = iota
	columnDeficit
	columnFirstWeight
	columnSinkWeight
	columnsPerScale
)

// newColumns returns the columns of values of a head, one value per text, and the terms of the
// first text for each column. The keys' components along the mean query shift the logits of all
// rows together. If they contribute much to the variance of rows, the error of softmax statistics
// is not known.
func newColumns(texts []HeadText) (values [][]float64, columnTerms []terms) {
	const maxMeanQueryProportion = 0.02
	first := texts[0]
	values = [][]float64{variancePseudoValues(texts), exponentPseudoValues(texts)}
	columnTerms = []terms{first.scoreTerms, first.exponentTerms}
	addColumn := func(t terms, value func(HeadText) float64) {
		var xs []float64
		for _, text := range texts {
			xs = append(xs, value(text))
		}
		values, columnTerms = append(values, xs), append(columnTerms, t)
	}
	addColumn(first.rowVarianceTerms, func(p HeadText) float64 { return p.RowVariance })
	for s := range first.byScale {
		excess := func(p HeadText) []float64 { return p.byScale[s].excesses }
		deficit := func(p HeadText) []float64 { return p.byScale[s].deficits }
		firstWeight := func(p HeadText) []float64 { return p.byScale[s].firstWeights }
		sinkWeight := func(p HeadText) []float64 { return p.byScale[s].sinkWeights }
		if len(sinkWeight(first)) == 0 {
			sinkWeight = firstWeight // a column that newScaleEstimates does not read
		}
		for _, rows := range []func(HeadText) []float64{excess, deficit, firstWeight, sinkWeight} {
			t := first.rowTerms(rows(first))
			if first.meanQueryProportion > maxMeanQueryProportion {
				t.factor = math.NaN() // so that the error is absent
			}
			addColumn(t, func(p HeadText) float64 { return elementary.Sum(rows(p)) / float64(len(rows(p))) })
		}
	}
	return values, columnTerms
}

// newEstimates joins the texts of one or of all heads; columns holds the mean of each column.
func newEstimates(headTexts []HeadText, heads int, columns []meanEstimate, o Options) Estimates {
	n := float64(len(headTexts))
	var meanScore, queryVariance, keyVariance, cosine, independentRatio float64
	d := headTexts[0].Dimension
	for _, text := range headTexts {
		meanScore += text.Mean / n
		queryVariance += text.QueryVariance / n
		keyVariance += text.KeyVariance / n
		cosine += text.MeanCosine / n
		independentRatio += text.IndependentVariance / n
	}
	variance := columns[columnVariance].positiveEstimate()
	estimates := Estimates{
		Mean: result.Number(meanScore), Variance: variance,
		VarianceOverDK: variance.scaledPower(1, 1/float64(d)),
		ScaledVariance: variance.scaledPower(1, float64(o.Scale*o.Scale)),
		LogitSD:        variance.scaledPower(0.5, math.Abs(o.Scale)), UnitScale: variance.scaledPower(-0.5, 1),
		Exponent:   columns[columnExponent].signedEstimate(),
		MeanCosine: result.Number(cosine), QueryVariance: result.Number(queryVariance),
		KeyVariance: result.Number(keyVariance),
		MaxLogit:    newMaximumEstimate(headTexts, heads, o.Scale), Participation: result.Absent(),
		independentRatio: result.Number(independentRatio),
	}
	if d == 1 || !(variance.Value > 0) {
		estimates.Exponent = undefined
	}
	if o.Paired {
		return estimates
	}
	rowVariance := columns[columnRowVariance].positiveEstimate()
	for s, scale := range o.scales(d) {
		e := newScaleEstimates(headTexts, s, columns[columnsBeforeScales+s*columnsPerScale:])
		e.Scale, e.LogitSD = result.Number(scale), rowVariance.scaledPower(0.5, math.Abs(scale))
		estimates.ByScale = append(estimates.ByScale, e)
	}
	return estimates
}

// newScaleEstimates joins the rows of texts under the scale of the given index.
func newScaleEstimates(headTexts []HeadText, index int, columns []meanEstimate) ScaleEstimates {
	e := ScaleEstimates{Keys: headTexts[0].keys}
	n, dead, limit, uniform := float64(len(headTexts)), 0, 0.0, 0.0
	for _, text := range headTexts {
		sums := text.byScale[index]
		e.Rows += len(sums.excesses)
		e.PeakRatio += result.Number(sums.peakRatioSum)
		limit += sums.limitSum / n / float64(len(sums.excesses))
		uniform += sums.uniformSum / n / float64(len(sums.excesses))
		dead += sums.deadRows
	}
	e.PeakRatio /= result.Number(e.Rows)
	e.DeadProportion = result.Number(float64(dead) / float64(e.Rows))
	keysOfExcess := func(excess float64) float64 { return 1 / (excess + uniform) }
	e.EffectiveKeys = columns[columnExcess].positiveEstimate().applyDecreasing(keysOfExcess)
	e.EffectiveKeys.SE *= e.EffectiveKeys.Value * e.EffectiveKeys.Value
	e.EntropyRatio = columns[columnDeficit].positiveEstimate().applyDecreasing(func(x float64) float64 { return 1 - x })
	e.FirstKeyWeight = columns[columnFirstWeight].positiveEstimate()
	if len(headTexts[0].byScale[index].sinkWeights) > 0 {
		sinkWeight := columns[columnSinkWeight].positiveEstimate()
		e.SinkWeight = &sinkWeight
	}
	e.EffectiveKeysLimit = result.Number(1 / limit)
	e.Label = labelRows(e.EffectiveKeys, 1/limit, float64(e.DeadProportion))
	return e
}

// labelRows returns the label of rows with the given interval of effective keys and the given
// proportion of dead rows. Rows with fewer effective keys than limit are concentrated.
func labelRows(effectiveKeys Estimate, limit, dead float64) string {
	const minKeys = 1 + 1e-9 // the number of effective keys cannot be lower, so it needs no error
	if effectiveKeys.Value <= minKeys {
		effectiveKeys.Hi = effectiveKeys.Value
	}
	switch {
	case float64(effectiveKeys.Lo) >= limit:
		return names.LabelSpread
	case !(float64(effectiveKeys.Hi) < limit): // also if the error is not known
		return names.LabelSpread + " or " + names.LabelConcentrated
	case dead > 0.5:
		return names.LabelDead
	}
	return names.LabelConcentrated
}

// MaxDoF is a number of degrees of freedom for which Student's distribution is nearly normal.
const MaxDoF = 1e9

// DoF returns the degrees of freedom of the standard error. They are MaxDoF if they are not set.
func (e Estimate) DoF() float64 { return cmp.Or(e.dof, MaxDoF) }

// Logarithm returns the estimate of ln x. It is undefined if x is not above 0.
func (e Estimate) Logarithm() Estimate {
	if !(e.Value > 0) {
		return undefined
	}
	logarithm := func(x result.Number) result.Number { return result.Number(elementary.Log(float64(x))) }
	return Estimate{Value: logarithm(e.Value), SE: result.Number(e.logSE), Lo: logarithm(e.Lo), Hi: logarithm(e.Hi),
		dof: e.dof}
}
