package report

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
)

// methodsView is the view of the page on how the numbers come about.
type methodsView struct {
	Name   string // of the plan
	Seed   string
	Digest string
	Schema string
	Kernel string
	Gates  string
	Alpha  string
	Beta   string
	Pairs  table

	Rows bool // some rows are those of softmax

	Gram     bool   // some variances are estimated from matrices
	GramFrom string // which

	Softmax bool // rows of softmax are measured

	Inits bool // weights are drawn by initialisations

	Held    string // how often an interval of the variance held the exact value
	HeldDim string
	Runs    string

	Coverage table
	Verdicts table
	Plan     string // the whole plan, indented, for a block of code
}

func (s *source) methods() methodsView {
	v := methodsView{
		Name:     escape(s.plan.Name),
		Seed:     strconv.FormatUint(s.doc.Seed, 10), // not grouped: it is to be typed
		Digest:   code(s.doc.Digest),
		Schema:   code(s.doc.Schema),
		Kernel:   digits.Count(int64(s.doc.Kernel)),
		Gates:    digits.Count(int64(s.doc.Budget.Gates)),
		Alpha:    short(s.doc.Budget.Alpha),
		Beta:     short(s.doc.Budget.Beta),
		Pairs:    s.pairs(),
		Coverage: s.coverage(),
		Verdicts: s.wrongVerdicts(),
		Plan:     s.planText(),
	}
	v.Gram, v.GramFrom = s.gram()
	v.Rows = len(s.estimates(rows.Filter{Experiment: "softmax", Quantity: "max_weight"})) > 0
	v.Softmax = len(s.estimates(rows.Filter{Quantity: "gradient_survival_q50"})) > 0
	v.Inits = len(s.estimates(rows.Init("logit_sd"))) > 0
	for _, e := range s.estimates(rows.Filter{Experiment: calibration, Quantity: "coverage"}.With("law", s.law).With("interval", "variance, exact error")) {
		d, _ := e.Params.Number("d_k")
		v.Held, v.HeldDim, v.Runs = share(e), digits.Short(d), digits.Count(e.N) // the largest d_k comes last
	}
	return v
}

// gram reports whether any variance is estimated from matrices, and says from
// which d_k on that is so for all.
func (s *source) gram() (any bool, from string) {
	first, last := math.Inf(1), 0.0
	for _, e := range s.estimates(variance("score_variance")) {
		d, _ := e.Params.Number("d_k")
		if isGram(e) {
			first = min(first, d)
		} else {
			last = max(last, d)
		}
	}
	switch {
	case math.IsInf(first, 1):
		return false, ""
	case last == 0:
		return true, "Here all variances are estimated so."
	case last < first:
		return true, "Here the variances at $d_k$ = " + digits.Short(first) + " and above are estimated so, those at " + digits.Short(last) + " and below directly."
	}
	return true, ""
}

// pairs says how many scores each variance rests on.
func (s *source) pairs() table {
	f := variance("score_variance")
	es := s.estimates(f)
	laws := rows.Names(es, "law")
	t := table{Caption: "How many scores of a query with a key each variance rests on, for each law and d_k." + gramNote(es), Head: []string{"d_k"}}
	for _, law := range laws {
		t.Head = append(t.Head, escape(law))
	}
	for _, l := range s.lines(f) {
		line := []string{l.name()}
		for _, law := range laws {
			cell := ""
			if e, ok := rows.One(s.doc, l.of(f.With("law", law))); ok {
				cell = scores(e)
			}
			line = append(line, cell)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// planText writes the plan with a line for each key and each experiment. In
// JSON a line begins with a space or a brace, so that no string of the plan
// can close the block of code around it.
func (s *source) planText() string {
	var keys map[string]json.RawMessage
	var experiments []json.RawMessage
	if json.Unmarshal(s.doc.Plan, &keys) != nil || json.Unmarshal(keys["experiments"], &experiments) != nil {
		return ""
	}
	lines := make([]string, len(experiments))
	for i, e := range experiments {
		lines[i] = "    " + compact(e)
	}
	delete(keys, "experiments")
	var head []string
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		head = append(head, "  "+strconv.Quote(k)+": "+compact(keys[k]))
	}
	head = append(head, "  \"experiments\": [\n"+strings.Join(lines, ",\n")+"\n  ]")
	return "{\n" + strings.Join(head, ",\n") + "\n}"
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return "null"
	}
	return b.String()
}
