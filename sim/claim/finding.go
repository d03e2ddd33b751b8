package claim

import (
	"fmt"
	"strings"

	"mcsim/sim/base/markup"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// asTheory is what a condition of a finding says of a row that must agree with its theory.
const asTheory = "as theory says"

// Conditions are what a sentence of the report rests on: conditions as claims have them, on
// rows and functions, and besides
//
//   - a row may stand anywhere in a document, "exponents.flat_exponent[]";
//   - is: as theory says, where the row's interval must hold its theory, and be no wider than
//     half of it;
//   - gates: experiment.quantity, of which there must be some, and all must pass.
type Conditions struct{ group group }

// ParseConditions reads a list of them, which stands in a file below so many lines. Every
// error is a *[markup.Error].
func ParseConditions(file string, lines int, text string) (*Conditions, error) {
	r := &reader{Reader: markup.Reader{File: file, Noun: "finding", MaxText: maxText}, finding: true}
	tree, err := r.Parse([]byte(strings.Repeat("\n", lines) + text))
	if err != nil {
		return nil, err
	}
	c := &Conditions{}
	return c, r.group("", &c.group).Read(tree, "finding")
}

// Rows are those that the conditions read.
func (c *Conditions) Rows() (all []*RowRef) {
	for i := range c.group.conditions {
		all = append(all, c.group.conditions[i].rows()...)
	}
	return all
}

// Unmet says of each condition that a document does not meet, or leaves open, what was found,
// and whether together they are open. Where any one is enough, it says nothing as soon as one
// is met.
func (c *Conditions) Unmet(rows *result.Document) (said []string, open bool) {
	all, together := c.group.judge(rows)
	if together == names.ConditionMet {
		return nil, false
	}
	for i, o := range all {
		if o.met != names.ConditionMet {
			said = append(said, c.group.conditions[i].found(o))
		}
	}
	return said, together == names.ConditionOpen
}

// found says what was found of a condition that is not met.
func (c *condition) found(o outcome) string {
	reads, wants := c.String(), c.is
	if c.over != nil {
		reads += " over " + c.over.String()
	}
	if wants == "" {
		wants = "to pass"
	}
	switch {
	case o.why != "":
		return fmt.Sprintf("%s %s", reads, o.why)
	case !result.Number(o.value).Present():
		return fmt.Sprintf("%s: not all pass", reads)
	}
	return fmt.Sprintf("%s is %.4g (%.4g to %.4g), and must be %s", reads, o.value, o.of.Lo, o.of.Hi, wants)
}
