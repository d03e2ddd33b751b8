package inspect

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mcsim/sim/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// Options say how queries meet keys.
type Options struct {
	Scale   float64 // what q·k is multiplied by
	Paired  bool    // row i of the queries with row i of the keys alone
	Causal  bool    // query i sees the keys 0 to i
	Length  float64 // what rows of queries and keys are brought to first; 0 leaves them
	Workers int

	// Factor returns what q·k is multiplied by in a row that sees so many keys, if that is not Scale.
	Factor func(keys int) float64
}

// scales are those that rows are looked at under: the one that is asked for, and the usual ones.
func (o Options) scales(dimension int) []float64 {
	d := float64(dimension)
	all := []float64{o.Scale}
	for _, usual := range []float64{1, 1 / math.Sqrt(d), 1 / d} {
		if !slices.ContainsFunc(all, func(s float64) bool { return math.Abs(s/usual-1) < 1e-9 }) {
			all = append(all, usual)
		}
	}
	return all
}

// Part is one head of one text.
type Part struct {
	Moments
	weighed
}

// Measure looks at the queries and keys of one head. Both have two rows at least.
func Measure(q, k Vectors, o Options) (Part, error) {
	switch {
	case q.Dimension != k.Dimension:
		return Part{}, fmt.Errorf("queries have %d components, keys %d", q.Dimension, k.Dimension)
	case o.Paired && q.Rows != k.Rows:
		return Part{}, fmt.Errorf("there are %d queries and %d keys, which cannot be paired", q.Rows, k.Rows)
	case min(q.Rows, k.Rows) < 2:
		return Part{}, errors.New("there is one row; a variance needs two at least")
	case !(q.inRange() && k.inRange()):
		return Part{}, fmt.Errorf("the largest component of queries or keys is not between %.0e and %.0e in size", least, most)
	case !(o.Scale >= least && o.Scale <= most):
		return Part{}, fmt.Errorf("q·k is multiplied by %.3g, which is not between %.0e and %.0e", o.Scale, least, most)
	case o.Paired:
		return Part{Moments: pairedMoments(q, k), weighed: weighed{greatest: math.NaN()}}, nil
	}
	j := jointOf(q, k)
	var p Part
	if o.Causal {
		p.weighed = j.causal(q, k, o.scales(q.Dimension))
	} else {
		p.weighed = j.weigh(q, o.scales(q.Dimension), o.Workers)
	}
	p.Moments = j.moments(p.interaction)
	if o.Causal {
		p.Within = p.within
	}
	if math.IsInf(p.Variance, 0) || math.IsNaN(p.Variance) {
		return p, errors.New("q·k is beyond float32, or its variance beyond float64")
	}
	return p, nil
}

// least and most are what the largest component may be in size: products of queries and keys, and
// their squares, are within float32 then.
const least, most = 1e-9, 1e9

// inRange reports whether the largest component is, or all are 0.
func (v Vectors) inRange() bool {
	size := 0.0
	for _, x := range v.Data {
		if x = math.Abs(x); x > size {
			size = x
		}
	}
	return size == 0 || size >= least && size <= most
}

// Estimate is a number with its standard error and its 95 % interval.
type Estimate struct {
	Value result.Number `json:"value"`
	SE    result.Number `json:"se"`
	Lo    result.Number `json:"lo"`
	Hi    result.Number `json:"hi"`

	freedom float64
}

// absent is what is not defined.
var absent = Estimate{result.Absent(), result.Absent(), result.Absent(), result.Absent(), 1}

// level is that of intervals.
const level = 0.95

// positive has its interval on the scale of logarithms: variances are skewed.
func positive(value, se, freedom float64) Estimate {
	e := Estimate{result.Number(value), result.Number(se), 0, 0, freedom}
	if value > 0 {
		lo, hi := e.limits((1 - level) / 2)
		e.Lo, e.Hi = result.Number(lo), result.Number(hi)
	}
	return e
}

// limits are those beyond which the truth lies with the chance of tail on either side.
func (e Estimate) limits(tail float64) (lo, hi float64) {
	value := float64(e.Value)
	if value == 0 {
		return 0, 0
	}
	half := elementary.Exp(theory.StudentQuantile(tail, e.freedom) * float64(e.SE) / value)
	return value / half, value * half
}

// power is the estimate of a power of what is estimated, times a factor.
func (e Estimate) power(exponent, factor float64) Estimate {
	if e.Value == 0 && exponent < 0 {
		return absent
	}
	value := factor * elementary.Pow(float64(e.Value), exponent)
	if e.Value == 0 {
		return Estimate{freedom: e.freedom}
	}
	return positive(value, math.Abs(exponent)*value*float64(e.SE/e.Value), e.freedom)
}

// Numbers are what a head, or all of them, come to.
type Numbers struct {
	Mean     result.Number `json:"score_mean"`
	Variance Estimate      `json:"score_variance"`          // of q·k
	Ratio    Estimate      `json:"score_variance_over_d_k"` // 1 for independent components of variance 1
	Scaled   Estimate      `json:"scaled_variance"`         // of the logits
	LogitSD  Estimate      `json:"logit_sd"`
	Unit     Estimate      `json:"unit_scale"`         // what q·k would have to be multiplied by for logits of variance 1
	Exponent Estimate      `json:"alignment_exponent"` // 1/2 for independent components, 1 for aligned ones
	Cosine   result.Number `json:"mean_cosine"`        // of the mean query with the mean key, by root mean squares of lengths

	QueryVariance result.Number `json:"query_component_variance"` // of components
	KeyVariance   result.Number `json:"key_component_variance"`
	Largest       result.Number `json:"max_logit"` // of those that the queries see
	Effects       []Effect      `json:"scales"`    // the one that was asked for first; none of pairs
	Participation result.Number `json:"head_participation,omitzero"`

	ofMeans result.Number // the ratio that independent components of these means and variances have
}

