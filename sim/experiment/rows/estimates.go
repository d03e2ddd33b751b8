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

// Theory returns the theory of the rows of a cell under a scaling, or false if it is not known.
type Theory func(experiment.Cell, Scaling) (theory.Softmax, bool)

// Estimates returns the estimates of rows under each scaling: means with the standard errors of
// independent rows or matrices, proportions, and quantiles. scalings must be in the order of the
// node. The cell's pilot determines which estimates have a standard error or an interval. gradients
// means that the rows have gradients; hard attention never has them.
func Estimates(
	c experiment.Cell, n moments.Node, scalings []Scaling, theoryOf Theory, gradients bool,
) (f experiment.CellEstimates) {
	pilot, matrixRows := c.Pilot(), MatrixRows(c)
	for i, s := range scalings {
		v := scalingView{
			cell:      c,
			scaling:   s,
			sums:      sumsOf(n, i, matrixRows),
			pilot:     readPilot(pilot, i, len(scalings), matrixRows),
			gradients: gradients && !s.Hard(),
		}
		v.theory, v.hasTheory = theoryOf(c, s)
		v.addMeans(&f)
		if v.gradients && matrixRows == 1 {
			v.addSignal(&f)
		}
		v.addProportions(&f)
		v.addQuantiles(&f)
	}
	return f
}

// scalingView has the data of a cell's rows under one scaling.
type scalingView struct {
	cell      experiment.Cell
	scaling   Scaling
	sums      sums
	pilot     pilotResult
	theory    theory.Softmax
	hasTheory bool // theory is known
	gradients bool // the rows have gradients
}

// estimate returns an estimate of the rows with the parameters of the scaling.
func (v scalingView) estimate(quantity string, n int64, value, se float64) result.Estimate {
	return v.cell.Estimate(quantity, n, value, se, v.scaling.Params())
}

// addMeans adds the means, with theory if it is known.
func (v scalingView) addMeans(f *experiment.CellEstimates) {
	for _, q := range Quantities {
		if q.Gradient && !v.gradients {
			continue
		}
		value, se := q.estimate(v.sums, float64(Keys(v.cell)))
		r := v.estimate(q.Name, v.sums.rowCount(), value, se)
		if v.hasTheory && q.Theory != nil {
			r.Theory, r.TheoryKind = result.Number(q.Theory(v.theory)), names.TheoryQuadrature
		}
		m := experiment.NewPilotMean(v.pilot.sums.matrices[q.column], v.sums.independentCount())
		if q.Gradient {
			m.ErrorOfError = max(m.ErrorOfError, ErrorOfMissingMoments(v.cell.Distribution()))
		}
		AddMean(f, v.scaling, r, m)
	}
}

// ErrorOfMissingMoments returns the ErrorOfError of the mean of numbers that grow as the square of
// a component of a query or a key with distribution d. It is NaN if the fourth moment of d is
// infinite, since the standard error does not exist then; infinite if only the eighth moment is
// infinite; and otherwise 0.
func ErrorOfMissingMoments(d distribution.Distribution) float64 {
	switch {
	case !d.HasIndependentComponents(): // the components of a point on the sphere are bounded
	case math.IsInf(d.Moment(4), 1):
		return math.NaN()
	case math.IsInf(d.Moment(8), 1):
		return math.Inf(1)
	}
	return 0
}

// AddMean adds a mean with the standard error of the sample, if the pilot's prediction m allows it.
// If the factor of the scaling is 0, all weights are equal, so the interval has no width. (At
// temperature 0 a degenerate pilot does not prove this, since keys can tie for the largest score in
// float32.)
func AddMean(f *experiment.CellEstimates, s Scaling, r result.Estimate, m experiment.PilotMean) {
	if m.Degenerate && s.Factor == 0 {
		r.SE = 0
		r.Lo, r.Hi, r.Level = r.Value, r.Value, experiment.Level
		f.Estimates = append(f.Estimates, r)
		return
	}
	f.AddWithSampleError(r, m, experiment.MaxOwnErrorOfError)
}

