package experiment

import (
	"fmt"
	"math"

	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/rule"
	"mcsim/sim/theory"
)

func rulesFindings(c Cell, n moments.Node) Findings {
	var f Findings
	next := 1
	for _, r := range c.rules() {
		if factor, ok := r.Factor(c.Dimension(), c.keys()); ok {
			f.addFactor(c, r, float64(factor*factor), n.Moments[0])
			continue
		}
		f.addLogit(c, r, n.Moments[next])
		next++
	}
	return f
}

func (c Cell) logitRow(r rule.Rule, n int64, value, se float64) result.Estimate {
	row := c.row(names.LogitVariance, n, value, se, allRulesAxis.Name, r.String())
	want := r.Variance(c.setting())
	row.Theory, row.TheoryKind = result.Number(want.Value), string(want.Kind)
	return row
}

// setting is what the cell's logits are made of.
func (c Cell) setting() rule.Setting {
	return rule.Setting{Law: c.Law(), D: c.Dimension(), Keys: c.keys()}
}

// addFactor adds the variance under a rule that multiplies the score, with the
// exact error.
func (f *Findings) addFactor(c Cell, r rule.Rule, square float64, m moments.Moments) {
	s := theory.NewScore(c.Law(), c.Dimension())
	f.addSteady(c.logitRow(r, m.N, m.Variance()*square, s.VarianceSE(m.N)*square), s.ErrorOfError(m.N))
}

// addLogit adds the mean square of the logits of any other rule, with its own
// error: over pairs, or over sets of weights.
func (f *Findings) addLogit(c Cell, r rule.Rule, m moments.Moments) {
	row := c.logitRow(r, m.N, m.Mean, math.Sqrt(max(m.Variance(), 0)/float64(m.N)))
	if r.Constant(c.setting()) {
		f.addConstant(row, fmt.Sprintf("no interval under the rule %v: it does not vary beyond rounding", r))
		return
	}
	sure, limit := relativeError(m), maxOwnErrorOfError
	if r.Additive() {
		limit = maxMeanErrorOfError
	}
	if sure > limit {
		f.warn(row, fmt.Sprintf("no interval under the rule %v: its standard error is its own and not known to %.0f %%, as is needed", r, 100*limit))
		f.Rows = append(f.Rows, row)
		return
	}
	f.add(row, 0)
}
