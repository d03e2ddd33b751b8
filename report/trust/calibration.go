package trust

import (
	"cmp"
	"math"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// held is how often intervals of a variance held the exact value, over small runs, at
// the d_k at which they did so least often and most often.
type held struct {
	Runs        string
	Least, Most view.Point // one where there is only one d_k
	Declared    string
	Short       bool // at Least the limits of the share lie below what is declared
}

// heldVariances finds the shares of the intervals that the pages print of a variance,
// where they declare how often they hold it.
func heldVariances(s *view.Source) (h held) {
	es := s.Estimates(rows.Filter{Experiment: names.ExperimentCalibration, Quantity: names.Coverage}.With(names.ParamLaw, s.Law).With(names.ParamInterval, "variance, exact error"))
	es = slices.DeleteFunc(es, func(e result.Estimate) bool { return !e.Theory.Present() })
	if len(es) == 0 {
		return h
	}
	byShare := func(a, b result.Estimate) int { return cmp.Compare(a.Value, b.Value) }
	point := func(e result.Estimate) view.Point {
		return view.Point{Dim: view.NumberIn(e.Params, names.ParamDimension), Value: share(e)}
	}
	least := slices.MinFunc(es, byShare)
	h = held{Runs: digits.Count(least.N), Least: point(least), Declared: digits.Percent(float64(least.Theory)), Short: least.Hi < least.Theory}
	if len(es) > 1 {
		h.Most = point(slices.MaxFunc(es, byShare))
	}
	return h
}

// coverage is how often the intervals hold the exact value.
func coverage(s *view.Source) view.Table {
	t := view.Table{
		Caption: "How often a 95 % interval holds the exact value, over independent small runs, with the exact 95 % limits of the share. " +
			"Where nothing is declared the program prints no interval, and the share says what one would hold.",
		Head: []string{"interval", "law", names.ParamDimension, "pairs", "runs", "declared", "counted"},
		Left: []int{1},
	}
	for _, e := range s.Estimates(rows.Filter{Experiment: names.ExperimentCalibration, Quantity: names.Coverage}) {
		kind, _ := e.Params.Text(names.ParamInterval)
		t.Rows = append(t.Rows, append(append([]string{markdown.Escape(kind)}, smallRun(e)...), digits.Count(e.N), declared(e), share(e)))
	}
	return t
}

// verdicts is how often the gates give a wrong verdict, a column for each rate.
func wrongVerdicts(s *view.Source) view.Table {
	f := rows.Filter{Experiment: names.ExperimentCalibration, Quantity: names.FalseFail}
	rates := rows.Numbers(s.Estimates(f), names.ParamRate)
	t := view.Table{
		Caption: "How often a gate gives a wrong verdict, over the same runs, with the exact 95 % limits of the share. The rates are those that the gate declares at most, for both of its errors. " +
			"A false fail is any verdict but pass although all is as theory says. A false pass is a pass although the truth lies on an edge of the band. " +
			"In italics: nothing is declared, because the program would draw more pairs before it judges, or because its limits are not good enough.",
		Head: []string{"gate", "wrong verdict", "law", names.ParamDimension, "pairs"},
		Left: []int{1, 2},
	}
	for i := len(rates) - 1; i >= 0; i-- {
		t.Head = append(t.Head, "at most "+digits.Percent(rates[i]))
	}
	for _, first := range wrong(s, rows.Largest(s.Estimates(f), names.ParamRate)) {
		gate, _ := first.Params.Text(names.ParamGate)
		line := append([]string{markdown.Escape(gate), wrongName(first)}, smallRun(first)...)
		for i := len(rates) - 1; i >= 0; i-- {
			line = append(line, shareAt(s, first, rates[i]))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// wrong are the rows of the largest rate, each of which stands for a line.
func wrong(s *view.Source, largest float64) []result.Estimate {
	var out []result.Estimate
	for _, e := range s.Doc.Estimates {
		rate, _ := e.Params.Number(names.ParamRate)
		if e.Experiment == names.ExperimentCalibration && e.Quantity != names.Coverage && rate == largest {
			out = append(out, e)
		}
	}
	return out
}

// shareAt is the share of the same event at another rate.
func shareAt(s *view.Source, e result.Estimate, rate float64) string {
	f := rows.Filter{Experiment: names.ExperimentCalibration, Quantity: e.Quantity, At: e.Params}.With(names.ParamRate, rate)
	if _, ok := e.Params.Text(names.ParamEdge); !ok {
		f.Lacks = []string{names.ParamEdge}
	}
	at, ok := rows.One(s.Doc, f)
	if !ok {
		return ""
	}
	if !at.Theory.Present() {
		return "*" + share(at) + "*"
	}
	return share(at)
}

// wrongName says which error a share of verdicts is.
func wrongName(e result.Estimate) string {
	name := view.QuantityName(e.Quantity)
	if edge, ok := e.Params.Text(names.ParamEdge); ok {
		name += ", " + markdown.Escape(edge) + " edge"
	}
	return name
}

// smallRun is the point of a row: its law, d_k and pairs.
func smallRun(e result.Estimate) []string {
	pairs, _ := e.Params.Number(names.ParamPairs)
	return []string{markdown.Escape(view.LawOf(e.Params)), view.NumberIn(e.Params, names.ParamDimension), digits.Count(int64(math.Round(pairs)))}
}

// declared writes the rate that a gate declared, or that it declared none.
func declared(e result.Estimate) string {
	if !e.Theory.Present() {
		return "nothing" // it prints no interval, or would draw more before it judges
	}
	return digits.Percent(float64(e.Theory))
}

// share writes a counted share with its exact limits, in per cent.
func share(e result.Estimate) string {
	return digits.Within(100*float64(e.Value), 100*float64(e.Lo), 100*float64(e.Hi)) + "\u00a0%"
}
