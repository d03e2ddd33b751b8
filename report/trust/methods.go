package trust

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
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

// methodsView is the view of the page on how the numbers come about.
type methodsView struct {
	Name   string // of the plan
	Seed   string
	Digest string
	Schema string
	Kernel string
	Gates  string
	Alpha  string
	Part   string // the experiments that are drawn, if not all of the plan are
	Beta   string
	Pairs  view.Table

	Gram     bool   // some variances are estimated from matrices
	GramFrom string // which
	Softmax  bool   // rows of softmax are measured
	Bounded  string // how many gates have limits for any law of bounded numbers, by experiment
	Inits    bool   // weights are drawn by initialisations

	Held     held // how often intervals of the variance held the exact value
	Coverage view.Table
	Verdicts view.Table
	Plan     string // the whole plan, indented, for a block of code
}

// Methods fills the page on sampling, errors and gates.
func Methods(s *view.Source) methodsView {
	v := methodsView{
		Name:     markdown.Escape(s.Plan.Name),
		Seed:     strconv.FormatUint(s.Doc.Seed, 10), // not grouped: it is to be typed
		Digest:   markdown.Code(s.Doc.Digest),
		Schema:   markdown.Code(s.Doc.Schema),
		Kernel:   digits.Count(int64(s.Doc.Kernel)),
		Gates:    digits.Count(int64(s.Doc.Budget.Gates)),
		Alpha:    view.Short(s.Doc.Budget.Alpha),
		Beta:     view.Short(s.Doc.Budget.Beta),
		Part:     markdown.Escape(strings.Join(s.Plan.Only, ", ")),
		Pairs:    pairs(s),
		Softmax:  rowsOfSoftmax(s),
		Bounded:  boundedGates(s),
		Inits:    len(s.Estimates(rows.Init(names.LogitSD))) > 0,
		Held:     heldVariances(s),
		Coverage: coverage(s),
		Verdicts: wrongVerdicts(s),
		Plan:     planText(s),
	}
	v.Gram, v.GramFrom = gram(s)
	return v
}

// rowExperiments are those that draw rows of softmax.
var rowExperiments = []string{names.ExperimentSoftmax, names.ExperimentFreezing, names.ExperimentAlignment}

// rowsOfSoftmax reports whether a row of softmax was measured.
func rowsOfSoftmax(s *view.Source) bool {
	return slices.ContainsFunc(s.Doc.Estimates, func(e result.Estimate) bool {
		return e.Quantity == names.GradientSurvival && slices.Contains(rowExperiments, e.Experiment)
	})
}

// boundedGates counts the gates whose limits hold for any law of bounded numbers, and
// says of which experiments they are: "685 of the 1385 gates (softmax 485, ...)".
func boundedGates(s *view.Source) string {
	var gates []result.Gate
	for _, g := range s.Doc.Gates {
		if view.OfBounded(g) {
			gates = append(gates, g)
		}
	}
	if len(gates) == 0 {
		return ""
	}
	var parts []string
	experiments, of := view.ByKey(gates, func(g result.Gate) string { return g.Experiment })
	for _, e := range experiments {
		parts = append(parts, markdown.Escape(e)+" "+digits.Count(int64(len(of[e]))))
	}
	return digits.Count(int64(len(gates))) + " of the " + digits.Count(int64(len(s.Doc.Gates))) + " gates (" + strings.Join(parts, ", ") + ")"
}

// gram reports whether any variance is estimated from matrices, and says from
// which d_k on that is so for all.
func gram(s *view.Source) (any bool, from string) {
	first, last := math.Inf(1), 0.0
	for _, e := range s.Estimates(rows.Variance(names.ScoreVariance)) {
		d, _ := e.Params.Number(names.ParamDimension)
		if view.IsGram(e) {
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
func pairs(s *view.Source) view.Table {
	f := rows.Variance(names.ScoreVariance)
	t := view.Table{Caption: "How many scores of a query with a key each variance rests on, for each law and d_k."}
	return s.EachLaw(t, f, func(e result.Estimate) []string { return []string{view.Scores(e)} })
}

// planText writes the plan with a line for each key and each experiment. In
// JSON a line begins with a space or a brace, so that no string of the plan
// can close the block of code around it.
func planText(s *view.Source) string {
	var keys map[string]json.RawMessage
	var experiments []json.RawMessage
	if json.Unmarshal(s.Doc.Plan, &keys) != nil || json.Unmarshal(keys["experiments"], &experiments) != nil {
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

// compact writes JSON without spaces.
func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return "null"
	}
	return b.String()
}
