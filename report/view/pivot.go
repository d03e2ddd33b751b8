package view

import (
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Concise writes a row for a table of many columns.
func Concise(e result.Estimate) string { return concise(e, digits.Concise) }

// Alike writes the rows of a column, in which all have a power of ten if one needs it.
func Alike(es []result.Estimate) func(result.Estimate) string {
	if !slices.ContainsFunc(es, func(e result.Estimate) bool { return strings.Contains(Concise(e), "·10") }) {
		return Concise
	}
	return func(e result.Estimate) string { return concise(e, digits.Powered) }
}

// concise writes a row, and what has a standard error as it is told.
func concise(e result.Estimate, write func(value, se float64) string) string {
	if text := digits.NoneSeen(float64(e.Value), float64(e.SE), float64(e.Hi)); text != "" {
		return text
	}
	if rows.OnlyBounded(e) {
		return digits.Bounded(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := write(float64(e.Value), float64(e.SE)) + digits.InBins(float64(e.Resolution))
	if rows.ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}

// ByLaw lays out one quantity with laws as columns and dimensions as rows, in
// the given unit (nil: as measured).
func (s *Source) ByLaw(f rows.Filter, in plot.Unit, caption string) Table {
	f.Has = append([]string{names.ParamLaw, names.ParamDimension}, f.Has...)
	return s.EachLaw(Table{Caption: caption}, f, func(e result.Estimate) []string { return []string{InUnit(e, in)} })
}

// EachLaw fills a table with laws as columns and dimensions as rows.
func (s *Source) EachLaw(t Table, f rows.Filter, write func(result.Estimate) []string) Table {
	var columns []Column
	for _, law := range rows.Names(s.Estimates(f), names.ParamLaw) {
		columns = append(columns, Column{Heads: []string{markdown.Escape(law)}, Rows: f.With(names.ParamLaw, law), Write: write})
	}
	t.Head = []string{names.ParamDimension}
	return s.Fill(t, s.Lines(f), columns)
}

// Column is rows of one kind in a table, each written into as many cells as the column
// has heads: by default one, with the value and its error.
type Column struct {
	Heads   []string
	Rows    rows.Filter
	Write   func(result.Estimate) []string
	Missing string // stands in the cells where there is no row
}

// Line is a line of a table: its name, and what its rows have besides the filter of
// their column.
type Line struct {
	Name string
	At   func(rows.Filter) rows.Filter
}

// LinesOf returns a line for each value of a parameter.
func LinesOf[V any](param string, values []V, name func(V) string) (out []Line) {
	for _, value := range values {
		out = append(out, Line{name(value), func(f rows.Filter) rows.Filter { return f.With(param, value) }})
	}
	return out
}

// Fill adds columns to a table, and its lines; without columns there is nothing to a line.
func (s *Source) Fill(t Table, lines []Line, columns []Column) Table {
	if len(columns) == 0 {
		return t
	}
	for _, c := range columns {
		t.Head = append(t.Head, c.Heads...)
	}
	for _, l := range lines {
		t.Rows = append(t.Rows, s.Across(l, columns))
	}
	return t
}

// Across writes a line of a table: its name, and the row of each column.
func (s *Source) Across(l Line, columns []Column) []string {
	line := []string{l.Name}
	for _, c := range columns {
		switch e, ok := rows.One(s.Doc, l.At(c.Rows)); {
		case !ok:
			line = append(line, slices.Repeat([]string{c.Missing}, len(c.Heads))...)
		case c.Write == nil:
			line = append(line, Concise(e))
		default:
			line = append(line, c.Write(e)...)
		}
	}
	return line
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

// LawHead writes "normal components" and the like.
func LawHead(law string) string { return markdown.Escape(law) + " components" }
