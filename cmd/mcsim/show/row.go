package show

import (
	"fmt"
	"io"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/experiment/replay"
)

// Row prints one row of a cell: under each scaling what softmax makes of it, in a line,
// and then every key.
func Row(w io.Writer, a *replay.Answer) {
	fmt.Fprintf(w, "%s, seed %d, row %d\n", a.Cell, a.Seed, a.Row)
	if c := a.Components; c != replay.Standard {
		fmt.Fprintf(w, "components of q: mean %s, standard deviation %s; of k: %s and %s\n",
			plainly(c.QueryMean), plainly(c.QuerySD), plainly(c.KeyMean), plainly(c.KeySD))
	}
	for _, s := range a.Scalings {
		fmt.Fprintln(w)
		fmt.Fprintf(w, "%s (%s): max_weight %s, entropy_ratio %s, R %s: %s\n",
			strings.TrimPrefix(Point("", s.Scaling), ", "), describeFactor(s), plainly(s.MaxWeight),
			plainly(s.EntropyRatio), plainly(s.RelativeTrace), s.Label)
		keys := NewRows("key", "q·k", "logit", "weight")
		for j, score := range a.Scores {
			logit := digits.None // in the limit of no temperature
			if len(s.Logits) > 0 {
				logit = plainly(s.Logits[j])
			}
			keys.Add(j+1, plainly(float64(score)), logit, plainly(s.Weights[j]))
		}
		keys.Print(w)
	}
}

// describeFactor says by what a scaling multiplies scores.
func describeFactor(s replay.Softmax) string {
	if !s.Factor.Present() {
		return "the greatest score has all the weight"
	}
	return "q·k multiplied by " + plainly(float64(s.Factor))
}
