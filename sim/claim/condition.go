package claim

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// condition requires that a reading, or the quotient of two readings, lies in [minValue,
// maxValue).
type condition struct {
	reading
	divisor            *reading // nil if the reading is not divided
	requirement        string   // as written in the ledger
	minValue, maxValue float64  // infinite if the condition has no such bound
	// whether the row's interval must contain its theoretical value; then there are no bounds
	needsTheory bool
}

// reading refers to a row, to a number that a function computes, or, if row and call are nil, to
// the gates on a quantity.
type reading struct {
	row     *RowRef
	call    *call
	gatesOn [2]string // experiment and quantity
}

// String returns the text of a reading in a document.
func (r reading) String() string {
	switch {
	case r.row != nil:
		return r.row.Text
	case r.call == nil:
		return "gates on " + r.gatesOn[0] + "." + r.gatesOn[1]
	}
	var arguments []string
	for _, p := range r.call.parameters {
		if texts, ok := r.call.texts[p.name]; ok {
			arguments = append(arguments, p.name+"="+strings.Join(texts, " "))
		}
	}
	return r.call.name + "(" + strings.Join(arguments, ", ") + ")"
}

// evaluate returns the value of a reading and the interval of its possible values. why
// is empty unless the value cannot be determined.
func (r reading) evaluate(rows *result.Document) (value float64, bounds Interval, why string) {
	if r.row != nil {
		return evaluateRow(r.row, rows)
	}
	values, intervals := r.call.evaluate()
	return values[0], intervals[0], ""
}

// outcome is the result of judging one condition.
type outcome struct {
	status string
	value  float64
	bounds Interval
	why    string // reason for the status names.ConditionOpen
}

// newOpenOutcome returns the outcome of a condition that has no value.
func newOpenOutcome(why string) outcome {
	return outcome{names.ConditionOpen, math.NaN(), Interval{math.NaN(), math.NaN()}, why}
}

// judge compares the value of the reading with the thresholds.
func (c *condition) judge(rows *result.Document) outcome {
	if c.row == nil && c.call == nil {
		return judgeGates(c.gatesOn, rows.Gates)
	}
	value, bounds, why := c.evaluate(rows)
	if c.divisor != nil && why == "" {
		var divisor float64
		var divisorBounds Interval
		divisor, divisorBounds, why = c.divisor.evaluate(rows)
		value, bounds = value/divisor, bounds.divide(divisorBounds)
	}
	switch {
	case why != "":
		return newOpenOutcome(why)
	case !bounds.isFinite() && (c.row == nil || c.divisor != nil):
		return outcome{names.ConditionOpen, value, bounds, "is divided by what may be 0"}
	case c.needsTheory:
		return c.judgeTheory(rows, value, bounds)
	case bounds.Lo >= c.minValue && (bounds.Hi < c.maxValue || math.IsInf(c.maxValue, 1)):
		return outcome{names.ConditionMet, value, bounds, ""}
	case bounds.Hi < c.minValue || bounds.Lo >= c.maxValue:
		return outcome{names.ConditionUnmet, value, bounds, ""}
	}
	return outcome{names.ConditionOpen, value, bounds, "has an interval on both sides of a threshold"}
}

// maxTheoryHalfWidth bounds the half width of the interval of a row that is compared with its
// theoretical value. It is relative to the theoretical value.
const maxTheoryHalfWidth = 0.25

// judgeTheory judges whether the interval of a row contains its theoretical value.
func (c *condition) judgeTheory(rows *result.Document, value float64, bounds Interval) outcome {
	switch theory := float64(c.row.Find(rows).Theory); {
	case math.IsNaN(theory):
		return outcome{names.ConditionOpen, value, bounds, "has no theory"}
	case bounds.Hi-bounds.Lo > 2*maxTheoryHalfWidth*math.Abs(theory):
		return outcome{names.ConditionOpen, value, bounds, "is not known well enough to agree with theory"}
	case bounds.Lo <= theory && theory <= bounds.Hi:
		return outcome{names.ConditionMet, value, bounds, ""}
	}
	return outcome{names.ConditionUnmet, value, bounds, ""}
}

