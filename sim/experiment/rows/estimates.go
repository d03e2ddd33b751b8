package rows

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Theory is what is known of the rows of a cell under a scaling, false if nothing is.
type Theory func(experiment.Cell, Scaling) (theory.Softmax, bool)

// Estimates are what rows became under each scaling: means with the errors of independent
// rows or matrices, shares, and quantiles. The pilot says which of them have an error or an
// interval. Hard attention has no gradients.
func Estimates(
	c experiment.Cell, n moments.Node, all []Scaling, of Theory, gradients bool,
) (f experiment.CellEstimates) {
	pilot, matrix := c.Pilot(), MatrixRows(c)
	for i, s := range all {
		t, known := of(c, s)
		sums, learnt, gradient := SumsOf(n, i, matrix), LearntOf(pilot, i, len(all), matrix), gradients && !s.Hard()
		AddMeans(&f, c, s, sums, learnt, t, known, gradient)
		if gradient && matrix == 1 {
			addSignal(&f, c, s, sums, learnt, t, known)
		}
		addShares(&f, c, s, sums, learnt, gradient)
		addQuantiles(&f, c, s, sums, learnt, gradient)
	}
	return f
}

// AddMeans adds the means, with theory where it is known.
func AddMeans(
	f *experiment.CellEstimates, c experiment.Cell, s Scaling, n Sums, l Learnt, t theory.Softmax, known, gradient bool,
) {
	keys := float64(Keys(c))
	for _, q := range Quantities {
		if q.Gradient && !gradient {
			continue
		}
		r := q.row(c, s, n, keys)
		if known && q.Theory != nil {
			r.Theory, r.TheoryKind = result.Number(q.Theory(t)), names.TheoryQuadrature
		}
		m := experiment.MeanOf(l.sums.Matrices[q.column], n.independent())
		if q.Gradient {
			m.ErrorOfError = max(m.ErrorOfError, MissingMoments(c.Distribution()))
		}
		AddMean(f, s, r, m)
	}
}

// MissingMoments is infinite, as the error of a standard error, where the eighth moment of
// a component is, and NaN where the fourth is, without which there is no standard error:
// of numbers that grow as the square of a query or a key.
func MissingMoments(l distribution.Distribution) float64 {
	switch {
	case !l.Independent(): // the sphere's are bounded
	case math.IsInf(l.Moment(4), 1):
		return math.NaN()
	case math.IsInf(l.Moment(8), 1):
		return math.Inf(1)
	}
	return 0
}

// AddMean adds a mean with its own error, as far as that will be known by what its pilot
// says. Where all weights are equal whatever the scores its interval is one number. In the
// limit of no temperature it is not: keys may tie for the greatest, to float32.
func AddMean(f *experiment.CellEstimates, s Scaling, r result.Estimate, m experiment.Mean) {
	if m.Steady && s.Factor == 0 {
		r.SE = 0
		r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
		f.Estimates = append(f.Estimates, r)
		return
	}
	f.AddLearnt(r, m, experiment.MaxOwnErrorOfError)
}

// row is the estimate of a mean.
func (q Quantity) row(c experiment.Cell, s Scaling, n Sums, keys float64) result.Estimate {
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
	return Scaled(c, s, q.Name, rows.N, value, se)
}

// addSignal adds the mean of the target's gradient over its standard deviation, of independent
// rows. With the ratio g, skewness γ and kurtosis κ its variance is (1 − gγ + g²(κ − 1)/4)/N to
// first order.
func addSignal(
	f *experiment.CellEstimates, c experiment.Cell, s Scaling, n Sums, l Learnt, t theory.Softmax, known bool,
) {
	target := n.Rows[meanTarget]
	rows := float64(target.N)
	deviation := math.Sqrt(max(target.Variance(), 0))
	signal := target.Mean / deviation
	fourth := float64(signal*signal) * (target.Standard(4) - 1)
	variance := 1 - float64(signal*target.Standard(3)) + float64(fourth/4)
	r := Scaled(c, s, names.TargetSignal, target.N, signal, math.Sqrt(max(variance, 0)/rows))
	if known {
		r.Theory, r.TheoryKind = result.Number(t.TargetSignal()), names.TheoryQuadrature
	}
	m := experiment.MeanOf(l.sums.Matrices[meanTargetSquare], target.N)
	m.ErrorOfError = max(m.ErrorOfError, MissingMoments(c.Distribution()))
	AddMean(f, s, r, m)
}

// shareNames are the names of the events that are counted.
var shareNames = [Shares]string{
	names.MaxWeightAbove90Percent, names.MaxWeightAbove99Percent,
	names.ConcentratedShare, names.DeadShare, names.IdleTargetShare,
}

// addShares adds the shares of rows. Those of independent rows have the exact limits of a
// binomial count. Where rows share keys, the interval is Student's by the scatter of
// matrices; where few events are to be expected, there is no standard error, and the
// limits are those of the number of matrices with an event, each of which has one row
// with it at least and all rows at most.
func addShares(f *experiment.CellEstimates, c experiment.Cell, s Scaling, n Sums, l Learnt, gradient bool) {
	for i, name := range shareNames {
		if i == dead && s.Hard() || i == idle && !gradient {
			continue // gradients do not exist in the limit of no temperature
		}
		value, over := n.share(i)
		few, rare := l.few(i, n.independent())
		r := Scaled(c, s, name, n.N(), value, n.shareError(i))
		if few {
			r.SE = result.Absent()
		}
		var lo, hi float64
		tail := (1 - experiment.Level) / 2
		switch {
		case n.Matrix == 1:
			lo, hi = theory.ClopperPearson(n.shares[i], n.N(), tail)
		case few && rare:
			lo, hi = theory.ClopperPearson(over.some, n.independent(), tail)
			lo /= float64(n.Matrix)
		case few:
			lo, hi = theory.ClopperPearson(over.lacking, n.independent(), tail)
			lo, hi = 1-hi, 1-lo/float64(n.Matrix)
		default:
			half := float64(n.studentZ() * float64(r.SE))
			lo, hi = max(0, value-half), min(1, value+half)
		}
		r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), experiment.Level
		f.Estimates = append(f.Estimates, r)
	}
}
