package view

import (
	"fmt"
	"strings"

	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Definitions is a list of what the names of rows mean, as the table of names has it, in
// Markdown: quantities, and what distributions, rules and initialisations stand for.
func Definitions(es []result.Estimate) string {
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
	var b strings.Builder
	for _, e := range names.All() {
		if used[[2]string{e.Group, e.Name}] {
			fmt.Fprintf(&b, "- `%s`: %s", markdown.Code(e.Name), markdown.WithSubscripts(e.Definition))
			if e.Formula != "" {
				b.WriteString(" *Formula:* " + markdown.Escape(e.Formula) + ".")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
