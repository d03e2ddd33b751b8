package page

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// rulesView is the view of the page on rules that make a logit.
type rulesView struct {
	Verdict    view.Verdict
	Any        bool
	Support    view.Support // of the slopes, by their gates
	Count      string       // how many rules were drawn, in words
	Flat       string       // of how many the variance is flat, in words; empty for none
	Not        string       // of how many it is not, likewise
	Root       bool         // the square root is one of the flat ones
	Undecided  string       // rules of which it is not known
	Gates      string
	Variance   view.Table
	Operations view.Table
	Sources    view.Table
	Hidden     string // the d_a of an additive rule that is not flat
	Additive   bool   // there is an additive rule
}

// rules fills the page on rules.
func rules(s *view.Source) rulesView {
	grid := rows.RuleGrid(s.Doc)
	which := rows.Names(s.Estimates(rows.Rule(names.LogitVariance).Within(grid)), names.ParamRule)
	v := rulesView{
		Verdict: s.Verdict(), Any: len(which) > 0,
		Gates:      s.GatesOn(names.ExperimentRules, names.LogitVarianceSlope, "the slopes of rules"),
		Variance:   ruleVariances(s, grid, which),
		Operations: ruleOperations(s, grid),
		Sources:    ruleSources(s, which),
		Hidden:     hiddenUnits(s, grid, which),
		Additive:   slices.ContainsFunc(which, func(n string) bool { return strings.HasPrefix(n, names.RuleAdditive) }),
	}
	flat, not, undecided := byFlatness(s, grid, which)
	if len(flat) > 0 {
		v.Flat = digits.InWords(len(flat))
	}
	if len(not) > 0 {
		v.Not = digits.InWords(len(not))
	}
	v.Count, v.Root, v.Undecided = digits.InWords(len(which)), slices.Contains(flat, rootRule), strings.Join(undecided, ", ")
	v.Support = s.Support(s.Estimates(rows.Rule(names.LogitVarianceSlope).Within(grid)), names.LogitVarianceSlope)
	return v
}

// rootRule is how plans call dividing by the square root among rules.
var rootRule = names.RulePower + "(0.5)"

// byFlatness lists the rules whose variance is flat, those whose is not, and those of
// which it is not known, as of one whose slope contradicts its theory.
func byFlatness(s *view.Source, grid result.Params, which []string) (flat, not, undecided []string) {
	for _, name := range which {
		slope, both := rows.One(s.Doc, rows.Rule(names.LogitVarianceSlope).Within(grid).With(names.ParamRule, name))
		verdict, decided := rows.One(s.Doc, rows.Rule(names.Flat).Within(grid).With(names.ParamRule, name))
		switch {
		case !both:
		case !decided, rows.Strays(slope):
			undecided = append(undecided, view.RuleName(name))
		case verdict.Value == 1:
			flat = append(flat, name)
		default:
			not = append(not, name)
		}
	}
	return flat, not, undecided
}

// ruleVariances holds the slope of each rule, whether it is flat, and what its
// variance is at the largest d_k.
func ruleVariances(s *view.Source, grid result.Params, which []string) view.Table {
	dims := rows.Numbers(s.Estimates(rows.Rule(names.LogitVariance).Within(grid)), names.ParamDimension)
	if len(dims) == 0 {
		return view.Table{}
	}
	last := dims[len(dims)-1]
	of := func(q string) rows.Filter { return rows.Rule(q).Within(grid) }
	t := s.Fill(view.Table{
		Caption: "Each rule: whether the variance of its logit is flat within the tolerance, that variance at the largest d_k, the slope of its logarithm on ln d_k, and the logit, where *S* is the score q·k and *n* the number of keys.",
		Head:    []string{"rule"},
		Left:    []int{1, 6},
	}, view.LinesOf(names.ParamRule, which, view.RuleName), []view.Column{
		{Heads: []string{names.Flat}, Rows: of(names.Flat), Write: yesNo, Missing: "not decided"},
		{Heads: []string{"variance at d_k" + view.Equals + digits.Short(last), "theory"}, Rows: of(names.LogitVariance).With(names.ParamDimension, last), Write: view.BesideTheory},
		{Heads: []string{"slope", "theory"}, Rows: of(names.LogitVarianceSlope), Write: view.BesideTheory},
	})
	t.Head = append(t.Head, "logit")
	for i, name := range which {
		scheme, _ := rows.Scheme(s.Doc, names.ExperimentRules, name)
		t.Rows[i] = append(t.Rows[i], markdown.Formula(scheme.Logit))
	}
	return t
}

