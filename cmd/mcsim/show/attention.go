package show

import (
	"fmt"
	"io"
	"math"
	"strings"

	"mcsim/cmd/mcsim/screen"
	"mcsim/report/digits"
	"mcsim/sim/attend"
	"mcsim/sim/attention"
	"mcsim/sim/result"
)

// Attention prints what was found of given queries and keys: what the scale does first,
// then how large the scores are, what other scales would do, and each row.
func Attention(w io.Writer, q attend.Question, a *attend.Answer) error {
	in, d := q.Input, float64(q.Input.Q.Columns)
	fmt.Fprintf(w, "%s\n", effectWords(a.Here, in.Q.Columns))
	fmt.Fprintf(w, "%s\n", scoreWords(a.Scores, d))
	fmt.Fprintf(w, "Components: of queries the mean is %s and the variance %s, of keys %s and %s. The cosine between a query and a key is %s on average.\n",
		plainly(a.Query.Mean), plainly(a.Query.Variance), plainly(a.Key.Mean), plainly(a.Key.Variance), plainly(a.Scores.Cosine))
	fmt.Fprintf(w, "Q %s, K %s%s (batches × heads × rows × components).\n", in.Q.Shape(), in.K.Shape(), valuesShape(q))
	if !math.IsNaN(a.Here.Survival) {
		fmt.Fprintln(w)
		if err := printEffects(w, a.Others); err != nil {
			return err
		}
	}
	return printQueries(w, q, a)
}

// effectWords say in a sentence what a scale does.
func effectWords(e attend.Effect, d int) string {
	if math.IsNaN(e.Survival) {
		return "Every query sees one key alone, whose weight is 1 whatever the scale."
	}
	return fmt.Sprintf("Scaled by %s (q·k times %s, d_k %d) these rows are %s: the median row gives its largest weight %s and lets R = %s of the gradient of equal weights through.",
		e.Name, plainly(e.Scale), d, e.Label(), plainly(e.MaxWeight), plainly(e.Survival))
}

// scoreWords say how large the scores are against their dimension.
func scoreWords(s attend.Scores, d float64) string {
	text := fmt.Sprintf("Scores: the variance over all %s pairs is %s·d_k", digits.Count(int64(s.Pairs)), plainly(s.Variance/d))
	if !math.IsNaN(s.Within) {
		text += fmt.Sprintf(", and within a row, which is what softmax sees, %s·d_k", plainly(s.Within/d))
	}
	return text + "; independent components of variance 1 have 1·d_k."
}

// printEffects prints what the usual scales do, a line each.
func printEffects(w io.Writer, effects []attend.Effect) error {
	t := screen.NewColumns(w)
	fmt.Fprintln(t, "scale\tq·k times\tlogit sd\tlargest weight\tentropy ratio\tR\tlabel")
	for _, e := range effects {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Name, plainly(e.Scale), plainly(e.LogitSD), plainly(e.MaxWeight), plainly(e.Entropy), plainly(e.Survival), e.Label())
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "The logit sd is the root of the mean variance within a row; weight, entropy ratio and R are those of the median row of two keys or more.")
	return err
}

// valuesShape is the shape of the values, if there are any.
func valuesShape(q attend.Question) string {
	if !q.Values {
		return ", no values"
	}
	return ", V " + q.Input.V.Shape()
}

// notDefined stands where a query sees one key alone.
const notDefined = "not defined"

// plainly writes a number that describes given data, to three decimals, and of small
// numbers two digits.
func plainly(x float64) string {
	if math.IsNaN(x) {
		return notDefined
	}
	return digits.Decimals(x, 3)
}

// Rows and keys that are printed; JSON has all.
const mostRows, mostKeys = 12, 8

// printQueries prints scores and weights of the first rows.
func printQueries(w io.Writer, q attend.Question, a *attend.Answer) error {
	in, at := q.Input, 0
	for b := range in.Q.Batches {
		for h := range in.Q.Heads {
			for i := range in.Q.Rows {
				if at == mostRows {
					_, err := fmt.Fprintf(w, "\n%s of %s rows are shown; --json has all.\n", digits.Count(mostRows), digits.Count(int64(len(a.Rows))))
					return err
				}
				m := a.Rows[at]
				fmt.Fprintf(w, "\nquery %s: sees %s, entropy %s, R = %s\n", rowName(in, b, h, i), Counted(a.Output.Allowed[at], "key"), plainly(m.Entropy), plainly(m.Survival))
				scores, weights := a.Output.Scores.Row(b, h, i), a.Output.Weights.Row(b, h, i)
				fmt.Fprintf(w, "  scores   %s\n  weights  %s\n", numbersOf(scores, nil), numbersOf(weights, in.Mask.Forbids(b, h, i, in.K.Rows)))
				if q.Values {
					fmt.Fprintf(w, "  output   %s\n", numbersOf(a.Output.Blend.Row(b, h, i), nil))
				}
				at++
			}
		}
	}
	return nil
}

