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

const middleRow, meanSquare = "median row", "root mean square, with its theory"

// gradients shows the gradient against d_k, a panel for each exponent. Only
// p = 1/2 is flat; below it median and root mean square part.
var gradients = figure.Chart{
	Name:    "gradients",
	Title:   `Gradient $\Vert \partial \alpha / \partial K \Vert$ of the weights against the dimension $d_k$, for each exponent $p$`,
	Height:  112,
	Columns: 4,
	Fixed:   rows.SoftmaxGrid,
	Each:    &plot.Each{Rows: rows.Softmax(names.Quantile(names.KeyGradient, 0.5)), Param: names.ParamExponent},
	Panels: []plot.Panel{{
		X: overDimension,
		Y: plot.Axis{Label: `$\Vert \partial \alpha / \partial K \Vert$`, Log: true, From: 1e-5},
		Quantiles: []plot.Quantiles{
			{Lower: rows.Softmax(names.Quantile(names.KeyGradient, 0.05)), Middle: rows.Softmax(names.Quantile(names.KeyGradient, 0.5)), Upper: rows.Softmax(names.Quantile(names.KeyGradient, 0.95)),
				Label: middleRow, Band: "5 % to 95 % of rows"},
			{Lower: rows.Softmax(names.Quantile(names.KeyGradient, 0.25)), Upper: rows.Softmax(names.Quantile(names.KeyGradient, 0.75)),
				Label: middleRow, Band: "25 % to 75 %", Inner: true},
		},
		Points: []plot.Points{{Rows: rows.Softmax(names.KeyGradient), Label: meanSquare}},
		Lines:  []plot.Lines{{Curves: rows.Filter{Experiment: names.ExperimentSoftmax, Quantity: names.KeyGradient}, Label: meanSquare}},
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			`The Frobenius norm of the derivative of a row's weights by its keys, on logarithmic axes.`,
			"The bands hold the middle 90 % and the middle half of the rows." + figure.When(cut(d), " Below the axis they are cut off."),
			"Median and root mean square are different things: a few rows with a large gradient lift the second, and say nothing of the first. Where both agree, one marker covers the other.",
			figure.When(d.Lines(), "The line is the theory of the root mean square, by quadrature."),
			rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		fixed := rows.SoftmaxGrid(doc)
		f := rows.Softmax(names.KeyGradient).Within(fixed)
		last := rows.Largest(rows.Estimates(doc, f), names.ParamDimension)
		var parts []string
		for _, p := range []float64{0, 0.5, 1} {
			square, ok := rows.One(doc, f.With(names.ParamDimension, last).With(names.ParamExponent, p))
			median, both := rows.One(doc, rows.Softmax(names.Quantile(names.KeyGradient, 0.5)).Within(fixed).With(names.ParamDimension, last).With(names.ParamExponent, p))
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
