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

// FormatConcise writes the value of an estimate with its error for a table of many columns:
// 64.03(5).
func FormatConcise(e result.Estimate) string { return formatWithError(e, digits.Concise) }

// FormatMeasured writes the value of an estimate with its error: 64.03 ± 0.05.
func FormatMeasured(e result.Estimate) string { return formatWithError(e, digits.PlusMinus) }

// formatWithError writes the value of an estimate with its standard error by format, with its
// interval if it does not have a standard error, or with a mark if its error is not known. The
// text has only no-break spaces, except in intervals.
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

// FormatProse writes the value of an estimate for running text. It has only a few digits if these
// are certain, and otherwise its error.
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

// FormatInterval writes the confidence interval of an estimate.
func FormatInterval(e result.Estimate) string {
	return digits.IntervalWithSE(float64(e.Lo), float64(e.Hi), float64(e.SE))
}

// QuantityName writes the name of a quantity in words.
func QuantityName(q string) string { return markdown.Escape(strings.ReplaceAll(q, "_", " ")) }

// FormatParams writes parameters with their values, the distribution first.
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
			label = name // not escaped, since it is in the notation of the pages
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

// namedParams are the parameters whose values are in the table of names, by their groups in the
// table.
var namedParams = map[string]string{
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
		for group, param := range namedParams {
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
		fmt.Fprintf(&b, "- `%s`: %s", markdown.EscapeCode(e.Name), markdown.EscapeExceptVariables(e.Definition))
		if e.Formula != "" {
			b.WriteString(" *Formula:* " + markdown.Escape(e.Formula) + ".")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// groupBy groups values by their keys, which it returns in the order of the values.
func groupBy[K comparable, V any](values []V, key func(V) K) (order []K, groups map[K][]V) {
	groups = map[K][]V{}
	for _, v := range values {
		k := key(v)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], v)
	}
	return order, groups
}
