package page

import (
	"slices"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/names/formats"
	"mcsim/sim/result"
)

// precisionView is the view of the page on formats of few digits.
type precisionView struct {
	Verdict           view.Verdict
	Any               bool
	Keys, Dim         string
	Said, Moved       string   // where the scale and the sums are in the first line, and what moves in which format
	Half, Brain, Byte formatAt // float16, bfloat16 and e4m3fn at the greatest d_k
	Practice          view.Table
	Others            []view.Table // for the other placements, and the worst case
	Overflow          view.Table
}

// formatAt is what is said of a format at the greatest d_k.
type formatAt struct {
	Fails bool
	Holds bool
	Fits  bool // the exact tail is no more than one in a million
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
		{formats.After, formats.Worst, "with the scale after the product and sums in the format"},
		{formats.Before, formats.Worst, "with the scale on the query before the product and sums in the format"},
		{formats.Split, formats.Worst, "with d_k^(−1/4) on query and key and sums in the format"},
	}
)

// precision fills the page on formats.
func precision(s *view.Source) precisionView {
	grid := rows.PrecisionGrid(s.Doc)
	v := precisionView{Verdict: s.Verdict(), Keys: view.NumberIn(grid, names.ParamKeys)}
	median := rows.Precision(names.Quantile(names.TotalVariation, 0.5)).Within(grid)
	all := s.Estimates(median)
	if len(all) == 0 {
		return v
	}
	d := rows.Largest(all, names.ParamDimension)
	v.Any, v.Dim = true, digits.Short(d)
	at := func(format string) (f formatAt) {
		e, ok := rows.One(s.Doc, rows.MedianVariation(format, usual.placement, usual.arithmetic).Within(grid).With(names.ParamDimension, d))
		if !ok {
			return f
		}
		label, known := rows.FormatVerdict(s.Doc, e)
		tail, _ := rows.One(s.Doc, rows.Precision(names.Overflow).Within(e.Params))
		return formatAt{known && label == formats.Fails, known && label == formats.Holds, tail.Theory <= formats.MostOverflow}
	}
	for _, of := range slices.Concat([]setting{usual}, settings) {
		if medians := rows.AtMostDimension(s.Doc, of.placement, of.arithmetic); len(medians) > 0 {
			v.Said, v.Moved = markdown.WithSubscripts(of.said), rows.PercentOfFormats(medians)
			break
		}
	}
	v.Half, v.Brain, v.Byte = at(formats.Float16), at(formats.BFloat16), at(formats.E4M3Saturating)
	v.Practice = variations(s, grid, usual)
	for _, o := range settings {
		v.Others = append(v.Others, variations(s, grid, o))
	}
	v.Overflow = overflows(s, grid)
	return v
}

// variations lays out the median total variation by d_k and format, each with its label
// where that is not that the format holds.
func variations(s *view.Source, grid result.Params, of setting) view.Table {
	var columns []view.Column
	var dims []float64
	for _, format := range formatHeads {
		f := rows.MedianVariation(format, of.placement, of.arithmetic).Within(grid)
		if shown := s.Estimates(f); len(shown) > 0 {
			dims = rows.Numbers(shown, names.ParamDimension)
			columns = append(columns, view.Column{Heads: []string{format}, Rows: f, Write: func(e result.Estimate) []string { return []string{labelled(s, e)} }})
		}
	}
	caption := "Total variation of the weights in the median row, " + of.said + ", followed by whether the format fails: where that is above 1\u202f%, or more than one score in a million overflows."
	return s.Fill(view.Table{Caption: caption, Head: []string{names.ParamDimension}}, view.LinesOf(names.ParamDimension, dims, digits.Short), columns)
}

// labelled writes a median with the label of its format.
func labelled(s *view.Source, e result.Estimate) string {
	text := view.Concise(e)
	if label, ok := rows.FormatVerdict(s.Doc, e); ok && label != formats.Holds {
		text += ", " + label
	}
	return text
}

// overflows lays out the counted share of scores that overflow, with the exact tail.
func overflows(s *view.Source, grid result.Params) view.Table {
	var columns []view.Column
	var dims []float64
	for _, format := range formatHeads {
		f := rows.Precision(names.Overflow).With(names.ParamFormat, format).With(names.ParamPlacement, usual.placement).
			With(names.ParamArithmetic, usual.arithmetic).Within(grid)
		if shown := s.Estimates(f); len(shown) > 0 {
			dims = rows.Numbers(shown, names.ParamDimension)
			columns = append(columns, view.Column{Heads: []string{format}, Rows: f, Write: func(e result.Estimate) []string {
				return []string{tailText(float64(e.Theory)) + "; " + view.Concise(e)}
			}})
		}
	}
	return s.Fill(view.Table{Caption: "Chance that a score overflows, " + usual.said + ": the exact tail of unrounded components, and the share that was counted.", Head: []string{names.ParamDimension}},
		view.LinesOf(names.ParamDimension, dims, digits.Short), columns)
}

// tailText writes a chance that may be far below any that is counted.
func tailText(p float64) string {
	const least = 1e-12
	if p < least {
		return "below 10⁻¹²"
	}
	return digits.Rough(p)
}
