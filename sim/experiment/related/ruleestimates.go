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

// ruleEstimates returns the variance of the logits under each rule. The variances of rules that
// multiply the score follow from the column of scores; each other rule has its own column.
func ruleEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	pilot, m, s := c.Pilot(), n.Moments[0], theory.NewScore(c.Distribution(), c.Dimension())
	column := 1 // of the next rule with its own column
	for _, r := range cellRules(c) {
		if factor, ok := r.Factor(c.Dimension(), rows.Keys(c)); ok {
			squaredFactor := float64(factor * factor)
			variance := newLogitEstimate(c, r, m.N, m.Variance()*squaredFactor, s.VarianceSE(m.N)*squaredFactor)
			f.AddExactDegenerate(variance, s.ErrorOfError(m.N), s.VarianceSkew())
			continue
		}
		addMeanSquare(&f, c, r, n.Moments[column], pilot.Moments[column])
		column++
	}
	return f
}

// newLogitEstimate returns an estimate of the variance of the logits under a rule, with its theory.
func newLogitEstimate(c experiment.Cell, r rule.Rule, n int64, value, se float64) result.Estimate {
	estimate := c.Estimate(names.LogitVariance, n, value, se, result.Params{rows.AllRulesAxis.Name: r.String()})
	expected := r.Variance(cellSetting(c))
	estimate.Theory, estimate.TheoryKind = result.Number(expected.Value), expected.Kind
	return estimate
}

// cellSetting returns the distribution, d_k and the number of keys of the cell.
func cellSetting(c experiment.Cell) rule.Setting {
	return rule.Setting{Distribution: c.Distribution(), D: c.Dimension(), Keys: rows.Keys(c)}
}

// addMeanSquare adds the mean square of the logits of a rule with its own column. Its standard
// error comes from the scatter of pairs, or of sets of weights if the rule is additive. The pilot
// predicts how well the standard error is known.
func addMeanSquare(f *experiment.CellEstimates, c experiment.Cell, r rule.Rule, m, pilot moments.Moments) {
	estimate := newLogitEstimate(c, r, m.N, m.Mean, math.Sqrt(max(m.Variance(), 0)/float64(m.N)))
	if r.HasConstantSquare(cellSetting(c)) {
		f.AddConstant(estimate, fmt.Sprintf("no interval under the rule %v: it does not vary beyond rounding", r))
		return
	}
	predicted, limit := experiment.NewPilotMean(pilot, m.N), experiment.MaxOwnErrorOfError
	if r.IsAdditive() {
		limit = experiment.MaxMeanErrorOfError
	}
	if r.IsUnbounded() {
		predicted.ErrorOfError = max(predicted.ErrorOfError, rows.ErrorOfMissingMoments(c.Distribution()))
	}
	warningCount := len(f.Warnings)
	f.AddWithSampleError(estimate, predicted, limit)
	for i := range f.Warnings[warningCount:] { // name the rule, since a cell has many
		w := &f.Warnings[warningCount+i]
		w.Text = fmt.Sprintf("under the rule %v: %s", r, w.Text)
	}
}
