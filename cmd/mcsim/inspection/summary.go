package inspection

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
)

// MarkdownSummary returns a summary of an inspection in Markdown: the verdict and its reasons, or
// the size of the logits if there is no verdict, and a table of the layers.
func (a *Report) MarkdownSummary() string {
	var b strings.Builder
	if a.Judgement != nil {
		fmt.Fprintf(&b, "### mcsim: %s\n\n", a.Judgement.Verdict)
		for _, reason := range a.verdictReasons() {
			fmt.Fprintf(&b, "- %s\n", markdown.Escape(reason))
		}
		for _, caveat := range a.Caveats {
			fmt.Fprintf(&b, "- *Caveat:* %s\n", markdown.Escape(caveat))
		}
	} else {
		fmt.Fprintf(&b, "### mcsim: no gate\n\nLogits: %s\n", markdown.Escape(a.describeLogits()))
	}
	if len(a.Heads) == 0 { // of log-sum-exps
		return b.String()
	}
	fmt.Fprint(&b, "\n| layer | heads | standard deviation of logits | largest logit | lowest entropy / ln n | labels |\n",
		"|---|---|---|---|---|---|\n")
	for _, heads := range a.groupByLayer() {
		lo, hi := heads[0], heads[0] // the heads with the smallest and the largest standard deviation
		largest, entropy := heads[0].MaxLogit, heads[0].FirstScale().EntropyRatio
		for _, h := range heads {
			if h.LogitSD.Value < lo.LogitSD.Value {
				lo = h
			}
			if h.LogitSD.Value > hi.LogitSD.Value {
				hi = h
			}
			if h.MaxLogit.Value > largest.Value {
				largest = h.MaxLogit
			}
			if e := h.FirstScale().EntropyRatio; e.Value < entropy.Value {
				entropy = e
			}
		}
		sd := formatWithError(lo.LogitSD)
		if len(heads) > 1 {
			sd += " to " + formatWithError(hi.LogitSD)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", markdown.Escape(layerName(heads[0].Layer)),
			digits.Count(int64(len(heads))), sd, formatWithError(largest), formatWithError(entropy), countLabels(heads))
	}
	return b.String()
}

// layerName returns the name of a layer in a table, or – if a file has only one layer without a
// name.
func layerName(layer string) string {
	if layer == "" {
		return digits.None
	}
	return layer
}
