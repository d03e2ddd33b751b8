package report

import (
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// rulesView is the view of the page on rules that make a logit.
type rulesView struct {
	Verdict    verdict
	Any        bool
	Flat       string // rules whose variance is flat
	Not        string // those whose is not, with their slopes
	Undecided  string
	Gates      string
	Variance   table
	Operations table
	Sources    table
}

func (s *source) rules() rulesView {
	grid := rows.RuleGrid(s.doc)
	names := rows.Names(s.estimates(rows.Rule("logit_variance").Within(grid)), "rule")
	v := rulesView{
		Verdict: s.verdict(), Any: len(names) > 0,
		Gates:      s.gatesOn("rules", "logit_variance_slope", "the slopes of rules"),
		Variance:   s.ruleVariances(grid, names),
		Operations: s.ruleOperations(grid),
		Sources:    s.ruleSources(names),
	}
	v.Flat, v.Not, v.Undecided = s.byFlatness(grid, names)
	return v
}

// byFlatness lists the rules whose variance is flat, those whose is not, and
// those of which it is not known.
func (s *source) byFlatness(grid result.Params, names []string) (flat, not, undecided string) {
	var lists [3][]string
	for _, name := range names {
		slope, both := rows.One(s.doc, rows.Rule("logit_variance_slope").Within(grid).With("rule", name))
		verdict, decided := rows.One(s.doc, rows.Rule("flat").Within(grid).With("rule", name))
		switch {
		case !both:
		case !decided:
			lists[2] = append(lists[2], ruleName(name))
		case verdict.Value == 1:
			lists[0] = append(lists[0], ruleName(name))
		default:
			lists[1] = append(lists[1], ruleName(name)+" (slope "+measured(slope)+")")
		}
	}
	return strings.Join(lists[0], ", "), strings.Join(lists[1], ", "), strings.Join(lists[2], ", ")
}

// formulaOf is what a rule makes of a score, as text.
func (s *source) formulaOf(rule string) string {
	scheme, _ := rows.Scheme(s.doc, "rules", rule)
	return escape(scheme.Logit)
}

// ruleVariances holds the slope of each rule, whether it is flat, and what its
// variance is at the largest d_k.
func (s *source) ruleVariances(grid result.Params, names []string) table {
	dims := rows.Numbers(s.estimates(rows.Rule("logit_variance").Within(grid)), "d_k")
	if len(dims) == 0 {
		return table{}
	}
	last := dims[len(dims)-1]
	t := table{
		Caption: "The logit under each rule, the slope of the logarithm of its variance on ln d_k, whether the variance is flat within the tolerance, and the variance at the largest d_k. S is the score q·k, n the number of keys." + conciseNote,
		Head:    []string{"rule", "logit", "slope", "theory", "flat", "variance at d_k" + is + digits.Short(last), "theory"},
		Left:    []int{1, 4},
	}
	for _, name := range names {
		f := func(q string) rows.Filter { return rows.Rule(q).Within(grid).With("rule", name) }
		line := []string{ruleName(name), s.formulaOf(name)}
		line = append(line, s.held(f("logit_variance_slope"))[:2]...)
		line = append(line, s.yesNo(f("flat")))
		t.Rows = append(t.Rows, append(line, s.held(f("logit_variance").With("d_k", last))[:2]...))
	}
	return t
}

// yesNo writes a row that is 1 or 0.
func (s *source) yesNo(f rows.Filter) string {
	e, ok := rows.One(s.doc, f)
	switch {
	case !ok:
		return "not decided"
	case e.Value == 1:
		return "yes"
	}
	return "no"
}

// operations are the counts that a table shows.
var operations = []softmaxMean{{"multiplications", "×"}, {"additions", "+"}, {"divisions", "÷"}, {"square_roots", "√"}, {"tanhs", "tanh"}}

// ruleOperations holds what each rule takes for a pair, and for a vector once,
// at the usual d_k or the largest one.
func (s *source) ruleOperations(grid result.Params) table {
	of := func(q, per string) rows.Filter { return rows.Rule(q).With("per", per) }
	es := s.estimates(of("multiplications", "pair"))
	dims := rows.Numbers(es, "d_k")
	if len(dims) == 0 {
		return table{}
	}
	d := dims[len(dims)-1]
	if slices.Contains(dims, 64) {
		d = 64
	}
	t := table{
		Caption: "Operations at d_k" + is + digits.Short(d) + ": for each pair of a query and a key, and once for each query or key, which is normalised or multiplied by its weights. They are counted, not measured; the exponential of softmax is not among them.",
		Head:    []string{"rule"},
	}
	for _, per := range []string{"pair", "vector"} {
		for _, o := range operations {
			t.Head = append(t.Head, o.head+" per "+per)
		}
	}
	for _, name := range rows.Names(es, "rule") {
		line := []string{ruleName(name)}
		for _, per := range []string{"pair", "vector"} {
			for _, o := range operations {
				line = append(line, s.counted(of(o.quantity, per).With("rule", name).With("d_k", d)))
			}
		}
		t.Rows = append(t.Rows, line)
	}
	return t.withoutEmpty()
}

// counted writes a number of operations; none is 0.
func (s *source) counted(f rows.Filter) string {
	e, ok := rows.One(s.doc, f)
	if !ok {
		return "0"
	}
	return digits.Short(float64(e.Value))
}

// withoutEmpty drops the columns behind the first in which all is 0.
func (t table) withoutEmpty() table {
	for i := len(t.Head) - 1; i > 0; i-- {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "0" }) {
			continue
		}
		t.Head = slices.Delete(t.Head, i, i+1)
		for j := range t.Rows {
			t.Rows[j] = slices.Delete(t.Rows[j], i, i+1)
		}
	}
	return t
}

// ruleSources says who proposed which rule.
func (s *source) ruleSources(names []string) table {
	t := table{Caption: "Where rules come from, as far as they are anybody's in particular.", Head: []string{"rule", "source"}, Left: []int{1}}
	for _, name := range names {
		if scheme, ok := rows.Scheme(s.doc, "rules", name); ok && scheme.Source != "" {
			t.Rows = append(t.Rows, []string{ruleName(name), escape(scheme.Source)})
		}
	}
	return t
}
