package claims

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/names/ledger"
	"mcsim/sim/result"
)

// pageView is the view of the page on claims.
type pageView struct {
	Any               bool
	All, Texts, Wrong string
	Undrawn           string // claims that read what is not drawn; empty for none
	Documents         string // claims whose verdict is not computed
	Counts, Faults    view.Table
	Words             view.Table
	Sources           []source
	Demo              demo
}

// source is a text with its claims.
type source struct {
	Name, Title string
	Claims      view.Table
}

// demo is the variance that a demonstration prints, with how it scatters.
type demo struct{ Mean, SD, Share string }

// Page fills the page on claims.
func Page(s *view.Source) pageView {
	all := s.Doc.Claims
	if len(all) == 0 {
		return pageView{}
	}
	order, of := Sources(all)
	count := Count(all)
	v := pageView{Any: true, All: digits.Count(int64(len(all))), Texts: digits.InWords(len(order)), Wrong: digits.Count(int64(count[ledger.Wrong])),
		Counts: counts(order, of), Faults: faults(all), Words: words(), Demo: demonstration(all)}
	undrawn, documents := 0, 0
	for _, c := range all {
		if len(c.Undrawn) > 0 {
			undrawn++
		}
		if c.Kind == ledger.OfDocument {
			documents++
		}
	}
	if undrawn > 0 {
		v.Undrawn = digits.Count(int64(undrawn))
	}
	v.Documents = digits.Count(int64(documents))
	for _, name := range order {
		v.Sources = append(v.Sources, source{name, markdown.WithSubscripts(Title(name)), table(name, of[name])})
	}
	return v
}

// counts counts the claims of each source by their verdicts.
func counts(order []string, of map[string][]result.Claim) view.Table {
	t := view.Table{Caption: "Claims by source and verdict. Those on evidence are counted beside their verdict too: it was not computed.",
		Head: append(append([]string{"source", "claims"}, ledger.Verdicts...), "on evidence")}
	var every []result.Claim
	line := func(title string, claims []result.Claim) {
		count, evidence := Count(claims), 0
		cells := []string{title, fmt.Sprint(len(claims))}
		for _, verdict := range ledger.Verdicts {
			cells = append(cells, fmt.Sprint(count[verdict]))
		}
		for _, c := range claims {
			if c.Kind == ledger.OfDocument {
				evidence++
			}
		}
		t.Rows = append(t.Rows, append(cells, fmt.Sprint(evidence)))
	}
	for _, name := range order {
		line(markdown.WithSubscripts(Title(name)), of[name])
		every = append(every, of[name]...)
	}
	line("all", every)
	return t
}

// faults are the claims that are wrong.
func faults(all []result.Claim) view.Table {
	t := view.Table{Caption: "What is wrong, and what is so instead.",
		Head: []string{"claim", "published", "recomputed", "why", "settled by"}, Left: []int{1, 2, 3, 4}, Brackets: Brackets}
	for _, c := range all {
		if c.Verdict == ledger.Wrong {
			t.Rows = append(t.Rows, lines(c, []string{named(c), escaped(Published(c)), "", escaped(c.Why), settles(c)}, 2)...)
		}
	}
	return t
}

// table are the claims of a source by their verdicts.
func table(name string, claims []result.Claim) view.Table {
	t := view.Table{Caption: "Claims of " + markdown.WithSubscripts(Title(name)) + ", wrong ones first.",
		Head: []string{"claim", "verdict", "published", "recomputed", "settled by"}, Left: []int{1, 2, 3, 4}, Brackets: Brackets}
	for _, c := range ByVerdict(claims) {
		verdict := escaped(c.Verdict)
		if c.Verdict == ledger.Wrong {
			verdict = "**" + verdict + "**"
		}
		t.Rows = append(t.Rows, lines(c, []string{named(c), verdict, escaped(Published(c)), "", settles(c)}, 3)...)
	}
	return t
}

// escaped is a text as Markdown.
func escaped(text string) string { return markdown.WithSubscripts(text) }

// named is a claim with its id.
func named(c result.Claim) string { return escaped(c.ID + " " + c.Text) }

// lines are the lines of a claim: the first with what was found in its place, and one for
// each further condition, which says whose it is.
func lines(c result.Claim, first []string, place int) (rows [][]string) {
	for i, text := range found(c) {
		row := first
		if i > 0 {
			row = make([]string, len(first))
			row[0] = escaped(c.ID + ", continued")
		}
		row[place] = escaped(text)
		rows = append(rows, row)
	}
	return rows
}

// found is what was found, a condition a line, with where the verdict turns.
func found(c result.Claim) []string {
	if len(c.Conditions) > 0 {
		return Conditions(c)
	}
	text := strings.Join(Recomputed(c), ", ")
	if c.By != "" {
		_, at := reading(c.By)
		text += " " + at
	}
	if turns := Turns(c); turns != "" {
		text += "; " + turns
	}
	return []string{text}
}

