package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// repeated names rows of repeats.
func repeated(quantity string) rows.Filter {
	return rows.Filter{Experiment: names.ExperimentRepeats, Quantity: quantity, Has: []string{names.ParamRepeat}}
}

// RepeatedNumbers are the four numbers of the first page, and what a text calls them.
var RepeatedNumbers = []struct{ Quantity, Label, Text string }{
	{names.ScoreVariance, `$\mathrm{Var}(q \cdot k)$`, "Var(q·k)"},
	{names.VarianceSlope, `slope of $\ln \mathrm{Var}$ on $\ln d_k$`, "slope of ln Var(q·k) on ln d_k"},
	{names.FlatExponent, "exponent that makes it flat", "exponent that makes the variance flat"},
	{names.ScaledVariance, `variance left by $\sqrt{d_k}$`, "variance left by √d_k"},
}

// repeats shows the four numbers of the first page from draws that are made anew for each
// repeat.
var repeats = figure.Chart{
	Name:    "repeats",
	Title:   "The four numbers of the first page, measured again and again from draws of their own",
	Height:  120,
	Columns: 2,
	Fixed:   RepeatGrid,
	Panels:  repeatPanels(),
	Caption: "Each repeat has random bits of its own, as another seed has. The variance and what $\\sqrt{d_k}$ leaves of it are those at one $d_k$, and the slope goes through its halves down to 2. " +
		"Errors are exact, so that one interval of 20 misses theory on average. The exponent is half the slope, and what $\\sqrt{d_k}$ leaves is the variance over $d_k$, so that their marks lie alike.",
}

// repeatPanels is a panel for each number.
func repeatPanels() (panels []plot.Panel) {
	for _, n := range RepeatedNumbers {
		panels = append(panels, plot.Panel{
			X:      plot.Axis{Param: names.ParamRepeat, Label: "repeat"},
			Y:      plot.Axis{Label: n.Label},
			Points: []plot.Points{{Rows: repeated(n.Quantity)}},
			Guides: theoryOf(repeated(n.Quantity)),
		})
	}
	return panels
}

// theoryOf is the line of what theory says of rows.
func theoryOf(f rows.Filter) func(*result.Document, result.Params) []plot.Level {
	return func(doc *result.Document, fixed result.Params) []plot.Level {
		e, ok := rows.One(doc, f.Within(fixed))
		if !ok || !e.Theory.Present() {
			return nil
		}
		return []plot.Level{{At: float64(e.Theory), Label: "theory"}}
	}
}

// RepeatGrid is the law and the dimension of the first repeat.
func RepeatGrid(doc *result.Document) result.Params {
	e, ok := rows.One(doc, repeated(names.ScoreVariance))
	if !ok {
		return nil
	}
	return result.Params{names.ParamLaw: e.Params[names.ParamLaw], names.ParamDimension: e.Params[names.ParamDimension]}
}
