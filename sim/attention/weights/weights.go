// Package weights knows how frameworks initialise the query and key
// projections of attention, what variance of queries, keys and logits follows
// from it, and draws such projections with tokens to measure the same.
//
// A token x has d_model components, independent normal numbers after
// LayerNorm without gain, bias and ε: it is uniform on the sphere of radius
// √d_model among the vectors of mean 0. A head has q = W_Qᵀx + b_Q and
// k = W_Kᵀx' + b_K, with W_Q and W_K of d_model × d_k entries. Its logit is
// q·k times the scale of its framework.
package weights

import (
	"strconv"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// Shape is the size of one head.
type Shape struct{ Model, Key int }

// Heads returns how many heads share d_model; 0 if they do not divide it.
func (s Shape) Heads() int {
	if s.Key < 1 || s.Model%s.Key != 0 {
		return 0
	}
	return s.Model / s.Key
}

// Layer is all heads of a layer of attention: how many of queries, and how many of keys,
// which neighbouring heads of queries may share.
type Layer struct {
	Shape
	Heads, KeyHeads int
}

// Layer has as many heads, of queries as of keys, as make up d_model.
func (s Shape) Layer() Layer { return Layer{s, s.Heads(), s.Heads()} }

// Scheme is one way to initialise W_Q and W_K, with its score scale.
type Scheme struct {
	names.Initialisation

	// Distribution is the distribution of an entry before it is scaled to its variance; the zero
	// Distribution for orthogonal columns.
	Distribution distribution.Distribution
	// Variances are those of an entry of W_Q and of W_K; nil for orthogonal
	// columns, which have 1/d_model.
	Variances func(Layer) (query, key float64)
	// Bias is the variance of a component of b_Q and b_K, which are uniform; nil
	// if there are none.
	Bias func(Shape) float64
	// Scale is what q·k is multiplied by.
	Scale func(Shape) float64
	// Normalised says that q and k are divided by their root mean square.
	Normalised bool
}

// NewNormal returns a scheme that no framework has: normal entries of a standard deviation, under
// 1/√d_k.
func NewNormal(sd float64) *Scheme {
	s := NewIndependent(distribution.Normal, float64(sd*sd), float64(sd*sd))
	text := strconv.FormatFloat(sd, 'g', -1, 64)
	s.Name, s.Title = "normal-"+text, "normal of standard deviation "+text
	return s
}

// NewIndependent returns a scheme without a name: independent entries of a distribution, of W_Q and of W_K of
// these variances, under 1/√d_k.
func NewIndependent(entry distribution.Distribution, query, key float64) *Scheme {
	return &Scheme{Distribution: entry, Variances: func(Layer) (float64, float64) { return query, key }, Scale: rootScale}
}

// IsOrthogonal reports whether the columns of W_Q and W_K are orthonormal.
func (s *Scheme) IsOrthogonal() bool { return s.Distribution == distribution.Distribution{} }

// Names lists the schemes in the order of their table.
func Names() []string { return names.Map(table, func(s Scheme) string { return s.Name }) }

// Lookup returns the scheme of that name.
func Lookup(name string) (*Scheme, bool) {
	for i := range table {
		if table[i].Name == name {
			return &table[i], true
		}
	}
	return nil, false
}
