package chart

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

const middleRow, meanSquare = "median row", "root mean square, with its theory"

// gradients shows the gradient against d_k, a panel for each exponent. Only
// p = 1/2 is flat; below it median and root mean square part.
var gradients = figure.Chart{
	Name:    "gradients",
	Title:   `Gradient $\Vert \partial \alpha / \partial K \Vert$ of the weights against the dimension $d_k$, for each exponent $p$`,
	Height:  112 * vg.Millimeter,
	Columns: 4,
	Fixed:   rows.SoftmaxGrid,
	Each:    &plot.Each{Rows: rows.Softmax("key_gradient_q50"), Param: "exponent"},
	Panels: []plot.Panel{{
		X: overDimension,
		Y: plot.Axis{Label: `$\Vert \partial \alpha / \partial K \Vert$`, Log: true, From: 1e-5},
		Quantiles: []plot.Quantiles{
			{Lower: rows.Softmax("key_gradient_q05"), Middle: rows.Softmax("key_gradient_q50"), Upper: rows.Softmax("key_gradient_q95"),
				Label: middleRow, Band: "5 % to 95 % of rows"},
			{Lower: rows.Softmax("key_gradient_q25"), Upper: rows.Softmax("key_gradient_q75"),
				Label: middleRow, Band: "25 % to 75 %", Inner: true},
		},
		Points: []plot.Points{{Rows: rows.Softmax("key_gradient"), Label: meanSquare}},
		Lines:  []plot.Lines{{Curves: rows.Filter{Experiment: "softmax", Quantity: "key_gradient"}, Label: meanSquare}},
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			`The Frobenius norm of the derivative of a row's weights by its keys, on logarithmic axes.`,
			"The bands hold the middle 90 % and the middle half of the rows." + figure.When(cut(d), " Below the axis they are cut off."),
			"Median and root mean square are different things: a few rows with a large gradient lift the second, and say nothing of the first. Where both agree, one marker covers the other.",
			figure.When(d.Lines(), "The line is the theory of the root mean square, by quadrature."),
			figure.When(d.Intervals() != "", d.Intervals()+figure.When(d.Hidden(30*vg.Millimeter), ", most of them smaller than the markers")+"."),
			d.Unbarred() + rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		fixed := rows.SoftmaxGrid(doc)
		f := rows.Softmax("key_gradient").Within(fixed)
		dims := rows.Numbers(rows.Estimates(doc, f), "d_k")
		if len(dims) == 0 {
			return ""
		}
		last := dims[len(dims)-1]
		var parts []string
		for _, p := range []float64{0, 0.5, 1} {
			square, ok := rows.One(doc, f.With("d_k", last).With("exponent", p))
			median, both := rows.One(doc, rows.Softmax("key_gradient_q50").Within(fixed).With("d_k", last).With("exponent", p))
			if ok && both {
				parts = append(parts, fmt.Sprintf("%s and %s for $p = %s$", figure.Measured(square), figure.Measured(median), digits.Fraction(p)))
			}
		}
		if len(parts) == 0 {
			return ""
		}
		return fmt.Sprintf("At $d_k = %s$ root mean square and median are %s.", digits.Short(last), strings.Join(parts, "; "))
	},
}

// cut reports whether a band goes on below the start of its axis.
func cut(d figure.Drawn) bool {
	for _, p := range d {
		for _, r := range p.Ribbons {
			for _, l := range r.At {
				if p.Y.From > 0 && l.Lo <= p.Y.From {
					return true
				}
			}
		}
	}
	return false
}
