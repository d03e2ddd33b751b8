package chart

import (
	"fmt"

	"gonum.org/v1/plot/vg"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// alignmentExponent shows which exponent keeps the size of a score whose query
// and key are aligned.
var alignmentExponent = figure.Chart{
	Name:   "alignment-exponent",
	Title:  `Exponent that keeps the size of a score against the dimension $d_k$, for each correlation $\rho$ of query and key`,
	Height: 92 * vg.Millimeter,
	Fixed:  rows.AlignmentGrid,
	Panels: []plot.Panel{{
		X:      plot.Axis{Param: "d_k", Label: "dimension of query and key, $d_k$", Log: true, Reach: true},
		Y:      plot.Axis{Label: `half the slope of $\ln \mathrm{E}\,s^2$ on $\ln d_k$`},
		Points: []plot.Points{{Rows: rows.Alignment("local_exponent"), By: "rho"}},
		Lines:  []plot.Lines{{Curves: rows.Alignment("local_exponent"), By: "rho", Law: true}},
		Level:  &plot.Level{At: 0.5},
		Ends:   true,
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			`Half the slope of $\ln \mathrm{E}\,s^2$ on $\ln d_k$, where $s$ is the score of a query and of a key whose components have the correlation $\rho$ with its own. Divided by $d_k$ to this power the score keeps its size: $1/2$ stands for $\sqrt{d_k}$, 1 for $d_k$.`,
			"A marker is the slope between two neighbouring $d_k$, and stands at their geometric mean" + figure.When(d.Lines(), "; lines are the theory at each $d_k$, joined") + ".",
			figure.When(d.Intervals() != "", d.Intervals()+figure.When(d.Hidden(60*vg.Millimeter), ", most of them smaller than the markers")+"."),
			d.Unbarred(),
			figure.When(d.Law() != "", "The components have the law "+text(d.Law())+"."),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		low, high, ok := rows.AlignmentEnds(doc, rows.Alignment("local_exponent").Within(rows.AlignmentGrid(doc)))
		if !ok {
			return ""
		}
		return fmt.Sprintf(`Around $d_k = %s$ the exponent is %s for $\rho = %s$ and %s for $\rho = %s$.`,
			digits.Rough(dimensionOf(low)), figure.Measured(low), numberIn(low, "rho"), figure.Measured(high), numberIn(high, "rho"))
	},
}

// alignmentWeight shows what softmax gives the aligned key under both scales.
var alignmentWeight = figure.Chart{
	Name:    "alignment-weight",
	Title:   `Weight of the aligned key against the dimension $d_k$, for each correlation $\rho$, under both scales`,
	Height:  82 * vg.Millimeter,
	Columns: 2,
	Fixed:   rows.AlignmentGrid,
	Each:    &plot.Each{Rows: rows.Alignment("aligned_weight"), Param: "exponent"},
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: "weight of the aligned key", From: 0, To: 1},
		Points: []plot.Points{{Rows: rows.Alignment("aligned_weight"), By: "rho"}},
		Lines:  []plot.Lines{{Curves: rows.Alignment("aligned_weight"), By: "rho", Law: true}},
	}},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"The mean weight that softmax gives one aligned key among independent ones, where scores are divided by $d_k^p$.",
			figure.When(d.Lines(), "Lines join the theory at the same $d_k$."),
			figure.When(d.Intervals() != "", d.Intervals()+figure.When(d.Hidden(55*vg.Millimeter), ", most of them smaller than the markers")+"."),
			d.Unbarred() + rowsOf(d, text),
		}
	},
	Sentence: func(doc *result.Document, _ figure.Text) string {
		f := rows.Alignment("aligned_weight").Within(rows.AlignmentGrid(doc))
		root, okRoot := rows.MostAligned(doc, f.With("exponent", 0.5))
		whole, okWhole := rows.MostAligned(doc, f.With("exponent", 1.0))
		if !okRoot || !okWhole || root.Params["rho"] != whole.Params["rho"] || root.Params["d_k"] != whole.Params["d_k"] {
			return ""
		}
		return fmt.Sprintf(`At $d_k = %s$ a key with $\rho = %s$ has a weight of %s where scores are divided by $\sqrt{d_k}$, and of %s where they are divided by $d_k$.`,
			numberIn(root, "d_k"), numberIn(root, "rho"), figure.Measured(root), figure.Measured(whole))
	},
}

// dimensionOf is the d_k of a row.
func dimensionOf(e result.Estimate) float64 {
	d, _ := e.Params.Number("d_k")
	return d
}

// numberIn writes a parameter that is a number.
func numberIn(e result.Estimate, param string) string {
	x, _ := e.Params.Number(param)
	return digits.Short(x)
}
