package inspection

import (
	"fmt"
	"io"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// LogSumReport is the result of an inspection of log-sum-exps.
type LogSumReport struct {
	Subject   []string             `json:"subject"`
	Caveats   []string             `json:"caveats,omitempty"`
	Heads     []inspect.LogSumHead `json:"by_head"`
	Judgement *inspect.Judgement   `json:"judgement,omitempty"`
}

// Verdict returns a report that has only the verdict and its caveats.
func (a *LogSumReport) Verdict() *Report {
	return &Report{Summary: inspect.Summary{Caveats: a.Caveats}, Judgement: a.Judgement}
}

// Print prints the verdict, what was measured and under which assumptions, and a line for each
// head.
func (a *LogSumReport) Print(w io.Writer, allHeads bool) {
	if a.Judgement != nil {
		a.Verdict().printVerdict(w)
	}
	printParagraphs(w, "Judged", a.Subject)
	limit := digits.Significant(theory.FreezingSigma(a.Heads[0].Keys), 3)
	show.Paragraph(w, "Assumed", indent,
		"logits of a row are normal with mean 0. Then the mean log-sum-exp gives their "+
			"standard deviation, logit_sd, and the effective keys. Below √(2 ln n) = "+limit+
			" nearly all logits contribute to "+
			"it; above, only the few largest do, and the result depends much more on the assumption.")
	show.Paragraph(w, "Bounds", indent,
		"the largest logit is between the largest L − ln n and the largest L, where L is "+
			"the log-sum-exp of a row of n keys. This holds for any logits.")
	if a.Heads[0].Texts == 1 {
		show.Paragraph(w, "Error", indent, "from one text: errors are those for its own keys.")
	}
	fmt.Fprintln(w)
	shown := selectShown(a.Heads, allHeads)
	table := show.NewTable("head", "logit_sd", "largest logit", "effective keys")
	for _, h := range shown {
		table.Add(h.Title(), formatWithError(h.LogitSD), formatBound(h.MaxLogitLo)+" to "+formatBound(h.MaxLogitHi),
			formatWithError(h.EffectiveKeys)+": "+h.Label)
	}
	table.Print(w)
	for _, h := range shown {
		if h.Note != "" {
			show.Linef(w, "%s: %s.", h.Title(), h.Note)
		}
	}
	printOmission(w, len(shown), len(a.Heads), "heads")
}

// formatBound formats a bound of the largest logit.
func formatBound(x result.Number) string { return digits.Significant(float64(x), 3) }
