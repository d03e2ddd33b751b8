package series

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Line is a straight line through estimates, y = mean + Slope·(x − centre).
type Line struct {
	Slope result.Number `json:"slope"`
	SE    result.Number `json:"se"`
	Lo    result.Number `json:"lo"` // interval of the slope with tail probability α/2 on each side
	Hi    result.Number `json:"hi"`
	// FromScatter reports that the error is from the scatter of the files about the line, because
	// it is larger than the errors of the files explain.
	FromScatter bool `json:"from_scatter,omitempty"`
	// Layers is the number of layers from whose scatter the error of their mean slope was
	// estimated, or 0.
	Layers int `json:"layers,omitempty"`

	centre, mean, meanSE, quantile float64
}

// FitLine fits a line with weights 1/SE². The error of the slope follows from the errors of the
// estimates, which are assumed to be independent, times √(χ²/(n − 2)) if this is above 1, as the
// Particle Data Group does. It follows from the scatter about the line instead, with n − 2 degrees
// of freedom, if an estimate has no error, or if a χ² test rejects the line at 0.1 %. The line is
// absent for fewer than three points without errors, or fewer than two with errors.
func FitLine(x []float64, y []inspect.Estimate, alpha float64) Line {
	weights, values, dof := make([]float64, len(y)), make([]float64, len(y)), float64(inspect.MaxDoF)
	haveErrors := true
	for i, e := range y {
		values[i], weights[i] = float64(e.Value), 1/float64(e.SE*e.SE)
		haveErrors = haveErrors && e.SE.Present() && e.SE > 0
		dof = min(dof, e.DoF())
	}
	if !haveErrors {
		for i := range weights {
			weights[i] = 1
		}
	}
	absent := Line{Slope: result.Absent(), SE: result.Absent(), Lo: result.Absent(), Hi: result.Absent()}
	scatterDoF := float64(len(x) - 2)
	if scatterDoF < 0 || scatterDoF == 0 && !haveErrors {
		return absent
	}
	fit := fitLeastSquares(x, values, weights)
	if !(fit.square > 0) {
		return absent
	}
	chiSquare := 0.0
	for i := range x {
		residual := values[i] - fit.mean - float64(fit.slope*(x[i]-fit.centre))
		chiSquare += float64(weights[i] * residual * residual)
	}
	isFromScatter, factor := false, 1.0 // of the standard errors
	if scatterDoF > 0 {
		factor = math.Sqrt(chiSquare / scatterDoF)
		const minProbability = 0.001
		_, probability := elementary.Gamma(chiSquare/2, scatterDoF/2)
		if !haveErrors || probability < minProbability {
			isFromScatter, dof = true, scatterDoF
		} else {
			factor = max(1, factor)
		}
	}
	l := newLine(fit.slope, factor/math.Sqrt(fit.square), dof, alpha)
	l.FromScatter, l.centre, l.mean = isFromScatter, fit.centre, fit.mean
	l.meanSE = factor / math.Sqrt(elementary.Sum(weights))
	return l
}

// newLine returns a line with the given slope, whose standard error has dof degrees of freedom.
func newLine(slope, se, dof, alpha float64) Line {
	quantile := theory.StudentQuantile(alpha/2, dof)
	halfWidth := float64(quantile * se)
	return Line{Slope: result.Number(slope), SE: result.Number(se), Lo: result.Number(slope - halfWidth),
		Hi: result.Number(slope + halfWidth), quantile: quantile}
}

// leastSquares is a weighted least-squares line y = mean + slope·(x − centre). The slope is 0 if
// all x are equal.
type leastSquares struct {
	centre, mean, slope float64
	square              float64 // Σ weight·(x − centre)²
}

func fitLeastSquares(x, y, weights []float64) (f leastSquares) {
	total, product := elementary.Sum(weights), 0.0
	f.centre, f.mean = elementary.Dot(weights, x)/total, elementary.Dot(weights, y)/total
	for i := range x {
		distance := x[i] - f.centre
		f.square += float64(weights[i] * distance * distance)
		product += float64(weights[i] * distance * (y[i] - f.mean))
	}
	if f.square > 0 {
		f.slope = product / f.square
	}
	return f
}

