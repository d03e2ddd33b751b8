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

// Estimates returns the estimates of rows under each scaling: means with the errors of independent rows or
// matrices, shares, and quantiles. The pilot says which of them have an error or an interval. Hard
// attention has no gradients.
func Estimates(
	c experiment.Cell, n moments.Node, scalings []Scaling, theoryOf Theory, gradients bool,
) (f experiment.CellEstimates) {
	pilot, matrix := c.Pilot(), MatrixRows(c)
	for i, s := range scalings {
		v := view{cell: c, scaling: s, sums: sumsOf(n, i, matrix), learnt: learntOf(pilot, i, len(scalings), matrix),
			gradients: gradients && !s.Hard()}
		v.theory, v.known = theoryOf(c, s)
		v.addMeans(&f)
		if v.gradients && matrix == 1 {
			v.addSignal(&f)
		}
		v.addShares(&f)
		v.addQuantiles(&f)
	}
	return f
}

// view is the rows of a cell under one scaling.
type view struct {
	cell      experiment.Cell
	scaling   Scaling
	sums      sums
	learnt    learnt
	theory    theory.Softmax
	known     bool // there is theory
	gradients bool // the rows have gradients
}

// estimate begins an estimate of the rows.
func (v view) estimate(quantity string, n int64, value, se float64) result.Estimate {
	return Scaled(v.cell, v.scaling, quantity, n, value, se)
}

// addMeans adds the means, with theory if it is known.
func (v view) addMeans(f *experiment.CellEstimates) {
	for _, q := range Quantities {
		if q.Gradient && !v.gradients {
			continue
		}
		value, se := q.estimate(v.sums, float64(Keys(v.cell)))
		r := v.estimate(q.Name, v.sums.n(), value, se)
		if v.known && q.Theory != nil {
			r.Theory, r.TheoryKind = result.Number(q.Theory(v.theory)), names.TheoryQuadrature
		}
		m := experiment.NewPilotMean(v.learnt.sums.matrices[q.column], v.sums.independent())
		if q.Gradient {
			m.ErrorOfError = max(m.ErrorOfError, MissingMoments(v.cell.Distribution()))
		}
		AddMean(f, v.scaling, r, m)
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
func AddMean(f *experiment.CellEstimates, s Scaling, r result.Estimate, m experiment.PilotMean) {
	if m.Degenerate && s.Factor == 0 {
		r.SE = 0
		r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
		f.Estimates = append(f.Estimates, r)
		return
	}
	f.AddWithSampleError(r, m, experiment.MaxOwnErrorOfError)
}

// estimate returns the value of the quantity and its standard error.
func (q Quantity) estimate(s sums, keys float64) (value, se float64) {
	independent := s.matrices[q.column]
	value = s.rows[q.column].Mean
	se = math.Sqrt(max(independent.Variance(), 0) / float64(independent.N))
	if q.transform != nil {
		factor, shift := q.transform(keys)
		value, se = float64(factor*value)+shift, math.Abs(factor)*se
	}
	if q.root && value > 0 {
		value = math.Sqrt(value)
		se /= 2 * value
	}
	return value, se
}

// addSignal adds the mean of the target's gradient over its standard deviation, of independent
// rows. With the ratio g, skewness γ and kurtosis κ its variance is (1 − gγ + g²(κ − 1)/4)/N to
// first order.
func (v view) addSignal(f *experiment.CellEstimates) {
	target := v.sums.rows[meanTarget]
	deviation := math.Sqrt(max(target.Variance(), 0))
	signal := target.Mean / deviation
	fourth := float64(signal*signal) * (target.Standardised(4) - 1)
	variance := 1 - float64(signal*target.Standardised(3)) + float64(fourth/4)
	r := v.estimate(names.TargetSignal, target.N, signal, math.Sqrt(max(variance, 0)/float64(target.N)))
	if v.known {
		r.Theory, r.TheoryKind = result.Number(v.theory.TargetSignal()), names.TheoryQuadrature
	}
	m := experiment.NewPilotMean(v.learnt.sums.matrices[meanTargetSquare], target.N)
	m.ErrorOfError = max(m.ErrorOfError, MissingMoments(v.cell.Distribution()))
	AddMean(f, v.scaling, r, m)
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
func (v view) addShares(f *experiment.CellEstimates) {
	s := v.sums
	for i, name := range shareNames {
		if i == dead && v.scaling.Hard() || i == idle && !v.gradients {
			continue // gradients do not exist in the limit of no temperature
		}
		value, spread := s.share(i)
		few, rare := v.learnt.few(i, s.independent())
		r := v.estimate(name, s.n(), value, s.shareError(i))
		if few {
			r.SE = result.Absent()
		}
		var lo, hi float64
		tail := (1 - experiment.Level) / 2
		switch {
		case s.matrix == 1:
			lo, hi = theory.ClopperPearson(s.shares[i], s.n(), tail)
		case few && rare:
			lo, hi = theory.ClopperPearson(spread.some, s.independent(), tail)
			lo /= float64(s.matrix)
		case few:
			lo, hi = theory.ClopperPearson(spread.lacking, s.independent(), tail)
			lo, hi = 1-hi, 1-lo/float64(s.matrix)
		default:
			halfWidth := float64(s.studentZ() * float64(r.SE))
			lo, hi = max(0, value-halfWidth), min(1, value+halfWidth)
		}
		r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), experiment.Level
		f.Estimates = append(f.Estimates, r)
	}
}
