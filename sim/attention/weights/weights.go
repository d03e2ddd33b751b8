// Package weights has the schemes by which frameworks initialise the query and key projections of
// attention. It computes the variances of queries, keys and logits that follow from a scheme, and
// samples such projections with tokens to measure them.
//
// A token x is a vector of d_model independent normal numbers to which LayerNorm without gain, bias
// and ε is applied. It is uniform on the sphere of radius √d_model in the space of vectors of mean
// 0. A head computes the query q = W_Qᵀx + b_Q of a token x and the key k = W_Kᵀx' + b_K of a token
// x', with d_model × d_k matrices W_Q and W_K. The logit is q·k times the scale of the framework.
package weights

import (
	"strconv"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// Shape is the shape of one head: Model is d_model, and Key is d_k.
type Shape struct{ Model, Key int }

// Heads returns the number of heads that together have d_model components, or 0 if d_k does not
// divide d_model.
func (s Shape) Heads() int {
	if s.Key < 1 || s.Model%s.Key != 0 {
		return 0
	}
	return s.Model / s.Key
}

// Layer is the shape of all heads of an attention layer. If KeyHeads is less than Heads,
// neighbouring query heads share a key head.
type Layer struct {
	Shape
	Heads, KeyHeads int
}

// Layer returns the layer with d_model/d_k query heads and as many key heads.
func (s Shape) Layer() Layer { return Layer{s, s.Heads(), s.Heads()} }

// Scheme is a way to initialise W_Q and W_K, together with the scale of the scores.
type Scheme struct {
	names.Initialisation

	// Distribution is the distribution of a matrix entry before it is scaled to its variance. The
	// zero Distribution means orthonormal columns.
	Distribution distribution.Distribution
	// Variances returns the variances of an entry of W_Q and of W_K. It is nil for orthonormal
	// columns, whose entries have the variance 1/d_model.
	Variances func(Layer) (query, key float64)
	// Bias returns the variance of a component of b_Q and b_K, which are uniform; nil means no
	// biases.
	Bias func(Shape) float64
	// Scale returns the factor by which q·k is multiplied.
	Scale func(Shape) float64
	// Normalised is set if q and k are divided by their root mean squares.
	Normalised bool
}

// NewNormal returns a scheme that is not in the table: normal entries of standard deviation sd, and
// the scale 1/√d_k.
func NewNormal(sd float64) *Scheme {
	s := NewIndependent(distribution.Normal, float64(sd*sd), float64(sd*sd))
	text := strconv.FormatFloat(sd, 'g', -1, 64)
	s.Name, s.Title = "normal-"+text, "normal of standard deviation "+text
	return s
}

// NewIndependent returns a scheme without a name and with the scale 1/√d_k. The entries of W_Q have
// the variance query, and the entries of W_K the variance key.
func NewIndependent(entry distribution.Distribution, query, key float64) *Scheme {
	return &Scheme{Distribution: entry, Variances: func(Layer) (float64, float64) { return query, key },
		Scale: rootScale}
}

// IsOrthogonal reports whether the columns of W_Q and W_K are orthonormal.
func (s *Scheme) IsOrthogonal() bool { return s.Distribution == distribution.Distribution{} }

// Names returns the names of the schemes in the order of their table.
func Names() []string { return names.Map(table, func(s Scheme) string { return s.Name }) }

// Lookup returns the scheme with the given name.
func Lookup(name string) (*Scheme, bool) {
	for i := range table {
		if table[i].Name == name {
			return &table[i], true
		}
	}
	return nil, false
}