// rowName counts from 0, as arrays do; batch and head stand where there are several.
func rowName(in attention.Input, b, h, i int) string {
	var parts []string
	if in.Q.Batches > 1 {
		parts = append(parts, fmt.Sprintf("batch %d", b))
	}
	if in.Q.Heads > 1 {
		parts = append(parts, fmt.Sprintf("head %d", h))
	}
	return strings.Join(append([]string{fmt.Sprint(i)}, parts...), ", ")
}

// numbersOf writes the first numbers of a row, and a dash for one that is not to be.
func numbersOf(xs []float64, without []bool) string {
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

// GivenAttention is the same as JSON.
type GivenAttention struct {
	Dimension int           `json:"d_k"`
	Queries   [4]int        `json:"q_shape"`
	Keys      [4]int        `json:"k_shape"`
	Scores    scoresJSON    `json:"scores"`
	Query     componentJSON `json:"query"`
	Key       componentJSON `json:"key"`
	Here      effectJSON    `json:"scale"`
	Others    []effectJSON  `json:"scales"`
	Rows      []rowJSON     `json:"rows"`
}

type componentJSON struct {
	Mean     result.Number `json:"component_mean"`
	Variance result.Number `json:"component_variance"`
}

type scoresJSON struct {
	Pairs         int           `json:"pairs"`
	Mean          result.Number `json:"score_mean"`
	Variance      result.Number `json:"score_variance"`
	OverDimension result.Number `json:"score_variance_over_d_k"`
	Within        result.Number `json:"score_variance_within_row"`
	Cosine        result.Number `json:"mean_cosine"`
}

type effectJSON struct {
	Rule      string        `json:"rule"`
	Scale     result.Number `json:"factor"`
	LogitSD   result.Number `json:"logit_sd"`
	MaxWeight result.Number `json:"max_weight_q50"`
	Entropy   result.Number `json:"entropy_ratio_q50"`
	Survival  result.Number `json:"gradient_survival_q50"`
	Evenness  result.Number `json:"max_weight_times_keys"`
	Label     string        `json:"label"`
}

type rowJSON struct {
	Batch     int             `json:"batch"`
	Head      int             `json:"head"`
	Query     int             `json:"query"`
	Allowed   int             `json:"keys"`
	MaxWeight result.Number   `json:"max_weight"`
	Entropy   result.Number   `json:"entropy"`
	Ratio     result.Number   `json:"entropy_ratio"`
	Survival  result.Number   `json:"gradient_survival"`
	Scores    []result.Number `json:"row_scores"`
	Weights   []result.Number `json:"row_weights"`
	Output    []result.Number `json:"row_output,omitempty"`
}

// NewAttention is an answer for JSON.
func NewAttention(q attend.Question, a *attend.Answer) *GivenAttention {
	in := q.Input
	out := &GivenAttention{Dimension: in.Q.Columns, Queries: sizes(in.Q), Keys: sizes(in.K),
		Scores: scoresJSON{a.Scores.Pairs, result.Number(a.Scores.Mean), result.Number(a.Scores.Variance),
			result.Number(a.Scores.Variance / float64(in.Q.Columns)), result.Number(a.Scores.Within), result.Number(a.Scores.Cosine)},
		Query: componentJSON{result.Number(a.Query.Mean), result.Number(a.Query.Variance)},
		Key:   componentJSON{result.Number(a.Key.Mean), result.Number(a.Key.Variance)},
		Here:  effectOf(a.Here),
	}
	for _, e := range a.Others {
		out.Others = append(out.Others, effectOf(e))
	}
	for b := range in.Q.Batches {
		for h := range in.Q.Heads {
			for i := range in.Q.Rows {
				m := a.Rows[len(out.Rows)]
				r := rowJSON{b, h, i, a.Output.Allowed[len(out.Rows)], result.Number(m.MaxWeight), result.Number(m.Entropy), result.Number(m.EntropyRatio), result.Number(m.Survival),
					numbersJSON(a.Output.Scores.Row(b, h, i)), numbersJSON(a.Output.Weights.Row(b, h, i)), nil}
				if q.Values {
					r.Output = numbersJSON(a.Output.Blend.Row(b, h, i))
				}
				out.Rows = append(out.Rows, r)
			}
		}
	}
	return out
}

func sizes(t attention.Tensor) [4]int { return [4]int{t.Batches, t.Heads, t.Rows, t.Columns} }

func effectOf(e attend.Effect) effectJSON {
	return effectJSON{e.Name, result.Number(e.Scale), result.Number(e.LogitSD), result.Number(e.MaxWeight), result.Number(e.Entropy), result.Number(e.Survival), result.Number(e.Evenness), e.Label()}
}

// numbersJSON are numbers that may be absent.
func numbersJSON(xs []float64) []result.Number {
	out := make([]result.Number, len(xs))
	for i, x := range xs {
		out[i] = result.Number(x)
	}
	return out
}
