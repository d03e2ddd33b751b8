package inspection

import (
	"cmp"
	"fmt"
	"slices"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/report/escape"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
)

// MarkdownSummary returns a summary of an inspection in Markdown: the verdict and its reasons, or
// the size of the logits if there is no verdict, and a table of the layers.
func (a *Report) MarkdownSummary() string {
	text := formatSummary("no gate", nil, nil) + "Logits: " + escape.Markdown(a.describeLogits()) + "\n"
	if a.Judgement != nil {
		text = formatSummary(a.Judgement.Verdict, a.verdictReasons(), a.Caveats)
	}
	if len(a.Heads) == 0 { // of log-sum-exps
		return text
	}
	t := show.NewTable("layer", "heads", "standard deviation of logits", "largest logit", "lowest entropy / ln n",
		"labels")
	for _, heads := range inspect.GroupByLayer(a.Heads) {
		compareSD := func(a, b inspect.Head) int { return cmp.Compare(a.LogitSD.Value, b.LogitSD.Value) }
		lo, hi := slices.MinFunc(heads, compareSD), slices.MaxFunc(heads, compareSD)
		largest := slices.MaxFunc(heads, func(a, b inspect.Head) int {
			return cmp.Compare(a.MaxLogit.Value, b.MaxLogit.Value)
		}).MaxLogit
		entropy := slices.MinFunc(heads, func(a, b inspect.Head) int {
			return cmp.Compare(a.FirstScale().EntropyRatio.Value, b.FirstScale().EntropyRatio.Value)
		}).FirstScale().EntropyRatio
		sd := formatWithError(lo.LogitSD)
		if len(heads) > 1 {
			sd += " to " + formatWithError(hi.LogitSD)
		}
		t.Add(cmp.Or(heads[0].Layer, digits.None), digits.Count(int64(len(heads))), sd, formatWithError(largest),
			formatWithError(entropy), countLabels(heads))
	}
	return text + "\n" + t.Markdown()
}

// formatSummary returns the heading of a summary in Markdown, and a list of findings and caveats.
func formatSummary(verdict result.Verdict, findings, caveats []string) string {
	text := fmt.Sprintf("### mcsim: %s\n\n", verdict)
	for _, finding := range findings {
		text += fmt.Sprintf("- %s\n", escape.Markdown(finding))
	}
	for _, caveat := range caveats {
		text += fmt.Sprintf("- *Caveat:* %s\n", escape.Markdown(caveat))
	}
	return text
}
