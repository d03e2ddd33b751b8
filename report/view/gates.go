package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Emphatic sets whatever is not a pass in bold.
func Emphatic(v result.Verdict) string {
	if v == result.Pass {
		return string(v)
	}
	return "**" + markdown.Escape(string(v)) + "**"
}

// Alarm writes a count that should be 0: any other is bold.
func Alarm(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("**%d**", n)
}

// GateHead is the head of a table of gates, as GateRow fills it.
var GateHead = []string{"gate", "at", "measured", "interval held against the band", "band", "verdict"}

// GateRow writes a gate for a table.
func GateRow(g result.Gate) []string {
	band := digits.Band(float64(g.Band[0]), float64(g.Band[1]), float64(g.Hi-g.Lo)/2)
	if g.Expect == names.ExpectOutside {
		band = "not in " + band
	}
	return []string{
		markdown.Escape(g.Name), AtPoint(g.Params),
		digits.PlusMinus(float64(g.Value), float64(g.SE)),
		digits.IntervalOf(float64(g.Lo), float64(g.Hi), float64(g.SE)),
		band, Emphatic(g.Verdict),
	}
}

// ByKey parts values by a key, in the order in which the keys appear.
func ByKey[K comparable, V any](values []V, key func(V) K) (order []K, of map[K][]V) {
	of = map[K][]V{}
	for _, v := range values {
		k := key(v)
		if of[k] == nil {
			order = append(order, k)
		}
		of[k] = append(of[k], v)
	}
	return order, of
}

// AtPoint writes the parameters of a gate, its distribution first.
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
		parts = append(parts, label+Equals+Parameter(name, p[name]))
	}
	return strings.Join(parts, ", ")
}

// Parameter writes the value of a parameter as people do.
func Parameter(name string, value any) string {
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

// QuantityName writes a quantity of the document in words.
func QuantityName(q string) string { return markdown.Escape(strings.ReplaceAll(q, "_", " ")) }
