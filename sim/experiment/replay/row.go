package replay

import (
	"math"
	"math/bits"
)

// Row is a query and its keys as they were sampled, with components of mean 0 and variance 1.
type Row struct {
	Query     []float32
	Keys      [][]float32
	Alignment float64 // ρ; if it is not 0, Keys[0] is z, and the first key is ρq + √(1−ρ²)z
}

// Components has the means and standard deviations of the components of queries and keys.
type Components struct {
	QuerySD   float64 `json:"q_sd"`
	KeySD     float64 `json:"k_sd"`
	QueryMean float64 `json:"q_mean"`
	KeyMean   float64 `json:"k_mean"`
}

// Standard is the mean 0 and the standard deviation 1, with which components are sampled.
var Standard = Components{QuerySD: 1, KeySD: 1}

// Truncate returns the row with the given number of its first keys and the first d components.
func (r Row) Truncate(keys, d int) Row {
	truncated := Row{Query: r.Query[:d], Alignment: r.Alignment}
	for _, k := range r.Keys[:keys] {
		truncated.Keys = append(truncated.Keys, k[:d])
	}
	return truncated
}

// Scores returns q·k_j of every key. If the components are [Standard], the scores equal those of
// the experiment bit for bit.
func (r Row) Scores(components Components) []float32 {
	scores := make([]float32, len(r.Keys))
	for j := range scores {
		if components == Standard && (j > 0 || r.Alignment == 0) {
			scores[j] = dot(r.Query, r.Keys[j])
			continue
		}
		r.VisitPartialScores(components, j, func(_ int, sum float32) { scores[j] = sum })
	}
	return scores
}

// Size returns the length of the query times the root mean square of a component of a key. For keys
// with mean 0, Size times the scale is the standard deviation of the logits of the given query.
func (r Row) Size(components Components) float64 {
	var square float64
	for _, x := range r.Query {
		component := components.QueryMean + float64(components.QuerySD*float64(x))
		square += float64(component * component)
	}
	keySquare := float64(components.KeySD*components.KeySD) + float64(components.KeyMean*components.KeyMean)
	return math.Sqrt(float64(square * keySquare))
}

// dot returns q·k with the same rounding as the last sum of VisitPartialScores for standard
// components.
func dot(q, k []float32) (sum float32) {
	for t, x := range q {
		sum += float32(x * k[t])
	}
	return sum
}

// VisitPartialScores calls visit for the first component, the first two components, and so on, with
// the sum of the products of the query and key j over these components. The sum is the score of key
// j in the truncated row. Like the kernels, it adds products in float32 and in the order of the
// components.
func (r Row) VisitPartialScores(c Components, j int, visit func(components int, sum float32)) {
	var products, squares, sumQ, sumK float32 // sums of qk, q², q and k
	noiseFactor := math.Sqrt(1 - float64(r.Alignment*r.Alignment))
	for t, q := range r.Query {
		k := r.Keys[j][t]
		products += float32(q * k)
		squares += float32(q * q)
		sumQ += q
		sumK += k
		score, a, b := float64(products), float64(sumQ), float64(sumK)
		if j == 0 && r.Alignment != 0 {
			score = float64(float32(float64(r.Alignment*float64(squares)) + float64(noiseFactor*score)))
			b = float64(r.Alignment*a) + float64(noiseFactor*b)
		}
		visit(t+1, c.transformScore(float64(t+1), score, a, b))
	}
}

// curvePointsPerOctave is the largest number of points per octave of a curve of partial scores as a
// function of the number of components.
const curvePointsPerOctave = 16

// IsCurvePoint reports whether the curve of the partial scores of d components has a point at the
// given number of components. It has a point at each number up to 2·curvePointsPerOctave, then at
// curvePointsPerOctave equal steps in each octave, and at d.
func IsCurvePoint(components, d int) bool {
	octaveStart := 1 << (bits.Len(uint(max(components-1, 1))) - 1) // the largest power of two below components, or 1
	return components%max(1, octaveStart/curvePointsPerOctave) == 0 || components == d
}

// transformScore returns the sum of d products (μ_q + σ_q a)(μ_k + σ_k b), given the sums of the
// products ab, of a and of b.
func (c Components) transformScore(d, sumAB, sumA, sumB float64) float32 {
	if c == Standard {
		return float32(sumAB)
	}
	shift := float64(d*float64(c.QueryMean*c.KeyMean)) + float64(float64(c.QuerySD*c.KeyMean)*sumA) +
		float64(float64(c.QueryMean*c.KeySD)*sumB)
	return float32(shift + float64(float64(c.QuerySD*c.KeySD)*sumAB))
}