// meanLine returns the mean of the slopes of layers. The error is from their scatter, which
// includes the differences between models that the errors of the files do not explain.
func meanLine(layers []Line, alpha float64) Line {
	var slopes []float64
	for _, l := range layers {
		slopes = append(slopes, float64(l.Slope))
	}
	n, mean := float64(len(slopes)), elementary.Sum(slopes)/float64(len(slopes))
	square := 0.0
	for _, slope := range slopes {
		square += float64((slope - mean) * (slope - mean))
	}
	l := newLine(mean, math.Sqrt(square/(n-1)/n), n-1, alpha)
	l.Layers = len(layers)
	return l
}

// Crossing is the coordinate at which a quantity reaches a limit.
type Crossing struct {
	Limit float64       `json:"limit"`
	X     result.Number `json:"x"`  // absent if the limit is not reached
	Lo    result.Number `json:"lo"` // absent if there is no lower end
	Hi    result.Number `json:"hi"` // absent if there is no upper end
	How   string        `json:"how"`
}

// The ways in which a crossing is found.
const (
	CrossingBetween      = "between two files"
	CrossingBefore       = "at the first file or before it, as far as its error tells"
	CrossingOnLine       = "by the line through all files"
	CrossingExtrapolated = "extrapolated by the line"
	CrossingNever        = "not reached beyond its error, and no significant growth"
)

// FindCrossing returns the coordinate at which the largest logit of a layer reaches the limit. It
// interpolates linearly between the last file below the limit and the next, before the first file
// whose 95 % interval lies above it; the interval is from the crossings of the ends of the
// estimates' intervals. If only the lower ends cross it, only the upper end of the interval is
// known. If no interval lies above the limit and the slope is above 0, the crossing is computed from
// the line, and the interval is also the 95 % interval of Fieller (J. R. Stat. Soc. B 16, 1954).
func FindCrossing(points []Point, layer string, limit float64) Crossing {
	x, y := columns(points, layer, func(l Layer) inspect.Estimate { return l.MaxLogit })
	const level = 0.95
	reached := slices.IndexFunc(y, func(e inspect.Estimate) bool { return e.Lo >= result.Number(limit) })
	if reached < 0 {
		c := FitLine(x, y, 1-level).extrapolate(limit)
		if c.X.Present() && float64(c.X) <= x[len(x)-1] {
			c.How = CrossingOnLine
		}
		return c
	}
	// find returns the last crossing of the ends of the intervals, up to the file that reached it.
	find := func(end func(inspect.Estimate) result.Number) result.Number {
		for i := reached - 1; i >= 0; i-- {
			before, after := float64(end(y[i])), float64(end(y[i+1]))
			if before < limit && after >= limit {
				return result.Number(x[i] + float64((x[i+1]-x[i])*(limit-before))/(after-before))
			}
		}
		return result.Absent()
	}
	c := Crossing{limit, find(func(e inspect.Estimate) result.Number { return e.Value }),
		find(func(e inspect.Estimate) result.Number { return e.Hi }),
		find(func(e inspect.Estimate) result.Number { return e.Lo }), CrossingBetween}
	if !c.X.Present() {
		c.Lo, c.How = result.Absent(), CrossingBefore
		if !c.Hi.Present() {
			c.Hi = result.Number(x[0])
		}
	}
	return c
}

// extrapolate returns where the line reaches the limit.
func (l Line) extrapolate(limit float64) Crossing {
	c := Crossing{limit, result.Absent(), result.Absent(), result.Absent(), CrossingNever}
	if !l.Lo.Present() || l.Lo <= 0 {
		return c
	}
	slope, rise := float64(l.Slope), limit-l.mean
	c.X, c.How = result.Number(l.centre+rise/slope), CrossingExtrapolated
	// The ends solve (slope·u − rise)² = t²(meanSE² + u²SE²) for u = x − centre.
	t := l.quantile * l.quantile
	a := float64(slope*slope) - float64(t*float64(l.SE*l.SE))
	b, constant := float64(slope*rise), float64(rise*rise)-float64(t*float64(l.meanSE*l.meanSE))
	root := math.Sqrt(max(0, float64(b*b)-float64(a*constant)))
	c.Lo, c.Hi = result.Number(l.centre+(b-root)/a), result.Number(l.centre+(b+root)/a)
	return c
}
