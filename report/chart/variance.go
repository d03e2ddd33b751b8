package chart

import (
	"fmt"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

var scoreVariance = rows.Filter{Experiment: names.ExperimentVariance, Quantity: names.ScoreVariance, Has: []string{names.ParamLaw, names.ParamDimension}}

// variance shows Var(q·k) against d_k. On the log-log panel all laws lie on
// one line, which is the point; the panel below shows what they differ by.
var variance = figure.Chart{
	Name:   "variance",
	Title:  `Variance of the score $q\cdot k$ against the dimension $d_k$, for each law of the components`,
	Height: 132,
	Panels: []plot.Panel{
		{
			X:      overDimension,
			Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k)$`, Log: true},
			Share:  0.5,
			Points: []plot.Points{{Rows: scoreVariance, By: names.ParamLaw}},
			Lines: []plot.Lines{{
				Curves: rows.Filter{Experiment: names.ExperimentVariance, Quantity: names.ScoreVariance},
				Label:  "theory, $d_k$",
			}},
		},
		{
			X:      overDimension,
			Y:      plot.Axis{Label: `$\mathrm{Var}(q\cdot k)\,/\,d_k$`},
			Share:  0.5,
			Points: []plot.Points{{Rows: scoreVariance, By: names.ParamLaw, In: rows.OverTheory}},
			Band:   &plot.Band{Gates: scoreVariance, Label: "tolerance of the gates"},
			Level:  &plot.Level{At: 1},
		},
	},
	Caption: func(d figure.Drawn, text figure.Text) []string {
		return []string{
			"Above, the variance of the unscaled score on logarithmic axes" + figure.When(d.Lines(), `, with the line $\mathrm{Var}(q\cdot k) = d_k$`) + ".",
			figure.When(len(d) > 1, "Below, the same variances divided by $d_k$"+figure.When(d.Several(), ", the laws set slightly apart from left to right")+"."),
			figure.When(d.Intervals() != "", d.Intervals()+"."),
			d.Tolerance(text),
			d.Unbarred(),
		}
	},
	Sentence: func(doc *result.Document, text figure.Text) string {
		law := rows.DefaultLaw(doc)
		e, ok := rows.One(doc, scoreVariance.With(names.ParamLaw, law).With(names.ParamDimension, 512.0))
		if !ok {
			es := rows.Estimates(doc, scoreVariance.With(names.ParamLaw, law))
			if len(es) == 0 {
				return ""
			}
			e = es[len(es)-1]
		}
		return fmt.Sprintf(`With components of the law %s, $\mathrm{Var}(q\cdot k)$ at $d_k = %s$ is %s, where theory says %s.`,
			text(law), numberIn(e, names.ParamDimension), figure.Measured(e), digits.Short(float64(e.Theory)))
	},
}
