package view

import (
	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Definitions is a table of what the names of rows mean, as the table of names has it:
// quantities, and what distributions, rules and initialisations stand for.
func Definitions(caption string, es []result.Estimate) Table {
	used := map[[2]string]bool{}
	for _, e := range es {
		q := e.Quantity
		if base, _, ok := names.QuantileOf(q); ok {
			q = base
		}
		used[[2]string{names.GroupQuantity, q}] = true
		for group, param := range map[string]string{names.GroupDistribution: names.ParamDistribution, names.GroupRule: names.ParamRule, names.GroupInitialisation: names.ParamInit} {
			if name, ok := e.Params.Text(param); ok {
				used[[2]string{group, name}] = true
			}
		}
	}
	t := Table{Caption: caption, Head: []string{"name", "what it is"}, Left: []int{1}}
	for _, e := range names.All() {
		if used[[2]string{e.Group, e.Name}] {
			text := markdown.WithSubscripts(e.Definition)
			if e.Formula != "" {
				text += " *Formula:* " + markdown.Escape(e.Formula) + "."
			}
			t.Rows = append(t.Rows, []string{"`" + markdown.Code(e.Name) + "`", text})
		}
	}
	return t
}
