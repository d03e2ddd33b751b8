package scores

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Exponents measures the variance of q·k/d_k^p. It samples nothing: it reads the nodes of Variance,
// whose gates judge the variances. Slopes have no gate, since variances within their tolerances
// determine them.
var Exponents = experiment.New(experiment.Experiment{
	Name:      names.ExperimentExponents,
	ReadsFrom: names.ExperimentVariance,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, experiment.ExponentAxis,
		experiment.RuleAxis},
	Unit:      names.UnitPair,
	Probeable: true,
	Reader:    experiment.Reader{Estimates: ExponentEstimates, Finish: finishExponents},
})

// ExponentEstimates returns the variance after a division by each d_k^p and rule, from the node of
// a variance cell, and the exponent p that would give a variance of 1.
func ExponentEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m, s, d := n.Moments[0], newTheory(c), float64(c.Dimension())
	variance, se := m.Variance(), s.VarianceSE(m.N)
	if isGram(c) {
		variance = n.Moments[1].Mean // over matrices
	}
	var f experiment.CellEstimates
	add := func(r result.Estimate) { f.AddExact(r, s.ErrorOfError(m.N), s.VarianceSkew()) }
	for _, p := range c.Shared[names.ParamExponent] {
		scale := elementary.Pow(d, 2*p.Number)
		r := c.Estimate(names.ScaledVariance, m.N, variance/scale, se/scale,
			result.Params{names.ParamExponent: p.Number})
		add(experiment.WithTheory(r, ScaledTheory(d, p.Number)))
	}
	for _, rule := range c.Shared[names.ParamRule] {
		r := c.Estimate(names.ScaledVariance, m.N, variance/(d/2), se/(d/2), result.Params{names.ParamRule: rule.Name})
		add(experiment.WithTheory(r, 2))
	}
	if c.Dimension() > 1 {
		add(UnitExponent(c, m.N, variance, se, d))
	}
	return f
}

// ScaledTheory returns Var(q·k/d^p) = d^(1−2p).
func ScaledTheory(d, p float64) float64 { return elementary.Pow(d, 1-2*p) }

// UnitExponent returns the estimate of the p with x/d_k^2p = 1, p = ½ ln x/ln d_k, for a second
// moment x with the standard error se and the given expected value.
func UnitExponent(c experiment.Cell, n int64, x, se, expected float64) result.Estimate {
	width := 2 * elementary.Log(float64(c.Dimension()))
	relative := se / expected
	y := elementary.Log(x) + float64(float64(relative*relative)/2) // corrects the bias of ln x, minus half its variance
	return experiment.WithTheory(c.Estimate(names.UnitExponent, n, y/width, relative/width),
		elementary.Log(expected)/width)
}

// Slopes collects the points of the slope of each distribution from the variance estimates:
// d_k ≥ 2, relative standard error at most 5 %, weights 1/Var(ln s²).
func Slopes(doc *result.Document) map[string]*experiment.Slope {
	slopes := map[string]*experiment.Slope{}
	for r := range doc.Rows(names.ExperimentVariance, names.ScoreVariance, nil) {
		distribution, _ := r.Params.Text(names.ParamDistribution)
		if slopes[distribution] == nil {
			slopes[distribution] = &experiment.Slope{}
		}
		if d, _ := r.Params.Number(names.ParamDimension); d >= 2 {
			s, points := slopes[distribution], len(slopes[distribution].X)
			s.Add(d, float64(r.Value), float64(r.SE/r.Theory), r.N)
			if len(s.X) > points && !slices.Contains(s.Estimators, r.Estimator) {
				s.Estimators = append(s.Estimators, r.Estimator)
			}
		}
	}
	return slopes
}

// finishExponents adds the slopes, the flat exponents and the curves of theory.
func finishExponents(sampled experiment.SampledCells, doc *result.Document) error {
	slopes := Slopes(doc)
	for _, line := range experiment.GroupBy(sampled.Cells, experiment.Cell.Distribution) {
		l := line[0].Distribution()
		slope := cmp.Or(slopes[l.String()], &experiment.Slope{})
		value, se := slope.FitLine()
		if math.IsNaN(value) {
			doc.Warnings = append(doc.Warnings, result.Warning{Cell: slopeCellID(l), Quantity: names.VarianceSlope,
				Text: "no slope: it needs two dimensions of at least 2 with a standard error of s² below 5 %"})
			continue
		}
		point := newSlopeCell(line)
		addEstimate := func(quantity string, value, se, theory float64, params ...result.Params) {
			r := point.Estimate(quantity, slope.N, value, se, params...)
			if len(slope.Estimators) > 0 {
				r.Estimator = strings.Join(slope.Estimators, "+")
			}
			doc.Estimates = append(doc.Estimates, experiment.Interval(experiment.WithTheory(r, theory)))
		}
		for _, p := range sampled.Cells[0].Shared[names.ParamExponent] {
			addEstimate(names.VarianceSlope, value-2*p.Number, se, 1-2*p.Number,
				result.Params{names.ParamExponent: p.Number})
		}
		addEstimate(names.FlatExponent, value/2, se/2, 0.5)
	}
	doc.Curves = append(doc.Curves, exponentCurves(sampled.Cells)...)
	return nil
}

// slopeCellID returns the cell id of the slope of a distribution.
func slopeCellID(l distribution.Distribution) string {
	return names.ExperimentVariance + "/" + l.String() + "/d_k=*"
}

// newSlopeCell returns the aggregate of a distribution's cells.
func newSlopeCell(line []experiment.Cell) experiment.Cell {
	return line[0].Aggregate(slopeCellID(line[0].Distribution()), names.ParamDistribution)
}

// exponentCurves returns the curves of theory: each scaled variance over d_k, and the slope over p.
func exponentCurves(cells []experiment.Cell) []result.Curve {
	var curves []result.Curve
	addCurve := func(axis string, value experiment.AxisValue, y func(d int) float64) {
		curves = append(curves, experiment.NewCurve(cells, experiment.Dimensions(cells), names.TheoryExact,
			names.ScaledVariance, result.Params{axis: value.Any()}, y))
	}
	slope := result.Curve{Experiment: names.ExperimentExponents, Quantity: names.VarianceSlope, Params: result.Params{},
		Axis: names.ParamExponent, Kind: names.TheoryExact}
	for _, p := range cells[0].Shared[names.ParamExponent] {
		addCurve(names.ParamExponent, p, func(d int) float64 { return ScaledTheory(float64(d), p.Number) })
		slope.X = append(slope.X, result.Number(p.Number))
	}
	for _, rule := range cells[0].Shared[names.ParamRule] {
		addCurve(names.ParamRule, rule, func(int) float64 { return 2 })
	}
	return append(curves, experiment.FillCurve(slope, func(p float64) float64 { return 1 - 2*p }))
}
