package replay

import (
	"math"
	"math/bits"
)

// Row is one row: a query and its keys as they were drawn, of mean 0 and variance 1.
type Row struct {
	Query     []float32
	Keys      [][]float32
	Alignment float64 // ρ; where it is not 0, the first key is ρq + √(1−ρ²)z, and z is what was drawn
}

// Components says what components have in place of mean 0 and standard deviation 1.
type Components struct {
	QuerySD   float64 `json:"q_sd"`
	KeySD     float64 `json:"k_sd"`
	QueryMean float64 `json:"q_mean"`
	KeyMean   float64 `json:"k_mean"`
}

// Standard components have the mean 0 and the standard deviation 1.
var Standard = Components{QuerySD: 1, KeySD: 1}

// Head returns the row with its first keys and components alone.
func (r Row) Head(keys, d int) Row {
	short := Row{Query: r.Query[:d], Alignment: r.Alignment}
	for _, k := range r.Keys[:keys] {
		short.Keys = append(short.Keys, k[:d])
	}
	return short
}

// Scores are q·k_j of every key, to the bit those of the experiment where the components
// are [Standard].
func (r Row) Scores(components Components) []float32 {
	scores := make([]float32, len(r.Keys))
	for j := range scores {
		if components == Standard && (j > 0 || r.Alignment == 0) {
			scores[j] = dot(r.Query, r.Keys[j])
			continue
		}
		r.Walk(components, j, func(_ int, sum float32) { scores[j] = sum })
	}
	return scores
}

// Size returns the length of the query times the root mean square of a component of a key, so that
// Size times the scale is the standard deviation of logits given the query, of keys with mean 0.
func (r Row) Size(components Components) float64 {
	var square float64
	for _, x := range r.Query {
		component := components.QueryMean + float64(components.QuerySD*float64(x))
		square += float64(component * component)
	}
	keySquare := float64(components.KeySD*components.KeySD) + float64(components.KeyMean*components.KeyMean)
	return math.Sqrt(float64(square * keySquare))
}

// dot returns the score of two vectors of standard components: the end of their walk.
func dot(q, k []float32) (sum float32) {
	for t, x := range q {
		sum += float32(x * k[t])
	}
	return sum
}

// Walk calls visit with the sum of the products of the query with key j over the first
// component, the first two, and so on: the score that the row would have if vectors were
// so short. Products are added as the kernels add them, in float32 and in their order.
func (r Row) Walk(c Components, j int, visit func(components int, sum float32)) {
	var dot, square, sumQ, sumK float32
	rest := math.Sqrt(1 - float64(r.Alignment*r.Alignment))
	for t, q := range r.Query {
		k := r.Keys[j][t]
		dot += float32(q * k)
		square += float32(q * q)
		sumQ += q
		sumK += k
		score, a, b := float64(dot), float64(sumQ), float64(sumK)
		if j == 0 && r.Alignment != 0 {
			score = float64(float32(float64(r.Alignment*float64(square)) + float64(rest*score)))
			b = float64(r.Alignment*a) + float64(rest*b)
		}
		visit(t+1, c.score(float64(t+1), score, a, b))
	}
}

// perOctave is how many points a walk has in an octave of components, at most.
const perOctave = 16

// HasPoint reports whether a walk of d components is shown after so many of them: after
// each of the first, and behind them as often in each octave, for an axis of powers of two.
func HasPoint(components, d int) bool {
	octave := 1 << (bits.Len(uint(max(components-1, 1))) - 1) // the greatest power of two below the components, or 1
	return components%max(1, octave/perOctave) == 0 || components == d
}

// score returns the sum of d products (μ_q + σ_q a)(μ_k + σ_k b) of which the sums of ab, a
// and b are given.
func (c Components) score(d, ab, a, b float64) float32 {
	if c == Standard {
		return float32(ab)
	}
	shift := float64(d*float64(c.QueryMean*c.KeyMean)) + float64(float64(c.QuerySD*c.KeyMean)*a) +
		float64(float64(c.QueryMean*c.KeySD)*b)
	return float32(shift + float64(float64(c.QuerySD*c.KeySD)*ab))
}
