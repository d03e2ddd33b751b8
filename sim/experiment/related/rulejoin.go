package related

import (
	"fmt"
	"math"

	"mcsim/sim/attention/rule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// finishRules adds for each rule the slope of the variance, whether the variance is flat, the curve
// of theory and the source and formula of the rule.
func finishRules(sampled experiment.SampledCells, doc *result.Document) error {
	for _, line := range groupRuleLines(sampled.Cells) {
		for _, r := range cellRules(line[0]) {
			slopes := newSlopeEstimates(line[0], r, doc)
			doc.Estimates = append(doc.Estimates, slopes.Estimates...)
			doc.Warnings = append(doc.Warnings, slopes.Warnings...)
			doc.Curves = append(doc.Curves, newRuleCurve(line, r))
			doc.AddScheme(result.Scheme{Experiment: line[0].Experiment.Name, Name: r.String(), Source: r.Source(),
				Logit: r.Formula()})
		}
	}
	return nil
}

// groupRuleLines groups the cells into lines that differ only in d_k.
func groupRuleLines(cells []experiment.Cell) [][]experiment.Cell {
	return experiment.GroupLines(cells,
		func(c experiment.Cell) string { return fmt.Sprint(c.Distribution(), rows.Keys(c), cellRules(c)) })
}

// collectSlope returns the slope of ln Var as a function of ln d_k under a rule. Its points are the
// cells of the aggregate with d_k ≥ 2 whose variances have an interval.
func collectSlope(aggregate experiment.Cell, r rule.Rule, doc *result.Document) (s experiment.Slope) {
	params := aggregate.Params(result.Params{names.ParamRule: r.String()})
	for estimate := range doc.Rows(aggregate.Experiment.Name, names.LogitVariance, params) {
		if d, _ := estimate.Params.Number(names.ParamDimension); d >= 2 && estimate.Level.Present() {
			s.Add(d, float64(estimate.Value), float64(estimate.SE/estimate.Value), estimate.N)
		}
	}
	return s
}

// newSlopeEstimates returns the slope of the variance under a rule, for the line of the cell c, and
// whether the variance is flat (see judgeFlatness).
func newSlopeEstimates(c experiment.Cell, r rule.Rule, doc *result.Document) experiment.CellEstimates {
	aggregate := lineAggregate(c)
	var f experiment.CellEstimates
	fit := collectSlope(aggregate, r, doc)
	value, se := fit.FitLine()
	expected := r.Slope(c.Distribution())
	params := result.Params{rows.AllRulesAxis.Name: r.String()}
	slope := aggregate.Estimate(names.LogitVarianceSlope, fit.N, value, se, params)
	slope.Theory, slope.TheoryKind = result.Number(expected.Value), expected.Kind
	if math.IsNaN(value) {
		f.Warn(slope,
			fmt.Sprintf("no slope under the rule %v: it needs two dimensions of at least 2 with an interval", r))
	}
	slope = experiment.Interval(slope)
	flat := aggregate.Estimate("flat", fit.N, judgeFlatness(slope, c.Tolerance), 0, params)
	theorySlope := result.Estimate{Lo: result.Number(expected.Value), Hi: result.Number(expected.Value)} // no width
	flat.Theory, flat.TheoryKind = result.Number(judgeFlatness(theorySlope, c.Tolerance)), expected.Kind
	if !flat.Value.Present() {
		flat.SE = result.Absent()
	}
	if slope.Value.Present() && !flat.Value.Present() {
		f.Warn(flat, fmt.Sprintf("not decided under the rule %v: the interval of the slope does not lie on one side "+
			"of the tolerance", r))
	}
	f.Estimates = append(f.Estimates, slope, flat)
	return f
}

// lineAggregate returns the aggregate of the cells on the line of c.
func lineAggregate(c experiment.Cell) experiment.Cell {
	id := fmt.Sprintf("%s/%v/d_k=*/keys=%d", c.Experiment.Name, c.Distribution(), rows.Keys(c))
	return c.Aggregate(id, names.ParamDistribution, names.ParamKeys)
}

// judgeFlatness returns 1 if the interval of the slope is inside ±tolerance, 0 if it is outside,
// and NaN if it is partly inside.
func judgeFlatness(slope result.Estimate, tolerance float64) float64 {
	lo, hi := float64(slope.Lo), float64(slope.Hi)
	switch {
	case lo >= -tolerance && hi <= tolerance:
		return 1
	case lo > tolerance || hi < -tolerance:
		return 0
	}
	return math.NaN()
}

// newRuleCurve returns the curve of theory of the variance under a rule. Its kind is the kind of
// theory at the largest d_k.
func newRuleCurve(line []experiment.Cell, r rule.Rule) result.Curve {
	setting := cellSetting(line[0])
	var last rule.Theory
	x := experiment.CurveDimensions(line, experiment.SmoothPerOctave)
	params := lineAggregate(line[0]).Params(result.Params{names.ParamRule: r.String()})
	curve := experiment.NewCurve(line, x, "", names.LogitVariance, params, func(d int) float64 {
		setting.D = d
		last = r.Variance(setting)
		return last.Value
	})
	curve.Kind = last.Kind
	return curve
}
