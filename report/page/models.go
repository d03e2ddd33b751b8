package page

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/attention/models"
	"mcsim/sim/attention/reach"
)

// newModelsTable returns a table of all released models in the ledger. Its numbers follow from the
// ledger by theory, so that they have no errors.
func newModelsTable(*Source) any {
	t := Table{
		Caption: "All released models that mcsim knows. The standard deviation is that of a logit of two tokens " +
			"at initialisation, by theory. Concentrated: it is above √(2 ln n) for the model's own context. " +
			"Reach: the mean weight of a key in its query's direction, in a row as long as the context, with gains of 1. " +
			"A dash: unknown, or unbounded logits (reach).",
		Head: []string{"model", "d_k", "q·k times", "norm, cap, sink", "standard deviation", "initialisation from",
			"rows", "reach"},
		Left: []int{3, 5, 6},
	}
	for _, m := range models.All() {
		t.Rows = append(t.Rows, []string{linkToModel(m), cmp.Or(m.Field("d_k"), digits.None), formatKnown(m.Factor()),
			describeLimits(m), formatKnown(m.LogitSD()), m.Evidence, cmp.Or(m.Label(), digits.None),
			formatKnown(reach.OfModel(m))})
	}
	return t
}

// formatKnown formats a number of the ledger to three digits. 0 and NaN mean that it is unknown.
func formatKnown(x float64) string {
	if x == 0 || math.IsNaN(x) {
		return digits.None
	}
	return digits.Significant(x, 3)
}

// linkToModel returns the name of a model with a link to the file from which its data are.
func linkToModel(m models.Model) string {
	first := func(column string) string {
		text, _, _ := strings.Cut(m.Field(column), ";")
		return text
	}
	name, commit := markdown.Escape(m.Name), first("commit")
	if commit == "" {
		return name
	}
	return fmt.Sprintf("[%s](https://github.com/%s/blob/%s/%s)", name, first("repository"), commit, first("path"))
}

// describeLimits lists the norm of queries and keys, the soft cap and the sink of a model.
func describeLimits(m models.Model) string {
	var parts []string
	if m.IsNormalised() {
		parts = append(parts, "norm")
	}
	if m.Cap > 0 {
		parts = append(parts, fmt.Sprintf("cap %v", m.Cap))
	}
	if m.Field("sink") != "" {
		parts = append(parts, "sink")
	}
	return strings.Join(parts, ", ")
}
