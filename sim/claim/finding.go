package claim

import (
	"fmt"
	"strings"

	"mcsim/sim/base/markup"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// theoryRequirement is the requirement of a finding that a row agrees with its theory.
const theoryRequirement = "as theory says"

// Conditions must be met for a sentence of the report to be true. They have the syntax of the
// conditions of claims with three additions:
//
//   - A row may be any row of a document, such as "exponents.flat_exponent[]".
//   - "is: as theory says" requires that the row's interval contains the theoretical value, and that
//     the width of the interval is at most half of that value.
//   - "gates: experiment.quantity" requires that there are gates on the quantity and all of them pass.
type Conditions struct{ group conditionGroup }

// ParseConditions parses a list of conditions that begins after lineOffset lines of a file. Every
// error is a *[markup.Error].
func ParseConditions(file string, lineOffset int, text string) (*Conditions, error) {
	r := &reader{Reader: markup.Reader{File: file, Noun: "finding", MaxText: maxText}, isFinding: true}
	tree, err := r.Parse([]byte(strings.Repeat("\n", lineOffset) + text))
	if err != nil {
		return nil, err
	}
	c := &Conditions{}
	return c, r.conditionsField("", &c.group).Read(tree, "finding")
}

// Rows returns the rows that the conditions read.
func (c *Conditions) Rows() (refs []*RowRef) {
	for i := range c.group.conditions {
		refs = append(refs, c.group.conditions[i].rowRefs()...)
	}
	return refs
}

// Unmet returns a sentence for each condition that is open or not met in the document. isOpen says
// whether the group of conditions is open. The result is nil if the group is met.
func (c *Conditions) Unmet(rows *result.Document) (problems []string, isOpen bool) {
	outcomes, status := c.group.judge(rows)
	if status == names.ConditionMet {
		return nil, false
	}
	for i, o := range outcomes {
		if o.status != names.ConditionMet {
			problems = append(problems, c.group.conditions[i].describe(o))
		}
	}
	return problems, status == names.ConditionOpen
}

// describe explains why a condition is not met.
func (c *condition) describe(o outcome) string {
	subject, requirement := c.String(), c.requirement
	if c.divisor != nil {
		subject += " over " + c.divisor.String()
	}
	if requirement == "" {
		requirement = "to pass"
	}
	switch {
	case o.why != "":
		return fmt.Sprintf("%s %s", subject, o.why)
	case !result.Number(o.value).Present():
		return fmt.Sprintf("%s: not all pass", subject)
	}
	return fmt.Sprintf("%s is %.4g (%.4g to %.4g), and must be %s", subject, o.value, o.bounds.Lo, o.bounds.Hi,
		requirement)
}
