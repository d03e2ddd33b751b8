package rows

import (
	"fmt"
	"math"

	"mcsim/sim/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// AddRows adds what rows became under one scaling: means with the errors of
// independent rows or matrices, shares, and quantiles.
func AddRows(f *experiment.Findings, c experiment.Cell, s Scaling, n Sums, t theory.Softmax, known, gradient bool) {
	AddMeans(f, c, s, n, t, known, gradient)
	addShares(f, c, s, n)
	addQuantiles(f, c, s, n, gradient)
}

// AddMeans adds the means, with theory where it is known.
func AddMeans(f *experiment.Findings, c experiment.Cell, s Scaling, n Sums, t theory.Softmax, known, gradient bool) {
	keys := float64(Keys(c))
	for _, q := range MeanQuantities {
		if q.Gradient && !gradient {
			continue
		}
		r, errorOfError := q.row(c, s, n, keys)
		if known && q.Theory != nil {
			r.Theory, r.TheoryKind = result.Number(q.Theory(t)), names.TheoryQuadrature
		}
		AddMean(f, r, errorOfError, s.IsLimit())
	}
}

// addQuantiles adds the quantiles of the histograms.
func addQuantiles(f *experiment.Findings, c experiment.Cell, s Scaling, n Sums, gradient bool) {
	for _, q := range quantileQuantities(float64(Keys(c))) {
		if q.gradient && !gradient {
			continue
		}
		for _, p := range QuantilePoints {
			at := p
			if q.falling {
				at = 1 - p
			}
			quantile(f, Scaled(c, s, names.Quantile(q.name, p), n.Rows[0].N, math.NaN(), math.NaN()), n.histograms[q.histogram], at, n.Matrix, q.back)
		}
	}
}

// AddMean adds a mean with its own error. One that does not vary has none: in a
// limit of the temperature its interval is one number, elsewhere the rows are too few. Nor has
// one whose rare rows were not seen, or seen once.
func AddMean(f *experiment.Findings, r result.Estimate, errorOfError float64, limit bool) {
	switch {
	case r.SE != 0 && errorOfError > uselessError:
		r.SE = result.Absent()
		text := "no error: the powers that tell how well it is known were lost"
		if !math.IsInf(errorOfError, 1) {
			text = fmt.Sprintf("no error: it rests on few rows, and would be known to %.0f %% only", 100*errorOfError)
		}
		f.AddWithout(r, text)
	case r.SE != 0:
		f.AddOwn(r, errorOfError)
	case limit:
		r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
		f.Rows = append(f.Rows, r)
	default:
		r.SE = result.Absent()
		f.AddWithout(r, "no two rows differ in it by more than the rounding of float32, so its error is not known")
	}
}

// row is the estimate of a mean, and the relative error of its standard error.
func (q MeanQuantity) row(c experiment.Cell, s Scaling, n Sums, keys float64) (result.Estimate, float64) {
	rows, independent := n.Rows[q.column], n.Matrices[q.column]
	m := float64(independent.N)
	value := rows.Mean
	se := math.Sqrt(max(independent.Variance(), 0) / m)
	if q.of != nil {
		factor, shift := q.of(keys)
		value, se = float64(factor*value)+shift, math.Abs(factor)*se
	}
	if q.root && value > 0 {
		value = math.Sqrt(value)
		se /= 2 * value
	}
	errorOfError := experiment.RelativeError(independent)
	if se <= float64(math.Abs(value)*Rounding) {
		se = 0
	}
	return Scaled(c, s, q.Name, rows.N, value, se), errorOfError
}

// Rounding is the relative error below which the rounding of float32 sums over
// keys, which all rows may have in common, is not small against it: it was found
// to move means of nearly equal weights by up to 4·10⁻¹⁰.
const Rounding = 1e-9

// uselessError is the relative error of a standard error above which that is not given
// at all: a mean that one row of n makes has one known to 50 %.
const uselessError = 0.3

// shareNames are the names of the events that are counted.
var shareNames = [Shares]string{
	names.MaxWeightAbove90Percent, names.MaxWeightAbove99Percent,
	names.HealthyShare, names.FadingShare, names.DyingShare, names.DeadShare,
}

// addShares adds the shares of rows. Their intervals are the exact ones of a
// binomial count; where rows share keys, all rows of a matrix count as one.
func addShares(f *experiment.Findings, c experiment.Cell, s Scaling, n Sums) {
	for i, name := range shareNames {
		rows := n.Rows[0].N
		share := float64(n.shares[i]) / float64(rows)
		independent := rows / n.Matrix
		r := Scaled(c, s, name, rows, share, math.Sqrt(float64(share*(1-share))/float64(independent)))
		lo, hi := theory.ClopperPearson(int64(math.Round(float64(share*float64(independent)))), independent, (1-experiment.Level)/2)
		r.Lo, r.Hi, r.Level = result.Number(min(lo, share)), result.Number(max(hi, share)), experiment.Level
		f.Rows = append(f.Rows, r)
	}
}

// quantileQuantity is a quantity whose quantiles are reported, and how a logit
// becomes its value; falling if that falls while the logit rises.
type quantileQuantity struct {
	name              string
	histogram         int
	back              func(logit float64) float64
	falling, gradient bool
}

// quantileQuantities lists the quantities of a row of so many keys that have quantiles.
func quantileQuantities(keys float64) []quantileQuantity {
	survival := 1 - 1/keys
	collision := func(r float64) float64 { return 1 - float64(survival*r) }
	effective := func(r float64) float64 { return 1 / collision(r) }
	return []quantileQuantity{
		{name: names.MaxWeight, histogram: histWeight, back: logistic},
		{name: names.EntropyRatio, histogram: histEntropy, back: logistic},
		{name: names.Collision, histogram: histSurvival, back: func(logit float64) float64 { return collision(logistic(logit)) }, falling: true},
		{name: names.EffectiveKeys, histogram: histSurvival, back: func(logit float64) float64 { return effective(logistic(logit)) }},
		{name: names.GradientSurvival, histogram: histSurvival, back: logistic},
		{name: names.JacobianNorm, histogram: histJacobian, back: logistic},
		{name: names.OffPeakTrace, histogram: histOffPeak, back: logistic},
		{name: names.KeyGradient, histogram: histKey, back: elementary.Exp, gradient: true},
		{name: names.QueryGradient, histogram: histQuery, back: elementary.Exp, gradient: true},
	}
}
