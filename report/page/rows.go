package page

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// FormatConcise writes the value of an estimate with its error for a table of many columns, such as
// 64.03(5).
func FormatConcise(e result.Estimate) string { return formatWithError(e, digits.Concise) }

// FormatMeasured writes the value of an estimate with its error, such as 64.03 ± 0.05.
func FormatMeasured(e result.Estimate) string { return formatWithError(e, digits.PlusMinus) }

// formatWithError writes the value and the interval of an estimate that has only an interval. For
// other estimates, it calls format, and adds a mark if the error is not known. Lines can break only
// in intervals.
func formatWithError(e result.Estimate, format func(value, se float64) string) string {
	if selection.HasOnlyInterval(e) {
		return digits.IntervalEstimate(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := format(float64(e.Value), float64(e.SE)) + digits.BinWidthSuffix(float64(e.Resolution))
	text = strings.ReplaceAll(text, " ", "\u00a0")
	if selection.HasUnknownError(e) {
		text += digits.UnknownErrorMark
	}
	return text
}

// FormatProse writes the value of an estimate for running text. It writes only a few digits if the
// error leaves them certain, and the value with its error otherwise.
func FormatProse(e result.Estimate) string {
	switch {
	case selection.HasUnknownError(e):
		return FormatMeasured(e)
	case selection.HasOnlyInterval(e):
		return digits.ProseIntervalEstimate(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := digits.Prose(float64(e.Value), float64(e.SE), float64(e.Resolution))
	return strings.ReplaceAll(text, " ", "\u00a0")
}

// FormatPercent writes an estimate in percent like [FormatProse].
func FormatPercent(e result.Estimate) string {
	for _, number := range []*result.Number{&e.Value, &e.SE, &e.Lo, &e.Hi, &e.Resolution} {
		*number *= 100
	}
	return FormatProse(e) + "\u00a0%"
}

// FormatInterval writes the confidence interval of an estimate.
func FormatInterval(e result.Estimate) string {
	return digits.IntervalWithSE(float64(e.Lo), float64(e.Hi), float64(e.SE))
}

// QuantityName writes the name of a quantity with spaces, as Markdown.
func QuantityName(q string) string { return markdown.Escape(strings.ReplaceAll(q, "_", " ")) }

// FormatParams writes the distribution, and then the other parameters with their values in the
// order of their names.
func FormatParams(p result.Params) string {
	var parts []string
	if distribution, ok := p.Text(names.ParamDistribution); ok {
		parts = append(parts, markdown.Escape(distribution))
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		label := markdown.Escape(name)
		switch name {
		case names.ParamDistribution:
			continue
		case names.ParamDimension:
			label = name // not escaped, so that pages show d_k with a subscript
		case names.ParamExponent:
			label = "p"
		}
		parts = append(parts, label+Equals+formatParam(name, p[name]))
	}
	return strings.Join(parts, ", ")
}

// formatParam writes the value of a parameter.
func formatParam(name string, value any) string {
	switch v := value.(type) {
	case float64:
		if name == names.ParamExponent {
			return digits.Fraction(v)
		}
		return digits.Short(v)
	case string:
		if name == names.ParamRule && v == names.RuleHalfRoot {
			return "√(d_k/2)"
		}
		return markdown.Escape(v)
	}
	return markdown.Escape(fmt.Sprint(value))
}

// paramOfGroup maps a group of the table of names to the parameter whose values are the names of
// the group.
var paramOfGroup = map[string]string{
	names.GroupDistribution:   names.ParamDistribution,
	names.GroupRule:           names.ParamRule,
	names.GroupInitialisation: names.ParamInit,
}

// Definitions returns a list in Markdown of the quantities, distributions, rules and
// initialisations of estimates, with their explanations from the table of names.
func Definitions(estimates []result.Estimate) string {
	type entryID struct{ group, name string }
	used := map[entryID]bool{}
	for _, e := range estimates {
		quantity := e.Quantity
		if base, _, ok := names.ParseQuantile(quantity); ok {
			quantity = base
		}
		used[entryID{names.GroupQuantity, quantity}] = true
		for group, param := range paramOfGroup {
			if name, ok := e.Params.Text(param); ok {
				used[entryID{group, name}] = true
			}
		}
	}
	var b strings.Builder
	for _, e := range names.Entries() {
		if !used[entryID{e.Group, e.Name}] {
			continue
		}
		e.Range = ""
		fmt.Fprintf(&b, "- `%s`: %s\n", markdown.EscapeCode(e.Name), formatExplanation(e))
	}
	return b.String()
}

// groupBy groups items by their IDs. It also returns the IDs, in the order of their first items.
func groupBy[ID comparable, Item any](items []Item, idOf func(Item) ID) (ids []ID, groups map[ID][]Item) {
	groups = map[ID][]Item{}
	for _, item := range items {
		id := idOf(item)
		if groups[id] == nil {
			ids = append(ids, id)
		}
		groups[id] = append(groups[id], item)
	}
	return ids, groups
}
