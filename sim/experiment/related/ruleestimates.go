package related

import (
	"fmt"
	"math"

	"mcsim/sim/attention/rule"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// rulesEstimates returns the variances of the logits under each rule. Those of rules that
// multiply the score follow from the one column of scores; any other has its own.
func rulesEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	next, pilot, m, s := 1, c.Pilot(), n.Moments[0], theory.NewScore(c.Distribution(), c.Dimension())
	for _, r := range rules(c) {
		if factor, ok := r.Factor(c.Dimension(), rows.Keys(c)); ok {
			square := float64(factor * factor) // whose error is exact
			variance := logitEstimate(c, r, m.N, m.Variance()*square, s.VarianceSE(m.N)*square)
			f.AddExactDegenerate(variance, s.ErrorOfError(m.N), s.VarianceSkew())
			continue
		}
		addLogit(&f, c, r, n.Moments[next], pilot.Moments[next])
		next++
	}
	return f
}

// logitEstimate begins the estimate of the variance of a rule, with its theory.
func logitEstimate(c experiment.Cell, r rule.Rule, n int64, value, se float64) result.Estimate {
	row := c.Estimate(names.LogitVariance, n, value, se, result.Params{rows.AllRulesAxis.Name: r.String()})
	want := r.Variance(setting(c))
	row.Theory, row.TheoryKind = result.Number(want.Value), want.Kind
	return row
}

// setting returns what the cell's logits are made of.
func setting(c experiment.Cell) rule.Setting {
	return rule.Setting{Distribution: c.Distribution(), D: c.Dimension(), Keys: rows.Keys(c)}
}

// addLogit adds the mean square of the logits of any other rule, with its own
// error: over pairs, or over sets of weights. The pilot says how well that is known.
func addLogit(f *experiment.CellEstimates, c experiment.Cell, r rule.Rule, m, pilot moments.Moments) {
	row := logitEstimate(c, r, m.N, m.Mean, math.Sqrt(max(m.Variance(), 0)/float64(m.N)))
	if r.HasConstantSquare(setting(c)) {
		f.AddConstant(row, fmt.Sprintf("no interval under the rule %v: it does not vary beyond rounding", r))
		return
	}
	known, limit := experiment.NewPilotMean(pilot, m.N), experiment.MaxOwnErrorOfError
	if r.IsAdditive() {
		limit = experiment.MaxMeanErrorOfError
	}
	if r.IsUnbounded() {
		known.ErrorOfError = max(known.ErrorOfError, rows.ErrorOfMissingMoments(c.Distribution()))
	}
	before := len(f.Warnings)
	f.AddWithSampleError(row, known, limit)
	for i := range f.Warnings[before:] { // a cell has many rules
		w := &f.Warnings[before+i]
		w.Text = fmt.Sprintf("under the rule %v: %s", r, w.Text)
	}
}
