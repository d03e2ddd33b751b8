// Package precision fills the page on formats of few digits: which of them hold and which
// fail (verdicts.go), and what they make of scores and weights, in tables (page.go).
package precision

import (
	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/names/formats"
	"mcsim/sim/result"
)

// pageView is the view of the page on formats of few digits.
type pageView struct {
	Verdict  view.Verdict
	Any      bool
	Lead     string // which formats hold and which fail
	Keys     string
	Digits   string     // the formats that have too few digits
	OneShort bool       // it is one
	Verdicts view.Table // of each format, with sums in float32 and in the format
	Scale    scaleEnds
	Rounded  string // an example of a scale that is no number of its format
	Practice view.Table
	Others   []view.Table // for the other placements, and the worst case
	Overflow view.Table
}

// scaleEnds are what e4m3fn moves with the scale at either end of the product.
type scaleEnds struct {
	Dim, After, Before string
	Compared           string // how one stands to the other by their intervals, if they have any
}

// formatHeads are the formats of a table's columns.
var formatHeads = []string{formats.Float32, formats.Float16, formats.BFloat16, formats.E4M3Saturating, formats.E4M3NaN, formats.E5M2}

// setting is where the scale stands and what is computed in the format, and how a caption
// says it.
type setting struct{ placement, arithmetic, said string }

var (
	usual    = setting{formats.After, formats.Practice, "with the scale after the product and sums in float32"}
	settings = []setting{
		{formats.Before, formats.Practice, "with the scale on the query before the product and sums in float32"},
		{formats.Split, formats.Practice, "with d_k^(−1/4) on query and key and sums in float32"},
		{formats.After, formats.Worst, "with the scale after the product, and sums and scale in the format"},
		{formats.Before, formats.Worst, "with the scale on the query before the product, and sums and scale in the format"},
		{formats.Split, formats.Worst, "with d_k^(−1/4) on query and key, and sums and scale in the format"},
	}
)

// Page fills the page on formats.
func Page(s *view.Source) pageView {
	grid := rows.PrecisionGrid(s.Doc)
	v := pageView{Verdict: s.Verdict(), Keys: view.NumberIn(grid, names.ParamKeys)}
	median := rows.Precision(names.Quantile(names.TotalVariation, 0.5)).Within(grid)
	if v.Any = len(s.Estimates(median)) > 0; !v.Any {
		return v
	}
	short := tooFewDigits(s.Doc)
	v.Lead, v.Digits, v.OneShort, v.Verdicts = formatLead(s.Doc), view.Listed(short), len(short) == 1, formatVerdicts(s.Doc)
	v.Scale, v.Rounded = endsOfScale(s.Doc), formats.ScaleExample
	v.Practice = variations(s, grid, usual)
	for _, o := range settings {
		v.Others = append(v.Others, variations(s, grid, o))
	}
	v.Overflow = overflows(s, grid)
	return v
}

// endsOfScale holds the scale on the query against the scale after the product.
func endsOfScale(doc *result.Document) (v scaleEnds) {
	after, before, ok := rows.ScaleEnds(doc)
	if !ok {
		return v
	}
	v = scaleEnds{Dim: view.NumberIn(after.Params, names.ParamDimension), After: rows.Percent(after), Before: rows.Percent(before)}
	switch {
	case !after.Level.Present() || !before.Level.Present():
	case before.Lo > after.Hi:
		v.Compared = "what scaling first gains in range it loses in digits"
	case before.Hi < after.Lo:
		v.Compared = "scaling first moves less there"
	default:
		v.Compared = "the intervals of the two overlap, so that no price is seen there"
	}
	return v
}

// variations lays out the median total variation by d_k and format, each with its label
// where that is not that the format holds.
func variations(s *view.Source, grid result.Params, of setting) view.Table {
	var columns []view.Column
	var all []result.Estimate // of any format
	for _, format := range formatHeads {
		f := rows.MedianVariation(format, of.placement, of.arithmetic).Within(grid)
		if shown := s.Estimates(f); len(shown) > 0 {
			all = append(all, shown...)
			columns = append(columns, view.Column{Heads: []string{format}, Rows: f, Write: labelled(s, shown)})
		}
	}
	caption := "Total variation of the weights in the median row, in per cent, " + of.said + ", followed by whether the format fails: where that is above 1, or more than one score in a million overflows."
	return s.Fill(view.Table{Caption: caption, Head: []string{names.ParamDimension}}, view.LinesOf(names.ParamDimension, rows.Numbers(all, names.ParamDimension), digits.Short), columns)
}

// labelled writes medians of a column, each with the label of its format.
func labelled(s *view.Source, column []result.Estimate) func(result.Estimate) []string {
	var percent []result.Estimate
	for _, e := range column {
		e, _ = rows.InPercent(e)
		percent = append(percent, e)
	}
	write := view.Alike(percent)
	return func(e result.Estimate) []string {
		label := rows.FormatVerdict(s.Doc, e)
		e, _ = rows.InPercent(e)
		if label == formats.Holds {
			return []string{write(e)}
		}
		return []string{write(e) + ", " + label}
	}
}

// overflows lays out the counted share of scores that overflow, with the exact tail.
func overflows(s *view.Source, grid result.Params) view.Table {
	var columns []view.Column
	var all []result.Estimate // of any format
	for _, format := range formatHeads {
		f := rows.Precision(names.Overflow).With(names.ParamFormat, format).With(names.ParamPlacement, usual.placement).
			With(names.ParamArithmetic, usual.arithmetic).Within(grid)
		if shown := s.Estimates(f); len(shown) > 0 {
			all = append(all, shown...)
			columns = append(columns, view.Column{Heads: []string{format}, Rows: f, Write: func(e result.Estimate) []string {
				e, _ = rows.InPercent(e)
				return []string{tailText(float64(e.Theory)) + "; " + view.Concise(e)}
			}})
		}
	}
	return s.Fill(view.Table{Caption: "Chance that a score overflows, in per cent, " + usual.said + ": the exact tail of unrounded components, and the share that was counted. One score in a million is 10⁻⁴.", Head: []string{names.ParamDimension}},
		view.LinesOf(names.ParamDimension, rows.Numbers(all, names.ParamDimension), digits.Short), columns)
}

// tailText writes a chance in per cent that may be far below any that is counted.
func tailText(p float64) string {
	const least = 1e-10
	if p < least {
		return "below 10⁻¹⁰"
	}
	return digits.Rough(p)
}