// yesNo writes a row that is 1 or 0.
func yesNo(e result.Estimate) []string {
	if e.Value == 1 {
		return []string{"yes"}
	}
	return []string{"no"}
}

// operations are the counts that a table shows.
var operations = []softmaxMean{{names.Multiplications, "×"}, {names.Additions, "+"}, {names.Divisions, "÷"}, {names.SquareRoots, "√"}, {names.Tanhs, "tanh"}}

// ruleOperations holds what each rule takes for a pair, and for a vector once,
// at the usual d_k or the largest one.
func ruleOperations(s *view.Source, grid result.Params) view.Table {
	of := func(q, per string) rows.Filter { return rows.Rule(q).With(names.ParamPer, per) }
	es := s.Estimates(of(names.Multiplications, names.PerPair))
	dims := rows.Numbers(es, names.ParamDimension)
	if len(dims) == 0 {
		return view.Table{}
	}
	d := dims[len(dims)-1]
	if slices.Contains(dims, 64) {
		d = 64
	}
	var cols []view.Column
	for _, per := range []string{names.PerPair, names.PerVector} {
		for _, o := range operations {
			cols = append(cols, view.Column{Heads: []string{o.head + " per " + per}, Rows: of(o.quantity, per).With(names.ParamDimension, d), Missing: "0",
				Write: func(e result.Estimate) []string { return []string{view.Short(e.Value)} }})
		}
	}
	return s.Fill(view.Table{
		Caption: "Operations at d_k" + view.Equals + digits.Short(d) + ": for each pair of a query and a key, and once for each query or key, which is normalised or multiplied by its weights. They are counted, not measured; the exponential of softmax is not among them.",
		Head:    []string{"rule"},
	}, view.LinesOf(names.ParamRule, rows.Names(es, names.ParamRule), view.RuleName), cols).WithoutZeros()
}

// ruleSources says who proposed which rule.
func ruleSources(s *view.Source, which []string) view.Table {
	t := view.Table{Caption: "Where rules come from.", Head: []string{"rule", "source"}, Left: []int{1}}
	for _, name := range which {
		if scheme, ok := rows.Scheme(s.Doc, names.ExperimentRules, name); ok && scheme.Source != "" {
			t.Rows = append(t.Rows, []string{view.RuleName(name), view.References(sourceAt(name, scheme.Source))})
		}
	}
	return t
}

// constantOf is the number in the name of a rule, as power(0.5) has it.
var constantOf = regexp.MustCompile(`\(([0-9.e+-]+)\)$`)

// sourceCase is a source of one number of a rule alone, as "p = 1/2: whose".
var sourceCase = regexp.MustCompile(`^\pL = ([0-9./]+): (.+)$`)

// sourceAt is what is said of the source at the number of a rule: of cases, which
// semicolons part, the one of that number.
func sourceAt(rule, source string) string {
	constant := ""
	if m := constantOf.FindStringSubmatch(rule); m != nil {
		constant = m[1]
	}
	cases := false
	for _, part := range strings.Split(source, "; ") {
		m := sourceCase.FindStringSubmatch(part)
		if m == nil {
			continue
		}
		cases = true
		if x, err := strconv.ParseFloat(constant, 64); err == nil && digits.Fraction(x) == m[1] {
			return m[2]
		}
	}
	switch {
	case !cases:
		return source
	case constant == "0":
		return "none: the score as it is"
	}
	return "none of its own"
}

// hiddenUnits is the d_a of an additive rule among those that are not flat, which
// has as many hidden units at every d_k.
func hiddenUnits(s *view.Source, grid result.Params, which []string) string {
	for _, name := range which {
		m := constantOf.FindStringSubmatch(name)
		flat, decided := rows.One(s.Doc, rows.Rule(names.Flat).Within(grid).With(names.ParamRule, name))
		if m != nil && strings.HasPrefix(name, "additive(") && decided && flat.Value == 0 {
			return m[1]
		}
	}
	return ""
}
