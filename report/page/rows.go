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

// Concise writes a row for a table of many columns.
func Concise(e result.Estimate) string { return withError(e, digits.Concise) }

// Measured writes a row's value with its error.
func Measured(e result.Estimate) string { return withError(e, digits.PlusMinus) }

// withError writes a row's value with its error in a form, without line breaks, or with a mark if
// its error is not known.
func withError(e result.Estimate, form func(value, se float64) string) string {
	if selection.HasOnlyInterval(e) {
		return digits.IntervalEstimate(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := form(float64(e.Value), float64(e.SE)) + digits.BinWidthSuffix(float64(e.Resolution))
	text = strings.ReplaceAll(text, " ", "\u00a0")
	if selection.HasUnknownError(e) {
		text += digits.UnknownErrorMark
	}
	return text
}

// Rounded writes a row's value for running text: with few digits if its error leaves these certain,
// else as it was measured.
func Rounded(e result.Estimate) string {
	switch {
	case selection.HasUnknownError(e):
		return Measured(e)
	case selection.HasOnlyInterval(e):
		return digits.ProseIntervalEstimate(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := digits.Prose(float64(e.Value), float64(e.SE), float64(e.Resolution))
	return strings.ReplaceAll(text, " ", "\u00a0")
}

// Interval writes a row's confidence interval.
func Interval(e result.Estimate) string {
	return digits.IntervalWithSE(float64(e.Lo), float64(e.Hi), float64(e.SE))
}

// QuantityName writes a quantity of the document in words.
func QuantityName(q string) string { return markdown.Escape(strings.ReplaceAll(q, "_", " ")) }

// AtPoint writes parameters, the distribution first.
func AtPoint(p result.Params) string {
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
			label = name // the pages set it
		case names.ParamExponent:
			label = "p"
		}
		parts = append(parts, label+Equals+parameter(name, p[name]))
	}
	return strings.Join(parts, ", ")
}

// parameter writes the value of a parameter.
func parameter(name string, value any) string {
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

// namedParams are the parameters whose values are names that readers may have to look up, by their
// groups in the table of names.
var namedParams = map[string]string{
	names.GroupDistribution:   names.ParamDistribution,
	names.GroupRule:           names.ParamRule,
	names.GroupInitialisation: names.ParamInit,
}

// Definitions lists the quantities, distributions, rules and initialisations of rows with their
// explanations from the table of names, in Markdown.
func Definitions(estimates []result.Estimate) string {
	type key struct{ group, name string }
	used := map[key]bool{}
	for _, e := range estimates {
		quantity := e.Quantity
		if base, _, ok := names.QuantileOf(quantity); ok {
			quantity = base
		}
		used[key{names.GroupQuantity, quantity}] = true
		for group, param := range namedParams {
			if name, ok := e.Params.Text(param); ok {
				used[key{group, name}] = true
			}
		}
	}
	var b strings.Builder
	for _, e := range names.Entries() {
		if !used[key{e.Group, e.Name}] {
			continue
		}
		fmt.Fprintf(&b, "- `%s`: %s", markdown.Code(e.Name), markdown.WithSubscripts(e.Definition))
		if e.Formula != "" {
			b.WriteString(" *Formula:* " + markdown.Escape(e.Formula) + ".")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// groupBy groups values by a key, in the order in which the keys appear.
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