// Effect is what a scale makes of the rows.
type Effect struct {
	Scale    result.Number `json:"factor"`
	LogitSD  result.Number `json:"row_logit_sd"`          // square root of the mean variance within a row
	Survival result.Number `json:"gradient_survival_q50"` // median R
	Entropy  result.Number `json:"entropy_ratio"`         // its mean
	Evenness result.Number `json:"max_weight_times_keys"` // its mean: 1 where all weights are equal
	Label    string        `json:"label"`
	Keys     int           `json:"keys"` // of a row, at most
	Rows     int           `json:"rows"` // that were looked at
}

// numbersOf joins parts whose variance has the given error.
func numbersOf(parts []Part, variance Estimate, o Options) Numbers {
	n := float64(len(parts))
	var mean, vq, vk, cosine, exponent, exponentSquare, within, ofMeans float64
	largest, d := math.Inf(-1), parts[0].Dimension
	for _, p := range parts {
		mean += p.Mean / n
		vq += p.QueryVariance / n
		vk += p.KeyVariance / n
		cosine += p.Cosine / n
		ofMeans += p.OfMeans / n
		within += p.Within / n
		largest = max(largest, float64(p.greatest*o.Scale))
		e, se := p.exponent()
		exponent += e / n
		exponentSquare += float64(se*se) / float64(n*n)
	}
	se, freedom := math.Sqrt(exponentSquare), float64(parts[0].Queries+parts[0].Keys-2)
	z := float64(theory.StudentQuantile((1-level)/2, freedom) * se)
	scaled := float64(o.Scale * o.Scale)
	out := Numbers{
		Mean: result.Number(mean), Variance: variance,
		Ratio: variance.power(1, 1/float64(d)), Scaled: variance.power(1, scaled),
		LogitSD: variance.power(0.5, math.Abs(o.Scale)), Unit: variance.power(-0.5, 1),
		Exponent: Estimate{result.Number(exponent), result.Number(se),
			result.Number(exponent - z), result.Number(exponent + z), freedom},
		Cosine: result.Number(cosine), QueryVariance: result.Number(vq), KeyVariance: result.Number(vk),
		Largest: result.Number(largest), Participation: result.Absent(), ofMeans: result.Number(ofMeans),
	}
	if d == 1 || !(variance.Value > 0) {
		out.Exponent = absent
	}
	if o.Paired {
		return out
	}
	for s, scale := range o.scales(d) {
		var all effect
		for _, p := range parts {
			all.add(p.effects[s])
		}
		out.Effects = append(out.Effects, all.of(scale, within, parts[0].keys))
	}
	return out
}

// of sums the rows up.
func (e effect) of(scale, within float64, keys int) Effect {
	n := float64(len(e.survivals))
	survival := median(e.survivals)
	evenness := e.evenness / n
	return Effect{Scale: result.Number(scale), LogitSD: result.Number(math.Abs(scale) * math.Sqrt(within)),
		Survival: result.Number(survival), Entropy: result.Number(e.entropy / n), Evenness: result.Number(evenness),
		Label: label(evenness, survival), Keys: keys, Rows: len(e.survivals)}
}

// label is a placeholder until the branch inspect is merged.
func label(evenness, survival float64) string { return names.LabelSpread }

// Head is one head over all texts.
type Head struct {
	Layer string `json:"layer,omitempty"`
	Head  int    `json:"head"`
	Numbers
}

// First is what the scale that was asked for makes of its rows; of pairs nothing.
func (h Head) First() Effect {
	if len(h.Effects) == 0 {
		return Effect{Survival: result.Absent(), Evenness: result.Absent(), Entropy: result.Absent()}
	}
	return h.Effects[0]
}

// Summary is what all parts come to.
type Summary struct {
	Dimension int  `json:"d_k"`
	Queries   int  `json:"queries"` // of a part
	Keys      int  `json:"keys"`
	Texts     int  `json:"texts"`
	HeadCount int  `json:"heads"`
	Paired    bool `json:"paired"`
	// Blocks is how many parts of the first axis the error of All rests on; 0 where it is
	// from within the parts, and rows of one text make it too small.
	Blocks int     `json:"blocks"`
	All    Numbers `json:"all"`
	Heads  []Head  `json:"by_head,omitempty"`

	Scale      result.Number `json:"scale"`
	Subject    []string      `json:"subject,omitempty"` // sentences that say which arrays are judged, and how they were read
	Caveats    []string      `json:"caveats,omitempty"` // phrases that the verdict line repeats, such as what was not checked
	Dependence string        `json:"dependence"`        // what the error assumes
	Warnings   []string      `json:"warnings,omitempty"`
	Notes      []string      `json:"notes,omitempty"` // what was taken for granted
	same       bool
	alike      float64 // z of neighbouring rows
	length     float64 // that rows were brought to first, or 0
}

// Same reports whether queries and keys are the same vectors in all parts.
func (s Summary) Same() bool { return s.same }
