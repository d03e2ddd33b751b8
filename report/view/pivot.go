package view

import (
	"fmt"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

const unsureNote = " " + digits.Unsure + " The error is not known; the checks say why."

// Limiting marks theory that holds in a limit alone.
const Limiting = "‡"

const limitingNote = " " + Limiting + " A limit of many components, not the exact value here."

// ConciseNote explains value(error) where a table uses it.
const ConciseNote = " The digits in parentheses are the standard error of the last digits: 1.0003(10) is 1.0003 ± 0.0010."

// Concise writes a row for a table of many columns.
func Concise(e result.Estimate) string {
	if text := digits.NoneSeen(float64(e.Value), float64(e.SE), float64(e.Hi)); text != "" {
		return text
	}
	text := digits.Concise(float64(e.Value), float64(e.SE))
	if rows.ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}

// ByLaw lays out one quantity with laws as columns and dimensions as rows, in
// the given unit (nil: as measured).
func (s *Source) ByLaw(f rows.Filter, in plot.Unit, caption string) Table {
	f.Has = append([]string{names.ParamLaw, names.ParamDimension}, f.Has...)
	t := Table{Caption: caption + ConciseNote, Head: []string{names.ParamDimension}}
	s.FillByLaw(&t, f, func(e result.Estimate) string { return InUnit(e, in) })
	return t
}

// FillByLaw fills a table with laws as columns and dimensions as rows.
func (s *Source) FillByLaw(t *Table, f rows.Filter, write func(result.Estimate) string) {
	laws := rows.Names(s.Estimates(f), names.ParamLaw)
	for _, law := range laws {
		t.Head = append(t.Head, markdown.Escape(law))
	}
	for _, l := range s.Lines(f) {
		line := []string{l.Name()}
		for _, law := range laws {
			cell := ""
			if e, ok := rows.One(s.Doc, l.Of(f.With(names.ParamLaw, law))); ok {
				cell = write(e)
			}
			line = append(line, cell)
		}
		t.Rows = append(t.Rows, line)
	}
}

// Column heads rows of one kind in a table.
type Column struct {
	Head string
	Rows rows.Filter
}

// Heads adds the heads of columns to a table.
func (t *Table) Heads(columns []Column) {
	for _, c := range columns {
		t.Head = append(t.Head, c.Head)
	}
}

// Across writes a line of a table: its name, and the row of each column that has
// the line's parameters too.
func (s *Source) Across(name string, columns []Column, at func(rows.Filter) rows.Filter) []string {
	line := []string{name}
	for _, c := range columns {
		line = append(line, s.Cell(at(c.Rows)))
	}
	return line
}

// With fixes one more parameter of a filter.
func With(param string, value any) func(rows.Filter) rows.Filter {
	return func(f rows.Filter) rows.Filter { return f.With(param, value) }
}

// InUnit writes a row in a unit, or that it has none in it.
func InUnit(e result.Estimate, in plot.Unit) string {
	if in != nil {
		var ok bool
		if e, ok = in(e); !ok {
			return digits.None
		}
	}
	return Concise(e)
}

// LawHead writes "for the law normal" and the like.
func LawHead(law string) string { return fmt.Sprintf("the law %s", markdown.Escape(law)) }
