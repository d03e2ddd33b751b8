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

// Exponents measures the variance of q·k/d_k^p. It does not sample anything but reads the nodes of
// Variance, whose gates judge the variances. The slopes do not have gates, since they follow from
// the variances.
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
	m, exact, d := n.Moments[0], newTheory(c), float64(c.Dimension())
	variance, se := m.Variance(), exact.VarianceSE(m.N)
	if isGram(c) {
		variance = n.Moments[1].Mean // mean over matrices of the mean of S²
	}
	var f experiment.CellEstimates
	add := func(r result.Estimate) { f.AddExact(r, exact.ErrorOfError(m.N), exact.VarianceSkew()) }
	for _, p := range c.Shared[names.ParamExponent] {
		scale := elementary.Pow(d, 2*p.Number)
		r := c.Estimate(names.ScaledVariance, m.N, variance/scale, se/scale,
			result.Params{names.ParamExponent: p.Number})
		add(experiment.WithTheory(r, ScaledTheory(d, p.Number)))
	}
	for _, rule := range c.Shared[names.ParamRule] {
		scale := d / 2 // RuleAxis has only the rule √(d_k/2)
		r := c.Estimate(names.ScaledVariance, m.N, variance/scale, se/scale, result.Params{names.ParamRule: rule.Name})
		add(experiment.WithTheory(r, halfRootVariance))
	}
	if c.Dimension() > 1 {
		add(UnitExponent(c, m.N, variance, se, d))
	}
	return f
}

// halfRootVariance is Var(q·k/√(d/2)) = d/(d/2).
const halfRootVariance = 2

// ScaledTheory returns Var(q·k/d^p) = d^(1−2p).
func ScaledTheory(d, p float64) float64 { return elementary.Pow(d, 1-2*p) }

// UnitExponent returns the estimate of the exponent p with x/d_k^(2p) = 1, p = ln x/(2 ln d_k),
// where x is a second moment with the standard error se and the given expected value.
func UnitExponent(c experiment.Cell, n int64, x, se, expected float64) result.Estimate {
	twoLogD := 2 * elementary.Log(float64(c.Dimension()))
	relativeSE := se / expected
	logX := elementary.Log(x) + float64(float64(relativeSE*relativeSE)/2) // the bias of ln x is −relativeSE²/2
	return experiment.WithTheory(c.Estimate(names.UnitExponent, n, logX/twoLogD, relativeSE/twoLogD),
		elementary.Log(expected)/twoLogD)
}

// Slopes returns the slope of each distribution by its name. The points of a slope are the variance
// estimates with d_k ≥ 2 that [experiment.Slope.Add] accepts.
func Slopes(doc *result.Document) map[string]*experiment.Slope {
	slopes := map[string]*experiment.Slope{}
	for r := range doc.Rows(names.ExperimentVariance, names.ScoreVariance, nil) {
		distribution, _ := r.Params.Text(names.ParamDistribution)
		if slopes[distribution] == nil {
			slopes[distribution] = &experiment.Slope{}
		}
		if d, _ := r.Params.Number(names.ParamDimension); d >= 2 {
			s := slopes[distribution]
			pointsBefore := len(s.X)
			s.Add(d, float64(r.Value), float64(r.SE/r.Theory), r.N)
			isPoint := len(s.X) > pointsBefore
			if isPoint && !slices.Contains(s.Estimators, r.Estimator) {
				s.Estimators = append(s.Estimators, r.Estimator)
			}
		}
	}
	return slopes
}

// finishExponents adds the slopes, the flat exponents (with which the slope is 0) and the curves of
// theory.
func finishExponents(sampled experiment.SampledCells, doc *result.Document) error {
	slopes := Slopes(doc)
	for _, line := range experiment.GroupBy(sampled.Cells, experiment.Cell.Distribution) {
		dist := line[0].Distribution()
		slope := cmp.Or(slopes[dist.String()], &experiment.Slope{})
		value, se := slope.FitLine()
		if math.IsNaN(value) {
			doc.Warnings = append(doc.Warnings, result.Warning{Cell: slopeCellID(dist), Quantity: names.VarianceSlope,
				Text: "no slope: it needs two dimensions of at least 2 with a standard error of s² below 5 %"})
			continue
		}
		slopeCell := line[0].Aggregate(slopeCellID(line[0].Distribution()), names.ParamDistribution)
		addEstimate := func(quantity string, value, se, theory float64, params ...result.Params) {
			r := slopeCell.Estimate(quantity, slope.N, value, se, params...)
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

func slopeCellID(dist distribution.Distribution) string {
	return names.ExperimentVariance + "/" + dist.String() + "/d_k=*"
}

// exponentCurves returns the curves of theory: each scaled variance as a function of d_k, and the
// slope as a function of p.
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
		addCurve(names.ParamRule, rule, func(int) float64 { return halfRootVariance })
	}
	return append(curves, experiment.FillCurve(slope, func(p float64) float64 { return 1 - 2*p }))
}
