package inspect

import (
	"math"
	"slices"

	"mcsim/sim/attention"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/rule"
)

// Answer is what was found. It is what JSON has.
type Answer struct {
	Dimension int        `json:"d_k"`
	Queries   [4]int     `json:"q_shape"`
	Keys      [4]int     `json:"k_shape"`
	Scores    Scores     `json:"scores"`
	Query     Components `json:"query"`
	Key       Components `json:"key"`
	Here      Effect     `json:"scale"`  // the one that was asked for
	Others    []Effect   `json:"scales"` // none, √d_k and d_k
	Rows      []Row      `json:"rows,omitempty"`
}

// Components are over all vectors of an array and all their components.
type Components struct {
	Mean     result.Number `json:"component_mean"`
	Variance result.Number `json:"component_variance"`
}

// Scores are over all pairs that the mask allows.
type Scores struct {
	Pairs         int           `json:"pairs"`
	Mean          result.Number `json:"score_mean"`
	Variance      result.Number `json:"score_variance"`
	OverDimension result.Number `json:"score_variance_over_d_k"`
	// Within is the mean over rows of the variance within a row, which is what softmax
	// sees; absent where no query sees two keys.
	Within result.Number `json:"score_variance_within_row"`
	// Cosine is the mean cosine between a query and a key: 0 for independent ones, 1 for
	// vectors of one direction. Absent where all vectors of one side are 0.
	Cosine result.Number `json:"mean_cosine"`
}

// Effect is what a scale makes of the rows. Medians are over the queries that see two
// keys or more; absent where there are none.
type Effect struct {
	Rule      string        `json:"rule"`
	Scale     result.Number `json:"factor"`                // by which q·k is multiplied
	LogitSD   result.Number `json:"logit_sd"`              // square root of the mean variance within a row
	MaxWeight result.Number `json:"max_weight_q50"`        // median largest weight
	Entropy   result.Number `json:"entropy_ratio_q50"`     // median entropy ratio
	Survival  result.Number `json:"gradient_survival_q50"` // median R
	// Evenness is the mean of the largest weight times the number of keys that the query
	// sees: 1 where all weights are equal.
	Evenness result.Number `json:"max_weight_times_keys"`
	Label    string        `json:"label"` // of the median row's R, or too soft where no key stands out
}

// Row is one query with all its keys.
type Row struct {
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
	Forbidden []bool          `json:"-"` // keys that the query may not see
}

// Ask computes attention and describes it, with so many of the rows at most.
func Ask(q Question, rows int) (*Answer, error) {
	out, err := attention.Forward(q.Input)
	if err != nil {
		return nil, err
	}
	in := q.Input
	a := &Answer{Dimension: in.Q.Columns, Queries: sizes(in.Q), Keys: sizes(in.K),
		Scores: scoresOf(in, out), Query: componentsOf(in.Q), Key: componentsOf(in.K)}
	of := measuresOf(in, out, in.Scale)
	a.Here = a.effect(q.Rule.String(), in.Scale, of, out.Allowed)
	for _, p := range []float64{0, 0.5, 1} {
		r := rule.Power(p)
		scale, _ := r.Factor(in.Q.Columns, in.K.Rows)
		a.Others = append(a.Others, a.effect(r.String(), scale, measuresOf(in, out, scale), out.Allowed))
	}
	a.Rows = rowsOf(q, out, of[:min(rows, len(of))])
	return a, nil
}

// sizes are those of a tensor.
func sizes(t attention.Tensor) [4]int { return [4]int{t.Batches, t.Heads, t.Rows, t.Columns} }

// rowsOf are the first rows, as many as are measured.
func rowsOf(q Question, out attention.Output, of []attention.Measures) (all []Row) {
	in := q.Input
	for at, m := range of {
		i, h, b := at%in.Q.Rows, at/in.Q.Rows%in.Q.Heads, at/in.Q.Rows/in.Q.Heads
		r := Row{b, h, i, out.Allowed[at], result.Number(m.MaxWeight), result.Number(m.Entropy), result.Number(m.EntropyRatio), result.Number(m.Survival),
			numbers(out.Scores.Row(b, h, i)), numbers(out.Weights.Row(b, h, i)), nil, in.Mask.Forbids(b, h, i, in.K.Rows)}
		if q.Values {
			r.Output = numbers(out.Blend.Row(b, h, i))
		}
		all = append(all, r)
	}
	return all
}

// numbers are numbers of which some may be absent.
func numbers(xs []float64) []result.Number {
	out := make([]result.Number, len(xs))
	for i, x := range xs {
		out[i] = result.Number(x)
	}
	return out
}

// measuresOf measures the rows under a scale, from the scores that are there.
func measuresOf(in attention.Input, out attention.Output, scale float64) (all []attention.Measures) {
	logits := make([]float64, in.K.Rows)
	for b := range in.Q.Batches {
		for h := range in.Q.Heads {
			for i := range in.Q.Rows {
				for j, s := range out.Scores.Row(b, h, i) {
					logits[j] = float64(s * scale)
				}
				allowed := in.Mask.Add(logits, b, h, i)
				attention.Softmax(logits)
				all = append(all, attention.Measure(logits, allowed))
			}
		}
	}
	return all
}

// effect sums up the rows of a scale.
func (a *Answer) effect(name string, scale float64, of []attention.Measures, allowed []int) Effect {
	var seen []attention.Measures // of the queries that see two keys or more
	even := spread{}
	for i, m := range of {
		if allowed[i] > 1 {
			seen = append(seen, m)
			even.add(float64(m.MaxWeight * float64(allowed[i])))
		}
	}
	if even.n == 0 {
		even.mean = math.NaN()
	}
	pick := func(what func(attention.Measures) float64) float64 {
		var all []float64
		for _, m := range seen {
			all = append(all, what(m))
		}
		return median(all)
	}
	survival := pick(func(m attention.Measures) float64 { return m.Survival })
	return Effect{Rule: name, Scale: result.Number(scale), LogitSD: result.Number(math.Abs(scale) * math.Sqrt(float64(a.Scores.Within))),
		MaxWeight: result.Number(pick(func(m attention.Measures) float64 { return m.MaxWeight })), Evenness: result.Number(even.mean),
		Entropy:  result.Number(pick(func(m attention.Measures) float64 { return m.EntropyRatio })),
		Survival: result.Number(survival), Label: label(even.mean, survival)}
}

// label is that of the median row's R, or too soft where no key stands out.
func label(evenness, survival float64) string {
	switch {
	case math.IsNaN(survival):
		return ""
	case evenness < names.TooSoftBelow:
		return names.LabelTooSoft
	}
	return rows.Label(survival)
}

// median is the middle value, of an even number the mean of the two in the middle.
func median(xs []float64) float64 {
	if len(xs) == 0 {
		return math.NaN()
	}
	slices.Sort(xs)
	n := len(xs)
	return (xs[(n-1)/2] + xs[n/2]) / 2
}
