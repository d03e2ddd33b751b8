package view

import (
	"slices"

	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Definitions is a table of what quantities mean, as the table of names has it, in the
// order of that table.
func Definitions(caption string, quantities []string) Table {
	t := Table{Caption: caption, Head: []string{"quantity", "what it is"}, Left: []int{1}}
	var entries []names.Entry
	for _, e := range names.All() {
		if e.Group == names.GroupQuantity && slices.Contains(quantities, e.Name) {
			entries = append(entries, e)
		}
	}
	for _, e := range entries {
		text := markdown.WithSubscripts(e.Definition)
		if e.Formula != "" {
			text += " *Formula:* " + markdown.Escape(e.Formula) + "."
		}
		t.Rows = append(t.Rows, []string{"`" + markdown.Code(e.Name) + "`", text})
	}
	return t
}

// Quantities lists those of rows, each once, without the ends of quantiles.
func Quantities(es []result.Estimate) (found []string) {
	seen := map[string]bool{}
	for _, e := range es {
		q := e.Quantity
		if base, _, ok := names.QuantileOf(q); ok {
			q = base
		}
		if !seen[q] {
			seen[q] = true
			found = append(found, q)
		}
	}
	return found
}
