package inspect

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// Options say how queries meet keys.
type Options struct {
	Scale   float64 // what q·k is multiplied by
	Paired  bool    // row i of the queries with row i of the keys alone
	Causal  bool    // query i sees the keys 0 to i
	Length  float64 // what rows of queries and keys are brought to first; 0 leaves them
	Workers int
	Texts   int // that are measured; 0 for one
	Blocks  int // of rows that a text is measured in, one after the other; 0 for one

	// Factor returns what q·k is multiplied by in a row that sees so many keys, if that is not Scale.
	Factor func(keys int) float64
}

// alone reports whether there is one part of a head, so that errors come from its rows.
func (o Options) alone() bool { return max(1, o.Texts)*max(1, o.Blocks) == 1 }

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
	p.Moments = j.moments(p.interaction, o.alone())
	if o.Causal {
		p.Within = Sum(p.inside) / float64(len(p.inside))
		p.within = p.ofRows(p.inside)
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

	relative, freedom float64 // the standard error of the logarithm, and its degrees of freedom
}

// absent is what is not defined.
var absent = Estimate{result.Absent(), result.Absent(), result.Absent(), result.Absent(), 1, 1}

// level is that of intervals.
const level = 0.95

// positive returns the estimate of a number that is not negative, with its interval on the scale of
// logarithms: variances are skewed.
func (m mean) positive() Estimate {
	if math.IsNaN(m.se) {
		unknown := absent
		unknown.Value = result.Number(m.value)
		return unknown
	}
	e := Estimate{result.Number(m.value), result.Number(m.se), 0, 0, m.relative, m.freedom}
	lo, hi := e.limits((1 - level) / 2)
	e.Lo, e.Hi = result.Number(lo), result.Number(hi)
	return e
}

// limits are those beyond which the truth lies with the chance of tail on either side.
func (e Estimate) limits(tail float64) (lo, hi float64) {
	value := float64(e.Value)
	if value == 0 {
		return 0, 0
	}
	half := elementary.Exp(theory.StudentQuantile(tail, e.freedom) * e.relative)
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
	size := math.Abs(exponent)
	return mean{value, size * value * float64(e.SE/e.Value), size * e.relative, e.freedom}.positive()
}

// turned returns the estimate of a falling function of what is estimated, with the error unchanged.
func (e Estimate) turned(falling func(float64) float64) Estimate {
	of := func(x result.Number) result.Number { return result.Number(falling(float64(x))) }
	return Estimate{of(e.Value), e.SE, of(e.Hi), of(e.Lo), e.relative, e.freedom}
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
	Scale     result.Number `json:"factor"`
	LogitSD   Estimate      `json:"row_logit_sd"`          // square root of the mean variance within a row
	Effective Estimate      `json:"effective_keys"`        // 1 over the mean of Σα²
	Entropy   Estimate      `json:"entropy_ratio"`         // its mean
	Limit     result.Number `json:"effective_keys_limit"`  // below which rows are concentrated
	Evenness  result.Number `json:"max_weight_times_keys"` // its mean: 1 where all weights are equal
	Dead      result.Number `json:"dead_share"`            // of all rows
	Label     string        `json:"label"`
	Keys      int           `json:"keys"` // of a row, at most
	Rows      int           `json:"rows"` // that were looked at
}

// Columns of what texts of a head are measured by, and those that each scale has after them.
const (
	columnVariance = iota
	columnExponent
	columnWithin
	firstColumns
)

const (
	columnExcess = iota
	columnDeficit
	perScale
)

// columns returns the numbers of each text of a head, and the terms of each if there is one.
func columns(texts []Part) (values [][]float64, all []terms) {
	add := func(t terms, number func(Part) float64) {
		var xs []float64
		for _, p := range texts {
			xs = append(xs, number(p))
		}
		values, all = append(values, xs), append(all, t)
	}
	first := texts[0]
	values, all = append(values, total(texts), exponents(texts)), append(all, first.score, first.exponent)
	add(first.within, func(p Part) float64 { return p.Within })
	for s, e := range first.effects {
		mean := func(of func(effect) []float64) func(Part) float64 {
			return func(p Part) float64 { return Sum(of(p.effects[s])) / float64(len(of(p.effects[s]))) }
		}
		add(first.termsOfRows(e.excess), mean(func(e effect) []float64 { return e.excess }))
		add(first.termsOfRows(e.deficit), mean(func(e effect) []float64 { return e.deficit }))
	}
	return values, all
}

// termsOfRows returns those of ofRows. If the keys along the mean query move all rows at once, the
// error is not known.
func (p Part) termsOfRows(rows []float64) terms {
	const maxAlongMean = 0.02
	t := p.ofRows(rows)
	if p.alongMean > maxAlongMean {
		t.factor = math.NaN()
	}
	return t
}

