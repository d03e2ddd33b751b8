package chart

import (
	"fmt"
	"math"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// scaleWords are the three scales that the walks and the weights by rank are shown under.
var scaleWords = []struct {
	p            float64
	walk, weight string // titles of panels
	limit        string // what the weights become as d_k grows, by theory
}{
	{0, "(a) undivided", "undivided", "one key takes nearly all weight as $d_k$ grows"},
	{0.5, `(b) divided by $\sqrt{d}$`, `divided by $\sqrt{d_k}$`, "the picture stays much the same at every $d_k$"},
	{1, "(c) divided by $d$", "divided by $d_k$", "all keys become alike as $d_k$ grows"},
}

// overComponents is the axis of the number of components that are added so far.
var overComponents = plot.Axis{Param: names.ParamComponents, Label: "components so far, $d$", Log: true, Reach: true}

// walkPanel shows the partial sums divided by d^p, between plus and minus d^(1/2−p).
func walkPanel(title string, p float64, label string) plot.Panel {
	return plot.Panel{Title: title, X: overComponents, Y: plot.Axis{Label: label}, Traces: []plot.Traces{{
		Curves: rows.Ranks(names.PartialScore), Exponent: p,
		Over:     func(d float64) float64 { return math.Pow(d, p) },
		Envelope: func(d float64) float64 { return math.Pow(d, 0.5-p) },
		Label:    "one key of the row", Around: `$\pm$ standard deviation by theory`,
	}}}
}

// walks shows how the scores of one row come about: each key's sum of products walks away
// from 0, and only over √d its width stays.
var walks = figure.Chart{
	Name:    "walks",
	Title:   `Sums of the first $d$ products $q_i k_i$ of each key of one row, undivided, divided by $\sqrt{d}$ and divided by $d$`,
	Height:  70,
	Columns: 3,
	Fixed:   rows.RanksGrid,
	Panels: []plot.Panel{
		walkPanel(scaleWords[0].walk, 0, "sum of the first $d$ products"),
		walkPanel(scaleWords[1].walk, 0.5, `sum$\,/\,\sqrt{d}$`),
		walkPanel(scaleWords[2].walk, 1, `sum$\,/\,d$`),
	},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			drawnLines(d, text, names.PartialScore, "Lines are no theory but draws:"),
			`A line adds one product of components after the other; where it ends, at the marker, it is the score of one key. The axis of $d$ is logarithmic.`,
			`Dashed is the standard deviation by theory, to either side of 0: (a) $\sqrt{d}$, (b) 1, (c) $1/\sqrt{d}$.`,
			"At any $d$ but the first few, about a third of all walks are outside the dashed lines, as is usual for a standard deviation.",
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		lines := rows.Drawn(doc, rows.Ranks(names.PartialScore).Within(rows.RanksGrid(doc)), names.ParamComponents)
		low, high, d := math.Inf(1), math.Inf(-1), 0.0
		for _, c := range lines {
			last := len(c.Y) - 1
			low, high, d = min(low, float64(c.Y[last])), max(high, float64(c.Y[last])), float64(c.X[last])
		}
		if !(low < high) {
			return ""
		}
		found := ""
		if d > 1 {
			found = `Undivided, the sums spread as $d$ grows; divided by $\sqrt{d}$ they keep their width; divided by $d$ they die out. `
		}
		return found + fmt.Sprintf("Here, undivided, they go from %s to %s after $d = %s$ components.", digits.Rough(low), digits.Rough(high), digits.Short(d))
	},
}

// drawnLines says of which row the lines through what was drawn are.
func drawnLines(d figure.Drawn, text figure.Text, quantity, begin string) string {
	for _, p := range d {
		for _, e := range p.Shown {
			if row, ok := e.Params.Number(names.ParamRow); ok && e.Quantity == quantity {
				return fmt.Sprintf("%s row %s, counting from 0, of the cell %s at seed %d.", begin, digits.Short(row), text(e.Cell), p.Seed)
			}
		}
	}
	return ""
}
