package lesson

import (
	"math"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
)

// HandoutView is the view of the sheet for print.
type HandoutView struct {
	Verdict view.Verdict
	Law     string
	Widths  []width
	Doubt   string // what keeps the widths from bearing theory out
	Softmax weightsUnder
}

// width is the size of a score at one d_k.
type width struct {
	Dim, SD        string
	Variance, Left string // measured, before and after the scale
}

// handoutWidths are the d_k of the handout: squares, so that the roots are whole.
var handoutWidths = []float64{4, 16, 64, 256, 1024}

// Handout fills the sheet for print.
func Handout(s *view.Source) HandoutView {
	v := HandoutView{Verdict: s.Verdict(), Law: view.LawHead(s.Law), Softmax: weightsOf(s)}
	a := facts{src: s}
	for _, d := range handoutWidths {
		w := width{Dim: digits.Short(d), SD: digits.Short(math.Sqrt(d)), Variance: measuredAt(&a, variance(s, d)), Left: measuredAt(&a, scaled(s).With(names.ParamDimension, d).With(names.ParamExponent, 0.5))}
		v.Widths = append(v.Widths, w)
	}
	v.Doubt = a.doubt()
	return v
}

// measuredAt writes the row that f admits with its error, or a dash.
func measuredAt(a *facts, f rows.Filter) string {
	if a.say(f) == "" {
		return digits.None
	}
	return view.Measured(a.shown[len(a.shown)-1])
}
