package claim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// condition wants what it reads to lie from least on, or below most, or both.
type condition struct {
	reading
	over        *reading // what it is divided by; nil for nothing
	is          string   // as it stands in the ledger
	least, most float64  // infinite where there is none
	theory      bool     // wants what theory says of the row instead
}

// reading is a row, a number of a function, or the gates on a quantity.
type reading struct {
	row   *RowRef
	call  *call
	gates [2]string // experiment and quantity
}

// String is a reading as people write it.
func (r reading) String() string {
	switch {
	case r.row != nil:
		return r.row.Text
	case r.call == nil:
		return "gates on " + r.gates[0] + "." + r.gates[1]
	}
	var given []string
	for _, p := range r.call.args {
		if texts, ok := r.call.texts[p.name]; ok {
			given = append(given, p.name+"="+strings.Join(texts, " "))
		}
	}
	return r.call.name + "(" + strings.Join(given, ", ") + ")"
}

// value is what is read, with the interval that it may lie in; where nothing can be read,
// why says so.
func (r reading) value(rows *result.Document) (value float64, of Interval, why string) {
	if r.row != nil {
		return valueOf(r.row, rows)
	}
	at, from := r.call.values()
	return at[0], from[0], ""
}

// outcome is what came of a condition.
type outcome struct {
	met   string
	value float64
	of    Interval
	why   string // why it is open
}

// judge reads rows and functions and holds them against the thresholds.
func (c *condition) judge(rows *result.Document) outcome {
	if c.row == nil && c.call == nil {
		return judgeGates(c.gates, rows.Gates)
	}
	value, of, why := c.value(rows)
	if c.over != nil && why == "" {
		var by float64
		var within Interval
		by, within, why = c.over.value(rows)
		value, of = value/by, of.divide(within)
	}
	switch {
	case why != "":
		return outcome{names.ConditionOpen, math.NaN(), Interval{math.NaN(), math.NaN()}, why}
	case !of.known() && (c.row == nil || c.over != nil):
		return outcome{names.ConditionOpen, value, of, "is divided by what may be 0"}
	case c.theory:
		return c.asTheory(rows, value, of)
	case of.Lo >= c.least && (of.Hi < c.most || math.IsInf(c.most, 1)):
		return outcome{names.ConditionMet, value, of, ""}
	case of.Hi < c.least || of.Lo >= c.most:
		return outcome{names.ConditionUnmet, value, of, ""}
	}
	return outcome{names.ConditionOpen, value, of, "has an interval on both sides of a threshold"}
}

// known is how well a row must be known that agrees with its theory: to this part of it.
const known = 0.25

// asTheory is met where what the row may stand for holds what theory says of it.
func (c *condition) asTheory(rows *result.Document, value float64, of Interval) outcome {
	switch theory := float64(c.row.Find(rows).Theory); {
	case math.IsNaN(theory):
		return outcome{names.ConditionOpen, value, of, "has no theory"}
	case of.Hi-of.Lo > 2*known*math.Abs(theory):
		return outcome{names.ConditionOpen, value, of, "is not known well enough to agree with theory"}
	case of.Lo <= theory && theory <= of.Hi:
		return outcome{names.ConditionMet, value, of, ""}
	}
	return outcome{names.ConditionUnmet, value, of, ""}
}

// judgeGates is met where gates judge a quantity and all of them pass.
func judgeGates(on [2]string, gates []result.Gate) outcome {
	var verdicts []result.Verdict
	for _, g := range gates {
		if g.Experiment == on[0] && g.Quantity == on[1] {
			verdicts = append(verdicts, g.Verdict)
		}
	}
	none := Interval{math.NaN(), math.NaN()}
	switch {
	case len(verdicts) == 0:
		return outcome{names.ConditionOpen, math.NaN(), none, "are not in this plan"}
	case slices.Contains(verdicts, result.Fail):
		return outcome{names.ConditionUnmet, math.NaN(), none, ""}
	case slices.ContainsFunc(verdicts, func(v result.Verdict) bool { return v != result.Pass }):
		return outcome{names.ConditionOpen, math.NaN(), none, "are not all decided"}
	}
	return outcome{names.ConditionMet, math.NaN(), none, ""}
}

// judge holds a group against rows: met, not met, or open.
func (g group) judge(rows *result.Document) (all []outcome, together string) {
	count := map[string]int{}
	for i := range g.conditions {
		o := g.conditions[i].judge(rows)
		all = append(all, o)
		count[o.met]++
	}
	decides, other := names.ConditionUnmet, names.ConditionMet
	if g.any {
		decides, other = names.ConditionMet, names.ConditionUnmet
	}
	switch {
	case count[decides] > 0:
		return all, decides
	case count[names.ConditionOpen] > 0:
		return all, names.ConditionOpen
	}
	return all, other
}

// thresholds reads what a condition wants: a sign and a number, in A..B, or a word.
func thresholds(text string) (least, most float64, err error) {
	least, most = math.Inf(-1), math.Inf(1)
	t := strings.TrimSpace(text)
	if of, ok := strings.CutPrefix(t, ">="); ok {
		least, err = experiment.Number(of)
		return least, most, err
	}
	for _, sign := range []string{"<=", "=", "≤", "≥", "!=", ">"} {
		if strings.HasPrefix(t, sign) {
			return least, most, fmt.Errorf("%q begins with %s; "+
				"a condition is < or >= with a number, in A..B, or a word", t, sign)
		}
	}
	if of, ok := strings.CutPrefix(t, "<"); ok {
		most, err = experiment.Number(of)
		return least, most, err
	}
	if of, ok := strings.CutPrefix(t, "in "); ok {
		return between(of)
	}
	var all []string
	for _, w := range names.ClaimWords {
		if w.Name == t {
			return cmp.Or(w.Min, least), cmp.Or(w.Max, most), nil
		}
		all = append(all, w.Name)
	}
	return least, most, fmt.Errorf("%q is neither < or >= with a number, nor in A..B, nor a word of the table%s",
		text, names.Suggest(t, all))
}

// between reads two numbers.
func between(text string) (least, most float64, err error) {
	a, b, ok := strings.Cut(text, "..")
	if !ok {
		return 0, 0, fmt.Errorf("%q is not A..B", text)
	}
	if least, err = experiment.Number(a); err != nil {
		return 0, 0, err
	}
	if most, err = experiment.Number(b); err == nil && !(least < most) {
		err = fmt.Errorf("%s is empty", text)
	}
	return least, most, err
}

// farther is how many times as far as its interval of 95 % a row may be from its value:
// about four standard errors, which a row passes once in ten thousand times.
const farther = 2

// valueOf is that of a row, with the numbers that it may stand for.
func valueOf(r *RowRef, rows *result.Document) (value float64, bounds Interval, why string) {
	e := r.Find(rows)
	switch {
	case e == nil:
		return 0, Interval{}, "is not drawn in this run"
	case !e.Value.Present() || !e.Lo.Present() || !e.Level.Present():
		return 0, Interval{}, "has no interval"
	}
	value = float64(e.Value)
	bounds = Interval{value - float64(farther*(value-float64(e.Lo))), math.Inf(1)} // open, as that of a lower bound
	if e.Hi.Present() {
		bounds.Hi = value + float64(farther*(float64(e.Hi)-value))
	}
	return value, bounds, ""
}
