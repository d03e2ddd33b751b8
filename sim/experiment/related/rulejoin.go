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

// finishRules adds the slope of each rule's variance and whether it is flat, and the
// lines of theory.
func finishRules(sampled experiment.SampledCells, doc *result.Document) error {
	for _, line := range rulesLines(sampled.Cells) {
		for _, r := range rules(line[0]) {
			found := slopeEstimates(line[0], r, doc)
			doc.Estimates = append(doc.Estimates, found.Estimates...)
			doc.Warnings = append(doc.Warnings, found.Warnings...)
			doc.Curves = append(doc.Curves, ruleCurve(line, r))
			doc.AddScheme(result.Scheme{Experiment: line[0].Experiment.Name, Name: r.String(), Source: r.Source(),
				Logit: r.Formula()})
		}
	}
	return nil
}

// rulesLines returns the cells that differ in d_k alone.
func rulesLines(cells []experiment.Cell) [][]experiment.Cell {
	return experiment.GroupLines(cells,
		func(c experiment.Cell) string { return fmt.Sprint(c.Distribution(), rows.Keys(c), rules(c)) })
}

// logitSlope returns the slope of ln Var on ln d_k of a rule over the cells that a
// point stands for: d_k ≥ 2, and only variances that have an interval.
func logitSlope(point experiment.Cell, r rule.Rule, doc *result.Document) (s experiment.Slope) {
	params := point.Params(result.Params{names.ParamRule: r.String()})
	for row := range doc.Rows(point.Experiment.Name, names.LogitVariance, params) {
		if d, _ := row.Params.Number(names.ParamDimension); d >= 2 && row.Level.Present() {
			s.Add(d, float64(row.Value), float64(row.SE/row.Value), row.N)
		}
	}
	return s
}

// slopeEstimates: the slope, and whether the variance is flat: 1 if the interval
// of the slope lies within the tolerance of 0, 0 if it lies outside.
func slopeEstimates(c experiment.Cell, r rule.Rule, doc *result.Document) experiment.CellEstimates {
	point := linePoint(c)
	var f experiment.CellEstimates
	points := logitSlope(point, r, doc)
	value, se := points.FitLine()
	want := r.Slope(c.Distribution())
	params := result.Params{rows.AllRulesAxis.Name: r.String()}
	slope := point.Estimate(names.LogitVarianceSlope, points.N, value, se, params)
	slope.Theory, slope.TheoryKind = result.Number(want.Value), want.Kind
	if math.IsNaN(value) {
		f.Warn(slope,
			fmt.Sprintf("no slope under the rule %v: it needs two dimensions of at least 2 with an interval", r))
	}
	slope = experiment.Interval(slope)
	flat := point.Estimate("flat", points.N, verdictOf(slope, c.Tolerance), 0, params)
	exact := result.Estimate{Lo: result.Number(want.Value), Hi: result.Number(want.Value)}
	flat.Theory, flat.TheoryKind = result.Number(verdictOf(exact, c.Tolerance)), want.Kind
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

// linePoint stands for the cells of the line that a cell is in.
func linePoint(c experiment.Cell) experiment.Cell {
	id := fmt.Sprintf("%s/%v/d_k=*/keys=%d", c.Experiment.Name, c.Distribution(), rows.Keys(c))
	return c.Aggregate(id, names.ParamDistribution, names.ParamKeys)
}

// verdictOf is 1 for a slope whose interval lies within the tolerance of 0, 0
// for one whose interval lies outside, and else NaN.
func verdictOf(slope result.Estimate, tolerance float64) float64 {
	lo, hi := float64(slope.Lo), float64(slope.Hi)
	switch {
	case lo >= -tolerance && hi <= tolerance:
		return 1
	case lo > tolerance || hi < -tolerance:
		return 0
	}
	return math.NaN()
}

// ruleCurve returns the line of theory of a rule's variance.
func ruleCurve(line []experiment.Cell, r rule.Rule) result.Curve {
	s := setting(line[0])
	var t rule.Theory
	x, params := experiment.CurveDimensions(line, experiment.SmoothPerOctave),
		linePoint(line[0]).Params(result.Params{names.ParamRule: r.String()})
	curve := experiment.NewCurve(line, x, "", names.LogitVariance, params, func(d int) float64 {
		s.D = d
		t = r.Variance(s)
		return t.Value
	})
	curve.Kind = t.Kind
	return curve
}
