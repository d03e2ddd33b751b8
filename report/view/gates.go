package view

import (
	"fmt"
	"sort"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
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
	if g.Expect == "outside" {
		band = "not in " + band
	}
	return []string{
		markdown.Escape(g.Name), AtPoint(g.Params),
		digits.PlusMinus(float64(g.Value), float64(g.SE)),
		digits.IntervalOf(float64(g.Lo), float64(g.Hi), float64(g.SE)),
		band, Emphatic(g.Verdict),
	}
}

// LawOf is the law of a gate, or nothing.
func LawOf(p result.Params) string {
	law, _ := p.Text("law")
	return law
}

// AtPoint writes the parameters of a gate other than its law.
func AtPoint(p result.Params) string {
	var names, parts []string
	for name := range p {
		if name != "law" {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		label := map[string]string{"d_k": "d_k", "exponent": "p"}[name]
		if label == "" {
			label = markdown.Escape(name)
		}
		parts = append(parts, label+Equals+Parameter(name, p[name]))
	}
	return strings.Join(parts, ", ")
}

// Parameter writes the value of a parameter as people do.
func Parameter(name string, value any) string {
	switch v := value.(type) {
	case float64:
		if name == "exponent" {
			return digits.Fraction(v)
		}
		return digits.Short(v)
	case string:
		if name == "rule" {
			return RuleName(v)
		}
		return markdown.Escape(v)
	}
	return markdown.Escape(fmt.Sprint(value))
}

// QuantityName writes a quantity of the document in words.
func QuantityName(q string) string { return markdown.Escape(strings.ReplaceAll(q, "_", " ")) }