// numbersOf joins parts whose columns have the given means.
func numbersOf(parts []Part, columns []mean, o Options) Numbers {
	n := float64(len(parts))
	var score, vq, vk, cosine, ofMeans float64
	largest, d := math.Inf(-1), parts[0].Dimension
	for _, p := range parts {
		score += p.Mean / n
		vq += p.QueryVariance / n
		vk += p.KeyVariance / n
		cosine += p.Cosine / n
		ofMeans += p.OfMeans / n
		largest = max(largest, float64(p.greatest*o.Scale))
	}
	scaled, variance := float64(o.Scale*o.Scale), columns[columnVariance].positive()
	out := Numbers{
		Mean: result.Number(score), Variance: variance,
		Ratio: variance.power(1, 1/float64(d)), Scaled: variance.power(1, scaled),
		LogitSD: variance.power(0.5, math.Abs(o.Scale)), Unit: variance.power(-0.5, 1),
		Exponent: columns[columnExponent].signed(),
		Cosine:   result.Number(cosine), QueryVariance: result.Number(vq), KeyVariance: result.Number(vk),
		Largest: result.Number(largest), Participation: result.Absent(), ofMeans: result.Number(ofMeans),
	}
	if d == 1 || !(variance.Value > 0) {
		out.Exponent = absent
	}
	if o.Paired {
		return out
	}
	within := columns[columnWithin].positive()
	for s, scale := range o.scales(d) {
		e := Effect{Scale: result.Number(scale), LogitSD: within.power(0.5, math.Abs(scale)), Keys: parts[0].keys}
		dead, limit, uniform := 0, 0.0, 0.0
		for _, p := range parts {
			of := p.effects[s]
			e.Rows += len(of.excess)
			e.Evenness += result.Number(of.evenness)
			limit += of.limit / n / float64(len(of.excess))
			uniform += of.uniform / n / float64(len(of.excess))
			dead += of.dead
		}
		e.Evenness /= result.Number(e.Rows)
		e.Dead = result.Number(float64(dead) / float64(e.Rows))
		some := columns[firstColumns+s*perScale:]
		e.Effective = some[columnExcess].positive().turned(func(x float64) float64 { return 1 / (x + uniform) })
		e.Effective.SE *= e.Effective.Value * e.Effective.Value
		e.Entropy = some[columnDeficit].positive().turned(func(x float64) float64 { return 1 - x })
		e.Limit = result.Number(1 / limit)
		e.Label = label(e.Effective, 1/limit, float64(e.Dead))
		out.Effects = append(out.Effects, e)
	}
	return out
}

// label names rows by the interval of their effective keys, the limit of these, and the share of
// dead rows.
func label(effective Estimate, limit, dead float64) string {
	switch {
	case float64(effective.Lo) >= limit:
		return names.LabelSpread
	case !(float64(effective.Hi) < limit): // the error may not be known
		return names.LabelSpread + " or " + names.LabelConcentrated
	case dead > 0.5:
		return names.LabelDead
	}
	return names.LabelConcentrated
}

// Head is one head over all texts.
type Head struct {
	Layer string `json:"layer,omitempty"`
	Head  int    `json:"head"`
	Numbers
}

// First is what the scale that was asked for makes of its rows; of pairs nothing.
func (h Head) First() Effect {
	if len(h.Effects) == 0 {
		return Effect{Effective: absent, Evenness: result.Absent(), Entropy: absent}
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
	// Blocks is how many texts, or batches of rows, errors rest on; 0 if rows are taken for
	// independent.
	Blocks int     `json:"blocks"`
	All    Numbers `json:"all"`
	Heads  []Head  `json:"by_head,omitempty"`
	// HeadsSD is the standard deviation of the scaled variance over heads, and HeadsError the part of
	// it that errors of the heads give on average.
	HeadsSD    result.Number `json:"heads_sd,omitzero"`
	HeadsError result.Number `json:"heads_error,omitzero"`
	// Worth is how many independent rows those of one text are worth, if neighbours are alike.
	Worth result.Number `json:"independent_rows,omitzero"`

	Scale      result.Number `json:"scale"`
	Subject    []string      `json:"subject,omitempty"` // sentences that say which arrays are judged, and how they were read
	Caveats    []string      `json:"caveats,omitempty"` // phrases that the verdict line repeats, such as what was not checked
	Dependence string        `json:"dependence"`        // what the error assumes
	Warnings   []string      `json:"warnings,omitempty"`
	Notes      []string      `json:"notes,omitempty"` // what was taken for granted
	same       bool
	alike      float64 // standard errors by which neighbouring rows are alike, if that is too many
	length     float64 // that rows were brought to first, or 0
}

// Same reports whether queries and keys are the same vectors in all parts.
func (s Summary) Same() bool { return s.same }