// estimate returns the value of the quantity and its standard error for rows with this number of
// keys.
func (q Quantity) estimate(s sums, keys float64) (value, se float64) {
	independent := s.matrices[q.column]
	value = s.rows[q.column].Mean
	se = math.Sqrt(max(independent.Variance(), 0) / float64(independent.N))
	if q.transform != nil {
		factor, shift := q.transform(keys)
		value, se = float64(factor*value)+shift, math.Abs(factor)*se
	}
	if q.isRoot && value > 0 {
		value = math.Sqrt(value)
		se /= 2 * value // the derivative of √x is 1/(2√x)
	}
	return value, se
}

// addSignal adds the ratio of the mean to the standard deviation of the target's gradient, for N
// independent rows. With the ratio g, the skewness γ and the kurtosis κ of the gradient, the
// variance of the estimated ratio is (1 − gγ + g²(κ − 1)/4)/N to first order.
func (v scalingView) addSignal(f *experiment.CellEstimates) {
	target := v.sums.rows[meanTarget]
	sd := math.Sqrt(max(target.Variance(), 0))
	ratio := target.Mean / sd
	kurtosisTerm := float64(ratio*ratio) * (target.Standardised(4) - 1)
	variance := 1 - float64(ratio*target.Standardised(3)) + float64(kurtosisTerm/4) // times N
	r := v.estimate(names.TargetSignal, target.N, ratio, math.Sqrt(max(variance, 0)/float64(target.N)))
	if v.hasTheory {
		r.Theory, r.TheoryKind = result.Number(v.theory.TargetSignal()), names.TheoryQuadrature
	}
	m := experiment.NewPilotMean(v.pilot.sums.matrices[meanTargetSquare], target.N)
	m.ErrorOfError = max(m.ErrorOfError, ErrorOfMissingMoments(v.cell.Distribution()))
	AddMean(f, v.scaling, r, m)
}

// eventNames has the quantities of the counted events.
var eventNames = [Events]string{
	names.MaxWeightAbove90Percent, names.MaxWeightAbove99Percent,
	names.ConcentratedShare, names.DeadShare, names.IdleTargetShare,
}

// addProportions adds the proportions of rows with each event. If rows are independent, the
// intervals are the exact ones of a binomial count. If rows share keys, the intervals are
// Student's, from the scatter of matrices. If few events are expected, there is no standard error.
// The interval of rows that share keys then follows from the number of matrices with an event,
// since between one row and all rows of such a matrix have the event.
func (v scalingView) addProportions(f *experiment.CellEstimates) {
	s := v.sums
	for i, name := range eventNames {
		needsKeyGradient, needsTargetGradient := i == dead, i == idle
		if needsKeyGradient && v.scaling.Hard() || needsTargetGradient && !v.gradients {
			continue
		}
		value, scatter := s.proportion(i)
		few, rare := v.pilot.hasFewEvents(i, s.independentCount())
		r := v.estimate(name, s.rowCount(), value, s.proportionSE(i))
		if few {
			r.SE = result.Absent()
		}
		var lo, hi float64
		tail := (1 - experiment.Level) / 2
		switch {
		case s.matrixRows == 1:
			lo, hi = theory.ClopperPearson(s.events[i], s.rowCount(), tail)
		case few && rare:
			lo, hi = theory.ClopperPearson(scatter.withEvent, s.independentCount(), tail)
			lo /= float64(s.matrixRows)
		case few:
			lo, hi = theory.ClopperPearson(scatter.withoutEvent, s.independentCount(), tail)
			lo, hi = 1-hi, 1-lo/float64(s.matrixRows)
		default:
			halfWidth := float64(s.studentZ() * float64(r.SE))
			lo, hi = max(0, value-halfWidth), min(1, value+halfWidth)
		}
		r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), experiment.Level
		f.Estimates = append(f.Estimates, r)
	}
}
