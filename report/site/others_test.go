package site

import (
	"slices"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/sim/result"
)

// dropped is the default document without the rows of some experiments, and
// without what names in them stand for.
func dropped(names ...string) *result.Document {
	doc := sample.Without(func(e string, _ result.Params) bool { return slices.Contains(names, e) })
	doc.Schemes = slices.DeleteFunc(doc.Schemes, func(s result.Scheme) bool { return slices.Contains(names, s.Experiment) })
	return doc
}

// The pages on alignment, rules and initialisations speak of the rows that
// there are, and of nothing else.
func TestOtherPagesSpeakOfTheirRows(t *testing.T) {
	const (
		exponent  = "Which power of $d_k$ keeps the size of a score depends"
		debate    = "### Dividing by d_k keeps the lead of an aligned key"
		grows     = "what is aligned wins"
		flat      = "it the same variance at every $d_k$, within the tolerance"
		cost      = "### A constant factor costs one multiplication"
		defaults  = "Not all common defaults and recipes give logits"
		heads     = "### Each head has a variance of its own"
		mismatch  = "### Means, deviations and correlations of the components change"
		noRules   = "no rows of the experiment rules"
		noAligned = "no rows of the experiment alignment"
		noInits   = "no rows of the experiments init and mismatch"
	)
	all := []string{exponent, debate, grows, flat, cost, defaults, heads, mismatch}
	only := func(experiment, name string, value any) *result.Document {
		return sample.Without(func(e string, p result.Params) bool { return e == experiment && p[name] != value })
	}
	for name, c := range map[string]struct {
		doc          *result.Document
		says, hushes []string
	}{
		"all":            {sample.Document(), all, []string{noRules, noAligned, noInits}},
		"none":           {dropped("alignment", "rules", "init", "mismatch"), []string{noRules, noAligned, noInits}, all},
		"mismatch alone": {dropped("init"), []string{mismatch}, []string{heads, defaults, noInits}},
		"init alone":     {dropped("mismatch"), []string{heads, defaults}, []string{mismatch, noInits}},
		"one d_k":        {only("alignment", "d_k", 64.0), []string{"### What either scale makes of an aligned key"}, []string{exponent, grows, noAligned}},
		"one rho":        {only("alignment", "rho", 0.0), nil, []string{exponent, debate, grows, noAligned}},
		"same token":     {only("alignment", "rho", 1.0), nil, []string{debate, grows, noAligned}},
		"one rule":       {only("rules", "rule", "power(0)"), []string{"Under the one rule that was drawn, the variance of the logit depends on"}, []string{flat, noRules}},
		"one init":       {only("init", "init", "he-normal"), []string{heads}, []string{defaults, noInits}},
		"no schemes": {func() *result.Document {
			doc := sample.Document()
			doc.Schemes = nil
			return doc
		}(), all, []string{"Where rules come from", "where it is written: a repository"}},
	} {
		speaks(t, name, oneDocument(t, c.doc), c.says, c.hushes)
	}
}
