package attend

import (
	"math"
	"slices"

	"mcsim/sim/attention"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
	"mcsim/sim/rule"
)

// Answer is what was found.
type Answer struct {
	Output attention.Output
	Rows   []attention.Measures // of each query, in the order of Output.Allowed
	Scores Scores
	Query  Components
	Key    Components
	Here   Effect   // under the scale that was asked for
	Others []Effect // under none, √d_k and d_k
}

// Components are over all vectors of an array and all their components.
type Components struct{ Mean, Variance float64 }

// Scores are over all pairs that the mask allows.
type Scores struct {
	Pairs    int
	Mean     float64
	Variance float64 // of all scores
	// Within is the mean over rows of the variance within a row, which is what softmax
	// sees; NaN where no query sees two keys.
	Within float64
	// Cosine is the mean cosine between a query and a key: 0 for independent ones, 1 for
	// vectors of one direction. NaN where all vectors of one side are 0.
	Cosine float64
}

// Effect is what a scale makes of the rows. Medians are over the queries that see two
// keys or more; NaN where there are none.
type Effect struct {
	Name      string  // the rule's
	Scale     float64 // by which q·k is multiplied
	LogitSD   float64 // square root of the mean variance within a row
	MaxWeight float64 // median largest weight
	// Evenness is the mean of the largest weight times the number of keys that the query
	// sees: 1 where all weights are equal.
	Evenness float64
	Entropy  float64 // median entropy ratio
	Survival float64 // median R
}

// Ask computes attention and describes it.
func Ask(q Question) (*Answer, error) {
	out, err := attention.Forward(q.Input)
	if err != nil {
		return nil, err
	}
	a := &Answer{Output: out, Scores: scoresOf(q.Input, out), Query: componentsOf(q.Input.Q), Key: componentsOf(q.Input.K)}
	a.Rows = measuresOf(q.Input, out, q.Input.Scale)
	a.Here = a.effect(q.Rule.String(), q.Input.Scale, a.Rows, out.Allowed)
	for _, p := range []float64{0, 0.5, 1} {
		r := rule.Power(p)
		scale, _ := r.Factor(q.Input.Q.Columns, q.Input.K.Rows)
		a.Others = append(a.Others, a.effect(r.String(), scale, measuresOf(q.Input, out, scale), out.Allowed))
	}
	return a, nil
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
	pick := func(what func(attention.Measures) float64) float64 {
		var all []float64
		for i, m := range of {
			if allowed[i] > 1 {
				all = append(all, what(m))
			}
		}
		return median(all)
	}
	return Effect{Name: name, Scale: scale, LogitSD: math.Abs(scale) * math.Sqrt(a.Scores.Within),
		MaxWeight: pick(func(m attention.Measures) float64 { return m.MaxWeight }), Evenness: evenness(of, allowed),
		Entropy:  pick(func(m attention.Measures) float64 { return m.EntropyRatio }),
		Survival: pick(func(m attention.Measures) float64 { return m.Survival })}
}

// evenness is the mean of the largest weight times the number of keys, over the queries
// that see two keys or more.
func evenness(of []attention.Measures, allowed []int) float64 {
	var all spread
	for i, m := range of {
		if allowed[i] > 1 {
			all.add(float64(m.MaxWeight * float64(allowed[i])))
		}
	}
	if all.n == 0 {
		return math.NaN()
	}
	return all.mean
}

// Label is that of the median row's R, or too soft where no key stands out.
func (e Effect) Label() string {
	switch {
	case math.IsNaN(e.Survival):
		return ""
	case e.Evenness < names.TooSoftBelow:
		return names.LabelTooSoft
	}
	return rows.Label(e.Survival)
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
