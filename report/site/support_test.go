package site

import (
	"slices"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// claim is a sentence that only rows and gates can earn, and what stands in its place
// where they do not.
type claim struct {
	strong string
	weak   []string // one of them; empty: nothing is said instead, and the verdict stands first
	rows   func(e *result.Estimate) bool
	gated  bool // gates support it
	theory bool // it needs the theory of its rows
	spoil  func(e *result.Estimate)
}

// of are the rows of an experiment's quantity, and of further parameters.
func of(experiment, quantity string, params ...any) func(*result.Estimate) bool {
	at := result.Params{}
	for i := 0; i < len(params); i += 2 {
		at[params[i].(string)] = params[i+1]
	}
	f := rows.Filter{Experiment: experiment, Quantity: quantity, At: at}
	return func(e *result.Estimate) bool {
		return len(rows.Estimates(&result.Document{Estimates: []result.Estimate{*e}}, f)) > 0
	}
}

// moved puts a row a hundred half-widths of its interval above where it was.
func moved(e *result.Estimate) {
	by := 50 * (e.Hi - e.Lo)
	if !by.Present() {
		by = 1
	}
	e.Value, e.Lo, e.Hi = e.Value+by, e.Lo+by, e.Hi+by
}

// blurred widens an interval until it holds anything.
func blurred(e *result.Estimate) { e.Lo, e.Hi, e.SE = e.Lo-1e3, e.Hi+1e3, 1e3 }

// level makes a row that of a layer like any other.
func level(e *result.Estimate) { e.Value, e.Lo, e.Hi, e.SE = 0.1, 0.05, 0.15, 0.02 }

// claims are the sentences of all templates that state a finding.
var claims = []claim{
	{"only the square root leaves attention scores $q\\cdot k$ the same", []string{"a score was measured to have a variance"}, of("exponents", names.FlatExponent), true, true, moved},
	{"only the square root leaves attention scores $q\\cdot k$ the same", []string{"a score was measured to have a variance", "The bare score was measured"}, of("exponents", names.ScaledVariance, "exponent", 0.5), true, true, moved},
	{"The square root it is", []string{"would have the same variance at every $d_k$ if"}, of("exponents", names.FlatExponent), true, true, moved},
	{"The variance of a score is the dimension", []string{"Theory says that the variance of a score is the dimension"}, of("variance", names.ScoreVariance), true, true, moved},
	{"then start with the same variance at every width", nil, of("exponents", names.ScaledVariance, "exponent", 0.5), true, true, moved},
	{"the more so the wider the head", nil, of("exponents", names.FlatExponent), true, true, moved},
	{"is just as flat", nil, of("exponents", names.ScaledVariance, "rule", "sqrt(d_k/2)"), true, true, moved},
	{"the shape of the components does not matter", nil, of("variance", names.ScoreVariance), true, true, moved},
	{"What softmax makes of the scores does depend on the shape", nil, of("softmax", names.Quantile(names.GradientSurvival, 0.5)), false, false, blurred},
	{"So divide by the square root", nil, of("exponents", names.ScaledVariance, "exponent", 0.5), true, true, moved},
	{"the bare score gives one a weight", []string{"was measured to give one a weight"}, of("softmax", names.MaxWeight, "exponent", 0.0), true, true, moved},
	{"components give one of", []string{"components were measured to give one of"}, of("softmax", names.MaxWeight, "exponent", 0.0), true, true, moved},
	{"A mean alone hides that", nil, of("softmax", names.KeyGradient), false, false, blurred},
	{"depends on how far query and key are aligned: near", []string{"which does not bear it out"}, of("alignment", names.LocalExponent), false, true, moved},
	{"what is aligned wins", []string{"the lead grow. With"}, of("alignment", names.AlignedWeight), true, true, moved},
	{"hardly depending on the dimension", []string{"the noise fade. We measured"}, of("alignment", names.AlignedWeight), true, true, moved},
	{"is the right scale at initialisation", []string{"so that the one scale suits independent"}, of("alignment", names.AlignedWeight), true, true, moved},
	{"it the same variance at every $d_k$, within the tolerance", []string{"By its measured slopes"}, of("rules", names.LogitVarianceSlope), true, true, moved},
	{"Not all common defaults and recipes give logits", []string{"Defaults and recipes were measured for the standard"}, of("init", names.LogitSD), true, true, moved},
	{"The figure of the gradient under [softmax]", nil, of("softmax", names.KeyGradient), false, false, blurred},
	{"The law of the components does not change the variance", []string{"\n### All laws\n"}, of("variance", names.ScoreVariance), true, true, moved},
	{"The slope crosses zero at one half", []string{"Where the slope crosses zero"}, of("exponents", names.FlatExponent), true, true, moved},
	{"more than half of the rows are dead", []string{"The share of rows that are saturated"}, of("softmax", names.MaxWeight, "exponent", 0.0), true, true, moved},
	{"Where gates judge it, the sample knows its own error", []string{"The error that the sample itself yields"}, of("variance", names.ScoreVarianceSE), true, true, moved},
	{"The draws are what they claim to be", []string{"The components as they were drawn"}, of("health", names.ComponentMean), true, false, nil},
	{"The same exponent gives variance one", []string{"The exponent that gives variance one"}, of("exponents", names.UnitExponent), true, true, moved},
	{"the gradient to the keys hardly depends on d_k", []string{"The gradient against the dimension"}, of("softmax", names.KeyGradient), true, false, blurred},
	{"The means are as theory says", []string{"Means and their theory"}, of("softmax", names.MaxWeight, "exponent", 0.0), true, true, moved},
	{"To softmax the law of the components does matter", []string{"\n### Other laws\n"}, of("softmax", names.Quantile(names.GradientSurvival, 0.5)), false, false, blurred},
	{"Dividing by d_k keeps the lead of an aligned key", []string{"What either scale makes of an aligned key"}, of("alignment", names.AlignedWeight), true, true, moved},
	{"the residual lets the tokens grow", []string{"which does not show that it grows"}, of("depth", names.Quantile(names.ScoreVariance, 0.5)), false, false, level},
	{"the tokens become alike", []string{"which does not show that they become alike"}, of("depth", names.Quantile(names.TokenCosine, 0.5)), false, false, level},
	{"The scores have their exact law, as far", []string{"so these scores speak against it"}, of("variance", names.ExactKSP), false, false,
		func(e *result.Estimate) { e.Value = 1e-6 }},
}

// earned is the sample, with p-values for its few pairs, with a law whose rows differ
// from those of the others by more than its few rows can show, and with unscaled rows that
// are dead, as they are at larger d_k than its own.
func earned() *result.Document {
	doc := sample.Document()
	for i := range doc.Estimates {
		if e := &doc.Estimates[i]; e.Quantity == names.ExactKSP || e.Quantity == names.ExactKS {
			e.Value = 0.6
		}
		if e := &doc.Estimates[i]; e.Quantity == names.Quantile(names.GradientSurvival, 0.5) && e.Params[names.ParamLaw] == names.LawSphere {
			e.Value, e.Lo, e.Hi = e.Value-0.1, e.Lo-0.1, e.Hi-0.1
		}
		if e := &doc.Estimates[i]; e.Quantity == names.Quantile(names.GradientSurvival, 0.5) && e.Params[names.ParamLaw] == names.LawNormal && e.Params[names.ParamExponent] == 0.0 {
			e.Value, e.SE, e.Lo, e.Hi = 1e-5, 1e-6, 0.8e-5, 1.2e-5
		}
	}
	return doc
}

// weaker fails unless the sentence is gone and, if asked, another stands in its place.
func weaker(t *testing.T, why, text string, c claim, instead bool) {
	t.Helper()
	if strings.Contains(text, c.strong) {
		t.Errorf("%s: says %q", why, c.strong)
	}
	if instead && len(c.weak) > 0 && !slices.ContainsFunc(c.weak, func(w string) bool { return strings.Contains(text, w) }) {
		t.Errorf("%s: says none of %q", why, c.weak)
	}
}

// Every finding is said where its support holds. Where its gates fail or are undecided,
// or its rows have no theory, something weaker is.
func TestFindingsFollowTheirSupport(t *testing.T) {
	text := oneDocument(t, earned())
	for _, c := range claims {
		if !strings.Contains(text, c.strong) {
			t.Errorf("where all holds, %q is not said", c.strong)
		}
	}
	for _, v := range []result.Verdict{result.Undecided, result.Fail} {
		doc := earned()
		for i := range doc.Gates {
			doc.Gates[i].Verdict = v
		}
		doc.Budget.Verdict = v
		text := oneDocument(t, doc)
		for _, c := range claims {
			if c.gated {
				weaker(t, string(v), text, c, true)
			}
		}
	}
	doc := earned()
	for i := range doc.Estimates {
		doc.Estimates[i].Theory, doc.Estimates[i].TheoryKind = result.Absent(), names.TheoryNone
	}
	text = oneDocument(t, doc)
	for _, c := range claims {
		if c.theory {
			weaker(t, "no theory", text, c, true)
		}
	}
}

// A finding is not said where its rows are moved beyond their intervals, or are not there.
func TestFindingsFollowTheirRows(t *testing.T) {
	if testing.Short() {
		t.Skip("renders two reports for each finding")
	}
	for _, c := range claims {
		doc := earned()
		if c.spoil == nil {
			continue // it rests on gates alone
		}
		found := 0
		for i := range doc.Estimates {
			if e := &doc.Estimates[i]; c.rows(e) {
				c.spoil(e)
				found++
			}
		}
		if found == 0 {
			t.Errorf("%q: no rows to move", c.strong)
		}
		weaker(t, "moved", oneDocument(t, doc), c, true)
		doc = earned()
		doc.Estimates = slices.DeleteFunc(doc.Estimates, func(e result.Estimate) bool { return c.rows(&e) })
		weaker(t, "absent", oneDocument(t, doc), c, false)
	}
}
