package show

import (
	"fmt"
	"io"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/experiment/replay"
)

// Row prints one row of a cell. For each scaling it prints a line with the measures of softmax, and
// then a line for each key.
func Row(w io.Writer, a *replay.Answer) {
	Linef(w, "%s, seed %d, row %d", a.Cell, a.Seed, a.Row)
	if c := a.Components; c != replay.Standard {
		Linef(w, "components of q: mean %s, standard deviation %s; of k: %s and %s",
			FormatPlain(c.QueryMean), FormatPlain(c.QuerySD), FormatPlain(c.KeyMean), FormatPlain(c.KeySD))
	}
	for _, s := range a.Scalings {
		fmt.Fprintln(w)
		Linef(w, "%s (%s): max_weight %s, entropy_ratio %s, R %s: %s",
			strings.TrimPrefix(DescribeParams("", s.Scaling), ", "), describeMultiplier(s), FormatPlain(s.MaxWeight),
			FormatPlain(s.EntropyRatio), FormatPlain(s.RelativeTrace), s.Label)
		keys := NewTable("key", "q·k", "logit", "weight")
		for j, score := range a.Scores {
			logit := digits.None
			if len(s.Logits) > 0 { // the limit of temperature 0 has no logits
				logit = FormatPlain(s.Logits[j])
			}
			keys.Add(j+1, FormatPlain(float64(score)), logit, FormatPlain(s.Weights[j]))
		}
		keys.Print(w)
	}
}

// describeMultiplier says by which factor a scaling multiplies the scores.
func describeMultiplier(s replay.Softmax) string {
	if !s.Factor.Present() {
		return "the largest score has all the weight"
	}
	return "q·k multiplied by " + FormatPlain(float64(s.Factor))
}
