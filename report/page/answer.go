package page

import (
	"fmt"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// answerView is the view of the first page.
type answerView struct {
	Verdict view.Verdict
	Support view.Support
	Numbers view.Table
	Law     string // of the components, where nothing else is said
	Widths  bool   // more than one dimension was drawn
	Dim     string
	Raw     string // variance of the unscaled score at Dim
	Halved  string // what p = 1/2 leaves there
	Flat    string // exponent that makes the variance flat
	Advice  advice
	Softmax softmaxSummary // what softmax does to the rows of one grid
	Sharp   view.Support   // of that
	// Frameworks is what defaults make of the logits of a head.
	Frameworks frameworksView
	// Walks and Ranks report whether there are lines through single rows to show.
	Walks, Ranks bool
	Held         string // the experiments of the document, in words
	Has          pagesWithRows
}

// pagesWithRows says which pages have rows or examples to show, for routes to lead to no others.
type pagesWithRows struct{ Softmax, Alignment, Init, Rules, Depth, Training, Precision, Claims, Examples bool }

// advice is what the rows support of the advice that the first page gives: a
// number stands only where it says what its sentence says of it.
type advice struct {
	Any        bool
	One        bool   // only the dimension 1, where all scales are one
	Keep       string // what p = 1/2 leaves
	Sharp      string // the unscaled variance, where it is large
	Faint      string // what p = 1 leaves, where it is small
	Rule       string // what √(d_k/2) leaves
	Laws       string // how many laws were drawn, in words, where they agree
	Shape      *shape // what the law makes of softmax all the same
	Everywhere bool   // the same at every dimension, by the gates
}

// shape is the median R of two laws that differ in it, under the usual scale.
type shape struct{ Law, R, OtherLaw, OtherR string }

// named is one of the decisive numbers: a row, under a name of its own.
type named struct {
	name string
	row  rows.Filter
}

// decisive are the numbers of the first page: that the variance is d_k, that
// it grows as its first power, which exponent undoes this, and what is left.
func decisive(s *view.Source, dim float64) []named {
	of := func(f rows.Filter) rows.Filter { return f.With(names.ParamLaw, s.Law) }
	d := view.Short(result.Number(dim))
	return []named{
		{"Var(q·k) at d_k" + view.Equals + d, of(rows.Variance(names.ScoreVariance)).With(names.ParamDimension, dim)},
		{"slope of ln Var(q·k) on ln d_k", of(exponentRows(names.VarianceSlope)).With(names.ParamExponent, 0.0)},
		{"exponent that makes the variance flat", of(exponentRows(names.FlatExponent))},
		{"variance left by √d_k at d_k" + view.Equals + d, of(exponentRows(names.ScaledVariance)).With(names.ParamDimension, dim).With(names.ParamExponent, 0.5)},
	}
}

// answer fills the first page.
func answer(s *view.Source) answerView {
	es := s.Estimates(rows.Variance(names.ScoreVariance).With(names.ParamLaw, s.Law))
	if len(es) == 0 {
		es = s.Estimates(exponentRows(names.ScaledVariance).With(names.ParamLaw, s.Law))
	}
	dims := rows.Numbers(es, names.ParamDimension)
	dim := headline(dims)
	a := answerView{Verdict: s.Verdict(), Law: markdown.Escape(s.Law), Dim: view.Short(result.Number(dim)), Widths: len(dims) > 1,
		Softmax: summarySoftmax(s, rows.SoftmaxGrid(s.Doc)), Frameworks: frameworks(s)}
	a.Held, a.Has = held(s)
	shown := func(quantity, axis string) bool {
		return len(rows.Drawn(s.Doc, rows.Ranks(quantity).Within(rows.RanksGrid(s.Doc)), axis)) > 0
	}
	a.Walks, a.Ranks = shown(names.PartialScore, names.ParamComponents), shown(names.RankedWeight, names.ParamRank)
	t := view.Table{Head: []string{"quantity", "measured", "theory"}}
	for _, n := range decisive(s, dim) {
		e, ok := rows.One(s.Doc, n.row)
		if !ok {
			continue
		}
		t.Rows = append(t.Rows, []string{n.name, view.Measured(e), view.Short(e.Theory)})
	}
	t.Caption = fmt.Sprintf("The %s, for %s, with %s.", map[bool]string{true: "number that decides", false: digits.InWords(len(t.Rows)) + " numbers that decide"}[len(t.Rows) == 1],
		view.LawHead(s.Law), map[bool]string{true: "its standard error", false: "their standard errors"}[len(t.Rows) == 1])
	a.Numbers = t
	grid := rows.SoftmaxGrid(s.Doc)
	a.Sharp = s.Support(sharpRows(s, grid), names.MaxWeight, names.GradientSurvival)
	fillAnswer(s, &a, dim)
	return a
}

// held names the experiments that the document has rows of, and the pages that show them.
func held(s *view.Source) (text string, has pagesWithRows) {
	var experiments []string
	for _, e := range s.Doc.Estimates {
		if !slices.Contains(experiments, e.Experiment) {
			experiments = append(experiments, e.Experiment)
		}
	}
	any := func(of ...string) bool {
		return slices.ContainsFunc(of, func(name string) bool { return slices.Contains(experiments, name) })
	}
	has = pagesWithRows{
		Softmax: any(names.ExperimentSoftmax, names.ExperimentFreezing), Alignment: any(names.ExperimentAlignment),
		Init: any(names.ExperimentInit, names.ExperimentMismatch), Rules: any(names.ExperimentRules), Depth: any(names.ExperimentDepth),
		Training: any(names.ExperimentTraining), Precision: any(names.ExperimentPrecision), Claims: len(s.Doc.Claims) > 0, Examples: len(s.Doc.Examples) > 0,
	}
	if len(experiments) == 0 {
		return "", has
	}
	return digits.Form(len(experiments), "the experiment ", "the experiments ") + markdown.Escape(view.Listed(experiments)), has
}

// fillAnswer fills the numbers that the prose uses; an absent row leaves its
// string empty, and the template leaves out the sentence.
func fillAnswer(s *view.Source, a *answerView, dim float64) {
	far := exponentRows(names.ScaledVariance).With(names.ParamLaw, s.Law).With(names.ParamDimension, dim)
	raw := rows.Variance(names.ScoreVariance).With(names.ParamLaw, s.Law).With(names.ParamDimension, dim)
	halved := far.With(names.ParamExponent, 0.5)
	var shown []result.Estimate
	say := func(f rows.Filter) string {
		if e, ok := rows.One(s.Doc, f); ok {
			shown = append(shown, e)
		}
		return s.SaidAt(f)
	}
	a.Raw, a.Halved, a.Flat = say(raw), say(halved), say(exponentRows(names.FlatExponent).With(names.ParamLaw, s.Law))
	a.Support = s.Support(shown, names.ScoreVariance, names.ScaledVariance, names.VarianceSlope)
	a.Support.Firm = a.Support.Firm && gated(s, names.VarianceSlope) && gated(s, names.ScoreVariance)
	if !a.Verdict.Passed && !a.Verdict.None {
		return // nobody is advised from rows whose gates do not pass
	}
	v := &a.Advice
	v.One = !a.Widths && dim == 1
	v.Everywhere = a.Widths && a.Support.Firm
	if v.One {
		return
	}
	where := func(f rows.Filter, holds func(result.Estimate) bool) string {
		if e, ok := rows.One(s.Doc, f); !ok || !holds(e) {
			return ""
		}
		return s.SaidAt(f)
	}
	sure := func(e result.Estimate) bool {
		return v.Everywhere && !rows.Strays(e) && e.Theory.Present() || view.Agrees(e)
	}
	v.Keep, v.Rule = where(halved, sure), where(far.With(names.ParamRule, names.RuleHalfRoot), sure)
	v.Shape = shapeMatters(s)
	v.Sharp = where(raw, func(e result.Estimate) bool { return view.Above(e, view.Sharp) })
	v.Faint = where(far.With(names.ParamExponent, 1.0), func(e result.Estimate) bool { return view.Below(e, view.Faint) })
	if s.Support(s.Estimates(rows.Variance(names.ScoreVariance)), names.ScoreVariance).Firm {
		v.Laws = lawCount(s)
	}
	v.Any = v.Keep != "" || v.Sharp != "" || v.Faint != "" || v.Rule != "" || v.Laws != ""
}

// gated reports whether any gate judges a quantity.
func gated(s *view.Source, quantity string) bool {
	return slices.ContainsFunc(s.Doc.Gates, func(g result.Gate) bool { return g.Quantity == quantity })
}

// headline picks the dimension that the first page speaks of: 512, or the
// largest there is.
func headline(dims []float64) float64 {
	best := 0.0
	for _, d := range dims {
		if d == 512 {
			return d
		}
		best = d
	}
	return best
}

// apart is by how many half-widths of their intervals, on either side, two medians must
// differ to be called different: the law is chosen as the one that differs most.
const apart = 2.5

// shapeMatters finds the law whose median R is farthest from that of the default law at
// one d_k, beyond what the intervals of both leave open.
func shapeMatters(s *view.Source) *shape {
	at := lawsCompared(s)
	median := rows.Softmax(names.Quantile(names.GradientSurvival, 0.5)).Within(at).With(names.ParamExponent, 0.5)
	own, ok := rows.One(s.Doc, median.With(names.ParamLaw, s.Law))
	if !ok || !own.Lo.Present() || !own.Hi.Present() {
		return nil
	}
	var found *shape
	far := result.Number(0)
	for _, law := range rows.Names(s.Estimates(median), names.ParamLaw) {
		e, ok := rows.One(s.Doc, median.With(names.ParamLaw, law))
		gap := max(e.Value-own.Value-apart*(own.Hi-own.Value+e.Value-e.Lo), own.Value-e.Value-apart*(own.Value-own.Lo+e.Hi-e.Value))
		if !ok || !(gap > far) {
			continue
		}
		far = gap
		found = &shape{view.LawHead(s.Law), view.Said(own), view.LawHead(law), view.Said(e)}
	}
	return found
}

// lawCount says how many laws have a gate on the variance, where there is something to
// compare.
func lawCount(s *view.Source) string {
	laws := map[string]bool{}
	for _, g := range s.GatesAmong(names.ExperimentVariance, names.ScoreVariance) {
		laws[view.LawOf(g.Params)] = true
	}
	n := len(laws)
	if n < 2 {
		return ""
	}
	return digits.InWords(n)
}