// ofFunctions are the pages that show what functions compute.
var ofFunctions = func() map[string]string {
	to := map[string]string{}
	for page, functions := range map[string][]string{
		"example": {ledger.FunctionWeights, ledger.FunctionScaledScores, ledger.FunctionBlendOf, ledger.FunctionSumsOfRows, ledger.FunctionAttentionShapes,
			ledger.FunctionAttentionDifference, ledger.FunctionAsymmetry, ledger.FunctionLeastWeight, ledger.FunctionScoreDefined},
		names.ExperimentSoftmax: {ledger.FunctionRowMaxWeight, ledger.FunctionRowEntropy, ledger.FunctionRowEntropyRatio, ledger.FunctionRowSurvival, ledger.FunctionRowJacobianNorm,
			ledger.FunctionWinnerGradient, ledger.FunctionLargestEntropy, ledger.FunctionJacobianEntries, ledger.FunctionJacobianDifference,
			ledger.FunctionTemperatureDifference, ledger.FunctionExpectedSurvival},
		names.ExperimentVariance: {ledger.FunctionRowVariance, ledger.FunctionRowSD, ledger.FunctionMeanOfScore, ledger.FunctionVarianceOfScore, ledger.FunctionSDOfScore,
			ledger.FunctionUnitFactor, ledger.FunctionShareBeyond, ledger.FunctionDistanceFromNormal, ledger.FunctionProductMoments,
			ledger.FunctionSecondMoment, ledger.FunctionPrintedVariance},
		names.ExperimentRules: {ledger.FunctionVarianceOfRule},
		"initialisations":     {ledger.FunctionVarianceOfComponent, ledger.FunctionUnscaledLogitSD},
		names.ExperimentCost: {ledger.FunctionScoreProducts, ledger.FunctionScaleProducts, ledger.FunctionPairProducts, ledger.FunctionStoredScores,
			ledger.FunctionGrowthOfPairs, ledger.FunctionProductsOfMatrices},
	} {
		for _, name := range functions {
			to[name] = page
		}
	}
	return to
}()

// pages are those that show what settles claims: by experiment, and by the page of a function.
var pages = map[string][2]string{
	names.ExperimentVariance: {"variance", "variance"}, names.ExperimentSoftmax: {"softmax", "softmax"}, names.ExperimentFreezing: {"softmax", "softmax"},
	names.ExperimentInit: {"initialisations", "initialisations"}, names.ExperimentRules: {"rules", "rules"},
	names.ExperimentAlignment: {"alignment", "alignment"}, names.ExperimentMismatch: {"initialisations", "initialisations"}, names.ExperimentDepth: {"depth", "depth"},
	names.ExperimentPrecision: {"precision", "precision"}, names.ExperimentTraining: {"training", "training"},
	"example": {"example", "step by step"}, names.ExperimentCost: {names.ExperimentCost, names.ExperimentCost}, "initialisations": {"initialisations", "initialisations"},
}

// figures are those of the pages that a claim about an experiment is best seen in.
var figures = map[string]string{names.ExperimentSoftmax: "saturation", names.ExperimentVariance: "variance", names.ExperimentMismatch: "mismatch",
	names.ExperimentRules: "rules", names.ExperimentInit: "initialisations", names.ExperimentAlignment: "alignment-exponent"}

// settler is the experiment whose rows a claim reads, or that its evidence names, or the page
// of the function that it reads.
func settler(c result.Claim) string {
	for _, of := range c.Conditions {
		if of.Experiment != "" {
			return of.Experiment
		}
	}
	texts := []string{c.By}
	for _, of := range c.Conditions {
		texts = append(texts, of.Reads)
	}
	for _, text := range texts {
		name, _, _ := strings.Cut(text, "(")
		if page, ok := ofFunctions[name]; ok {
			return page
		}
	}
	if _, named, ok := strings.Cut(c.Evidence, "experiment "); ok {
		name, _, _ := strings.Cut(named, " ")
		return name
	}
	return ""
}

// settles links to what settles a claim.
func settles(c result.Claim) string {
	by := settler(c)
	to, ok := pages[by]
	if !ok {
		return "evidence"
	}
	address := to[0] + ".html"
	if figure := figures[by]; figure != "" {
		address += "#figure-" + figure
	}
	return "[" + to[1] + "](" + address + ")"
}

// words are those that texts use, with where they begin.
func words() view.Table {
	t := view.Table{Caption: "Where words begin that texts use in place of numbers.", Head: []string{"word", "what earns it"}, Left: []int{1}}
	for _, w := range ledger.Words {
		t.Rows = append(t.Rows, []string{escaped(w.Name), escaped(w.Title)})
	}
	return t
}

// demonstration is the claim on what a demonstration prints, of raw scores.
func demonstration(all []result.Claim) demo {
	for _, c := range all {
		if strings.HasPrefix(c.By, "printed_variance(") && len(c.Value) == 1 && float64(c.Value[0]) > 1.5 {
			mean, sd := float64(c.Value[0]), float64(c.Hi[0]-c.Lo[0])/2
			return demo{digits.Short(mean), digits.Significant(sd, 2), digits.Significant(100*sd/mean, 3) + " %"}
		}
	}
	return demo{}
}
