package show

import (
	"fmt"
	"io"
	"math"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/inspect"
	"mcsim/sim/result"
)

// Inspection prints what was found of given queries and keys: what the scale does first,
// then how large the scores are, what other scales would do, and the rows that there are.
func Inspection(w io.Writer, q inspect.Question, a *inspect.Answer) {
	in := q.Input
	fmt.Fprintln(w, effectWords(a.Here, a.Dimension))
	fmt.Fprintln(w, scoreWords(a.Scores, a.Dimension))
	fmt.Fprintf(w, "Components: of queries the mean is %s and the variance %s, of keys %s and %s. The cosine between a query and a key is %s on average.\n",
		plainly(a.Query.Mean), plainly(a.Query.Variance), plainly(a.Key.Mean), plainly(a.Key.Variance), plainly(a.Scores.Cosine))
	values := ", no values"
	if q.Values {
		values = ", V " + in.V.Shape()
	}
	fmt.Fprintf(w, "Q %s, K %s%s (batches × heads × rows × components).\n", in.Q.Shape(), in.K.Shape(), values)
	if a.Here.Survival.Present() {
		fmt.Fprintln(w)
		printEffects(w, a.Others)
	}
	printQueries(w, a, in.Q.Batches*in.Q.Heads*in.Q.Rows)
}

// effectWords say in a sentence what a scale does.
func effectWords(e inspect.Effect, d int) string {
	if !e.Survival.Present() {
		return "Every query sees one key alone, whose weight is 1 whatever the scale."
	}
	return fmt.Sprintf("Scaled by %s (q·k multiplied by %s, d_k %d) these rows are %s: the median row gives its greatest weight %s and lets R = %s of the gradient of equal weights through.",
		e.Rule, plainly(e.Scale), d, e.Label, plainly(e.MaxWeight), plainly(e.Survival))
}

// scoreWords say how large the scores are against their dimension.
func scoreWords(s inspect.Scores, d int) string {
	text := fmt.Sprintf("Scores: the variance over all %s pairs is %s·d_k", digits.Count(int64(s.Pairs)), plainly(s.OverDimension))
	if s.Within.Present() {
		text += fmt.Sprintf(", and within a row, which is what softmax sees, %s·d_k", plainly(float64(s.Within)/float64(d)))
	}
	return text + "; independent components of variance 1 have 1·d_k."
}

// printEffects prints what the usual scales do, a line each.
func printEffects(w io.Writer, effects []inspect.Effect) {
	Table(w, "scale\tlogit_sd\tmax_weight\tentropy_ratio\tR", effects, func(e inspect.Effect) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s: %s", e.Rule, plainly(e.LogitSD), plainly(e.MaxWeight), plainly(e.Entropy), plainly(e.Survival), e.Label)
	})
	fmt.Fprintln(w, "logit_sd is the root of the mean variance within a row; max_weight, entropy_ratio and R are those of the median row of two keys or more.")
}

// plainly writes a number that describes given data, to three decimals, and of small
// numbers two digits.
func plainly[T ~float64](x T) string {
	if math.IsNaN(float64(x)) {
		return "not defined" // where a query sees one key alone
	}
	return digits.Decimals(float64(x), 3)
}

// mostKeys is how many numbers of a row are printed; JSON has all.
const mostKeys = 8

// printQueries prints scores and weights of the rows that there are, of so many.
func printQueries(w io.Writer, a *inspect.Answer, of int) {
	for _, r := range a.Rows {
		fmt.Fprintf(w, "\nquery %s: sees %s, entropy %s, R = %s\n", rowName(a, r), Counted(r.Allowed, "key"), plainly(r.Entropy), plainly(r.Survival))
		fmt.Fprintf(w, "  scores   %s\n  weights  %s\n", numbersOf(r.Scores, nil), numbersOf(r.Weights, r.Forbidden))
		if r.Output != nil {
			fmt.Fprintf(w, "  output   %s\n", numbersOf(r.Output, nil))
		}
	}
	if len(a.Rows) < of {
		fmt.Fprintf(w, "\n%s of %s rows are shown; --all shows all.\n", digits.Count(int64(len(a.Rows))), digits.Count(int64(of)))
	}
}

// rowName counts from 0, as arrays do; batch and head stand where there are several.
func rowName(a *inspect.Answer, r inspect.Row) string {
	name := fmt.Sprint(r.Query)
	if a.Queries[0] > 1 {
		name += fmt.Sprintf(", batch %d", r.Batch)
	}
	if a.Queries[1] > 1 {
		name += fmt.Sprintf(", head %d", r.Head)
	}
	return name
}

// numbersOf writes the first numbers of a row, and a dash for one that is not to be.
func numbersOf(xs []result.Number, without []bool) string {
	var b strings.Builder
	for j, x := range xs {
		if j == mostKeys {
			fmt.Fprintf(&b, " … %s in all", digits.Count(int64(len(xs))))
			break
		}
		text := plainly(x)
		if without != nil && without[j] {
			text = digits.None
		}
		fmt.Fprintf(&b, "%9s ", text)
	}
	return strings.TrimRight(b.String(), " ")
}
