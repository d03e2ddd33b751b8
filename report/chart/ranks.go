package chart

import (
	"fmt"
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
			"Whiskers go from the weight that 5 % of all rows of a cell do not exceed at that rank to the one that 95 % do not exceed.",
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		text := firstKey(doc)
		if text == "" {
			return ""
		}
		return "On average over all rows the first key gets, " + text + "."
	},
}

// middleRows names the cells and rows of the bars.
func middleRows(d figure.Drawn, text figure.Text) string {
	var cells []string
	of := map[string][]string{}
	seed := uint64(0)
	for _, p := range d {
		for _, e := range p.Shown {
			row, ok := e.Params.Number(names.ParamRow)
			if rank, _ := e.Params.Number(names.ParamRank); !ok || rank != 1 {
				continue
			}
			if seed = p.Seed; of[e.Cell] == nil {
				cells = append(cells, e.Cell)
			}
			of[e.Cell] = append(of[e.Cell], digits.Short(row))
		}
	}
	var parts []string
	for _, c := range cells {
		parts = append(parts, strings.Join(of[c], ", ")+" of the cell "+text(c))
	}
	return fmt.Sprintf("At seed %d these are, counting from 0, the rows %s.", seed, strings.Join(parts, "; "))
}

// firstKey says what the key of the greatest score gets on average under each scale, at
// the least and the greatest d_k; nothing where a row of that is missing.
func firstKey(doc *result.Document) string {
	f := rows.Ranks(names.RankedWeight).Within(rows.RanksGrid(doc)).With(names.ParamRank, 1.0)
	ds := rows.Numbers(rows.Estimates(doc, f), names.ParamDimension)
	if len(ds) < 2 {
		return ""
	}
	var parts []string
	for _, s := range scaleWords {
		at := f.With(names.ParamExponent, s.p)
		low, okLow := rows.One(doc, at.With(names.ParamDimension, ds[0]))
		high, okHigh := rows.One(doc, at.With(names.ParamDimension, ds[len(ds)-1]))
		if okLow && okHigh {
			parts = append(parts, fmt.Sprintf("%s and %s where scores are %s", figure.Measured(low), figure.Measured(high), s.weight))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("at $d_k = %s$ and at %s, a weight of ", digits.Short(ds[0]), digits.Short(ds[len(ds)-1])) + strings.Join(parts, "; ")
}
