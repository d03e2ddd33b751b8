package chart

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// rankPanels are the weights by rank under each scale.
func rankPanels() (out []plot.Panel) {
	for _, s := range scaleWords {
		of := func(quantity string) rows.Filter {
			return rows.Ranks(quantity).With(names.ParamExponent, s.p)
		}
		out = append(out, plot.Panel{
			Title: s.weight,
			X:     plot.Axis{Param: names.ParamRank, Label: "key, the one of the greatest score first", At: true},
			Y:     plot.Axis{Label: "weight", From: 0, To: 1},
			Traces: []plot.Traces{{
				Curves: of(names.RankedWeight), Exponent: s.p, Bars: true,
				Lower: of(names.Quantile(names.RankedWeight, 0.05)), Upper: of(names.Quantile(names.RankedWeight, 0.95)),
				Label: "the median row", Reach: "5 to 95 % of all rows",
			}},
			Across: equalWeights,
		})
	}
	return out
}

// rankedWeights shows the sorted weights of a row under three scales, at three d_k: only
// √d_k gives the same picture at all of them.
var rankedWeights = figure.Chart{
	Name:    "ranked-weights",
	Title:   `Weights of the keys of one row, sorted, undivided, divided by $\sqrt{d_k}$ and divided by $d_k$, for several dimensions $d_k$`,
	Height:  100,
	Columns: 3,
	Narrow:  3,
	Fixed:   rows.RanksGrid,
	Each:    &plot.Each{Rows: rows.Ranks(names.RankedWeight), Param: names.ParamDimension, Most: 3},
	Panels:  rankPanels(),
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			`A bar is no average but a draw: under each scale and at each $d_k$ the weights are those of one row, whose $R$, the part of a gradient that softmax lets through, is nearest to the median of all, among the first rows of the cell.`,
			middleRows(d, text),
			"Whiskers go from the weight that 5\u202f% of all rows of a cell do not exceed at that rank to the one that 95\u202f% do not exceed.",
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		return strings.TrimSpace(limits(doc) + " " + greatest(doc))
	},
}

// middleRows names the cells of the bars, and says where the numbers of their rows stand.
func middleRows(d figure.Drawn, text figure.Text) string {
	var cells []string
	seed := uint64(0)
	for _, p := range d {
		for _, e := range p.Shown {
			if _, ok := e.Params.Number(names.ParamRow); !ok {
				continue
			}
			if seed = p.Seed; !slices.Contains(cells, text(e.Cell)) {
				cells = append(cells, text(e.Cell))
			}
		}
	}
	return fmt.Sprintf("At seed %d these are rows of %s; the column “%s” of the figure's CSV file has their numbers, counting from 0.",
		seed, strings.Join(cells, ", "), text(names.ParamRow))
}

// ranked are the rows of the weight of the key of the greatest score, and their d_k.
func ranked(doc *result.Document) (rows.Filter, []float64) {
	f := rows.Ranks(names.RankedWeight).Within(rows.RanksGrid(doc)).With(names.ParamRank, 1.0)
	return f, rows.Numbers(rows.Estimates(doc, f), names.ParamDimension)
}

// limits says what by theory becomes of the weights under each scale that was drawn, as
// d_k grows; nothing where there is one d_k only.
func limits(doc *result.Document) string {
	f, ds := ranked(doc)
	if len(ds) < 2 {
		return ""
	}
	var parts []string
	for _, s := range scaleWords {
		if len(rows.Estimates(doc, f.With(names.ParamExponent, s.p))) > 0 {
			parts = append(parts, s.weight+", "+s.limit)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := strings.Join(parts, "; ")
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// greatest says what the key of the greatest score gets on average under each scale at
// the greatest d_k; nothing where there is no row of that.
func greatest(doc *result.Document) string {
	f, ds := ranked(doc)
	if len(ds) == 0 {
		return ""
	}
	var parts []string
	for _, s := range scaleWords {
		if e, ok := rows.One(doc, f.With(names.ParamExponent, s.p).With(names.ParamDimension, ds[len(ds)-1])); ok {
			parts = append(parts, figure.Measured(e)+" "+s.weight)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	where := "the greatest $d_k$"
	if len(ds) == 1 {
		where = "$d_k = " + digits.Short(ds[0]) + "$"
	}
	return "At " + where + " the key of the greatest score gets, on average over all rows, a weight of " + strings.Join(parts, ", ") + "."
}
