package view

import (
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// RuleName writes a rule as people do, or as it stands in the plan.
func RuleName(rule string) string {
	if rule == names.RuleHalfRoot {
		return "√(d_k/2)"
	}
	return markdown.Escape(rule)
}

// Concise writes a row for a table of many columns.
func Concise(e result.Estimate) string {
	if text := digits.NoneSeen(float64(e.Value), float64(e.SE), float64(e.Hi)); text != "" {
		return text
	}
	if rows.OnlyBounded(e) {
		return digits.Bounded(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := digits.Concise(float64(e.Value), float64(e.SE)) + digits.InBins(float64(e.Resolution))
	if rows.ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}
