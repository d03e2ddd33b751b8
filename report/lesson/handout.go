package lesson

import (
	"cmp"
	"math"

	"mcsim/report/digits"
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
		w := width{Dim: digits.Short(d), SD: digits.Short(math.Sqrt(d)),
			Variance: cmp.Or(a.say(variance(s, d)), digits.None),
			Left:     cmp.Or(a.say(scaled(s).With(names.ParamDimension, d).With(names.ParamExponent, 0.5)), digits.None)}
		v.Widths = append(v.Widths, w)
	}
	v.Doubt = a.doubt()
	return v
}
