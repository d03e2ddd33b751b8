package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// repeated names rows of repeats.
func repeated(quantity string) selection.Filter {
	return selection.Of(names.ExperimentRepeats, quantity, names.ParamRepeat)
}

// repeats shows the first numbers of the report from draws that are made anew for each
// repeat.
var repeats = figure.Chart{
	Name:    "repeats",
	Title:   "Variance of the score, and its slope over $d_k$, measured again and again from draws of their own",
	Height:  70,
	Columns: 2,
	Fixed:   selection.OneDistribution(repeated(names.ScoreVariance), names.ParamRepeat, names.ParamDimension),
	Panels: []plot.Panel{
		repeatPanel(names.ScoreVariance, `$\mathrm{Var}(q \cdot k)$`),
		repeatPanel(names.VarianceSlope, `slope of $\ln \mathrm{Var}$ on $\ln d_k$`),
	},
	Drawn:   "Each repeat has random bits of its own.",
	Caption: "The variance is that at one $d_k$, and the slope goes through its halves down to 2. One interval of 20 misses theory on average. The exponent that makes the variance flat is half the slope.",
}

// repeatPanel shows one number of each repeat.
func repeatPanel(quantity, label string) plot.Panel {
	return plot.Panel{
		X:      plot.Axis{Param: names.ParamRepeat, Label: "repeat"},
		Y:      plot.Axis{Label: label},
		Points: []plot.Points{{Rows: repeated(quantity)}},
		Guides: theoryOf(repeated(quantity)),
	}
}

// theoryOf is the line of what theory says of rows.
func theoryOf(f selection.Filter) func(*result.Document, result.Params) []plot.Level {
	return func(doc *result.Document, fixed result.Params) []plot.Level {
		e, ok := selection.One(doc, f.Within(fixed))
		if !ok || !e.Theory.Present() {
			return nil
		}
		return []plot.Level{{At: float64(e.Theory), Label: "theory"}}
	}
}
