package inspection

import (
	"fmt"
	"io"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
)

// LogSumReport is the result of an inspection of log-sum-exps.
type LogSumReport struct {
	Subject   []string             `json:"subject"`
	Heads     []inspect.LogSumHead `json:"by_head"`
	Judgement *inspect.Judgement   `json:"judgement,omitempty"`
}

// Print prints the verdict, what was measured and under which assumptions, and a line for each head.
func (a *LogSumReport) Print(w io.Writer) {
	const indent = 11
	if j := a.Judgement; j != nil {
		heading := strings.ToUpper(string(j.Verdict)) + ":"
		var reasons []string
		for _, g := range j.Gates {
			if g.Verdict == j.Verdict {
				reasons = append(reasons, describeLogSumGate(g))
			}
		}
		const maxReasons = 3
		if n := len(reasons); n > maxReasons {
			reasons = append(reasons[:maxReasons], fmt.Sprintf("and %d more", n-maxReasons))
		}
		show.Paragraph(w, heading, len(heading)+1, strings.Join(reasons, "; ")+".")
		fmt.Fprintln(w)
	}
	heading := "Judged"
	for _, sentence := range a.Subject {
		show.Paragraph(w, heading, indent, sentence)
		heading = ""
	}
	show.Paragraph(w, "Assumed", indent, "logits of a row are normal with mean 0. Then the mean log-sum-exp gives their "+
		"standard deviation, most precisely below √(2 ln n). The bounds of the largest logit hold for any logits.")
	fmt.Fprintln(w)
	table := show.NewTable("head", "logit_sd", "largest logit", "effective keys")
	for _, h := range a.Heads {
		table.Add(h.Title(), formatWithError(h.LogitSD),
			digits.Significant(float64(h.MaxLogitLo), 3)+" to "+digits.Significant(float64(h.MaxLogitHi), 3),
			"about "+digits.Significant(float64(h.EffectiveKeys), 3)+": "+h.Label)
	}
	table.Print(w)
}

// describeLogSumGate describes a gate. Of the largest logit only bounds are known.
func describeLogSumGate(g inspect.GateResult) string {
	if g.Quantity != inspect.MaxLogitName {
		return DescribeGate(g)
	}
	text := fmt.Sprintf("the largest logit of %s is between %s and %s, and must be at most %s", g.Name,
		digits.Significant(float64(g.Estimate.Lo), 3), digits.Significant(float64(g.Estimate.Hi), 3),
		digits.Short(float64(g.Band[1])))
	if g.Verdict == result.Undecided {
		text += "; " + g.Diagnosis
	}
	return text
}
