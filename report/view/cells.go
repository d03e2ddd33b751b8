package view

import (
	"slices"

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

// Cell writes the row that f admits for a wide table, or nothing.
func (s *Source) Cell(f rows.Filter) string {
	e, ok := rows.One(s.Doc, f)
	if !ok {
		return ""
	}
	return Concise(e)
}

// SaidAt writes the row that f admits for running text, or nothing.
func (s *Source) SaidAt(f rows.Filter) string {
	e, ok := rows.One(s.Doc, f)
	if !ok {
		return ""
	}
	return Said(e)
}

// WithoutZeros drops the columns behind the first in which all is 0.
func (t Table) WithoutZeros() Table {
	for i := len(t.Head) - 1; i > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "0" }) {
			continue
		}
		t.Head = slices.Delete(t.Head, i, i+1)
		for j := range t.Rows {
			t.Rows[j] = slices.Delete(t.Rows[j], i, i+1)
		}
	}
	return t
}

// NumberIn writes a parameter that is a number, or nothing.
func NumberIn(p result.Params, name string) string {
	x, ok := p.Number(name)
	if !ok {
		return ""
	}
	return digits.Short(x)
}

// BesideTheory writes a row and its theory.
func BesideTheory(e result.Estimate) []string { return WithTheory(e)[:2] }

// WithTheory writes a row, its theory and their difference.
func WithTheory(e result.Estimate) []string {
	if !e.Value.Present() {
		return []string{"", "", ""}
	}
	theory := digits.Beside(float64(e.Theory), float64(e.SE))
	if e.TheoryKind == names.TheoryLimit && e.Theory.Present() {
		return []string{Concise(e), theory + Limiting, digits.None} // a difference from it is no error
	}
	return []string{Concise(e), theory, InUnit(e, rows.FromTheory)}
}