// judgeGates judges whether there are gates on the quantity and all of them pass.
func judgeGates(gatesOn [2]string, gates []result.Gate) outcome {
	var verdicts []result.Verdict
	for _, g := range gates {
		if g.Experiment == gatesOn[0] && g.Quantity == gatesOn[1] {
			verdicts = append(verdicts, g.Verdict)
		}
	}
	undefined := Interval{math.NaN(), math.NaN()}
	switch {
	case len(verdicts) == 0:
		return newOpenOutcome("are not in this plan")
	case slices.Contains(verdicts, result.Fail):
		return outcome{names.ConditionUnmet, math.NaN(), undefined, ""}
	case slices.ContainsFunc(verdicts, func(v result.Verdict) bool { return v != result.Pass }):
		return newOpenOutcome("are not all decided")
	}
	return outcome{names.ConditionMet, math.NaN(), undefined, ""}
}

// judge returns the outcome of each condition and the status of the group.
func (g conditionGroup) judge(rows *result.Document) (outcomes []outcome, status string) {
	count := map[string]int{}
	for i := range g.conditions {
		o := g.conditions[i].judge(rows)
		outcomes = append(outcomes, o)
		count[o.status]++
	}
	// One condition with the decisive status decides the group, whatever the others are.
	decisive, otherwise := names.ConditionUnmet, names.ConditionMet
	if g.needsOnlyOne {
		decisive, otherwise = names.ConditionMet, names.ConditionUnmet
	}
	switch {
	case count[decisive] > 0:
		return outcomes, decisive
	case count[names.ConditionOpen] > 0:
		return outcomes, names.ConditionOpen
	}
	return outcomes, otherwise
}

// parseThresholds parses a requirement: < or >= with a number, "in A..B", or one of
// names.ClaimWords. It returns an infinite number for a bound that the requirement does not have.
func parseThresholds(text string) (minValue, maxValue float64, err error) {
	minValue, maxValue = math.Inf(-1), math.Inf(1)
	requirement := strings.TrimSpace(text)
	if number, ok := strings.CutPrefix(requirement, ">="); ok {
		minValue, err = experiment.Number(number)
		return minValue, maxValue, err
	}
	for _, sign := range []string{"<=", "=", "≤", "≥", "!=", ">"} {
		if strings.HasPrefix(requirement, sign) {
			return minValue, maxValue, fmt.Errorf("%q begins with %s; "+
				"a condition is < or >= with a number, in A..B, or a word", requirement, sign)
		}
	}
	if number, ok := strings.CutPrefix(requirement, "<"); ok {
		maxValue, err = experiment.Number(number)
		return minValue, maxValue, err
	}
	if limits, ok := strings.CutPrefix(requirement, "in "); ok {
		return parseRange(limits)
	}
	var words []string
	for _, word := range names.ClaimWords {
		if word.Name == requirement {
			if word.Min != 0 { // 0 means no bound
				minValue = word.Min
			}
			if word.Max != 0 {
				maxValue = word.Max
			}
			return minValue, maxValue, nil
		}
		words = append(words, word.Name)
	}
	return minValue, maxValue, fmt.Errorf("%q is neither < or >= with a number, nor in A..B, nor a word of the table%s",
		text, names.Suggest(requirement, words))
}

// parseRange parses A..B, where A < B.
func parseRange(text string) (minValue, maxValue float64, err error) {
	a, b, ok := strings.Cut(text, "..")
	if !ok {
		return 0, 0, fmt.Errorf("%q is not A..B", text)
	}
	if minValue, err = experiment.Number(a); err != nil {
		return 0, 0, err
	}
	if maxValue, err = experiment.Number(b); err != nil {
		return 0, 0, err
	}
	if !(minValue < maxValue) {
		return 0, 0, fmt.Errorf("%s is empty", text)
	}
	return minValue, maxValue, nil
}

// intervalFactor is the factor by which the 95 % interval of a row is widened, to about four
// standard errors on each side. The probability that the true value is outside is then 10⁻⁴.
const intervalFactor = 2

// evaluateRow returns the value of a row and its interval, widened by intervalFactor. why
// is empty unless the row does not exist or has no interval.
func evaluateRow(ref *RowRef, rows *result.Document) (value float64, bounds Interval, why string) {
	e := ref.Find(rows)
	switch {
	case e == nil:
		return 0, Interval{}, "is not drawn in this run"
	case !e.Value.Present() || !e.Lo.Present() || !e.Level.Present():
		return 0, Interval{}, "has no interval"
	}
	value = float64(e.Value)
	// An estimate without Hi is a lower bound.
	bounds = Interval{value - float64(intervalFactor*(value-float64(e.Lo))), math.Inf(1)}
	if e.Hi.Present() {
		bounds.Hi = value + float64(intervalFactor*(float64(e.Hi)-value))
	}
	return value, bounds, ""
}
