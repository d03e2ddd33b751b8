package models

import (
	"math"

	"mcsim/sim/attention/weights"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// HasHead reports whether Head can compute the head at initialisation. This is so if the ledger has
// its shape, its scale, and the initialisation of W_Q and W_K. A norm of queries and keys can
// replace the initialisation, because it makes the size of W_Q and W_K irrelevant.
func (m Model) HasHead() bool {
	hasVariances := m.Scheme != "" || m.KeySD > 0
	return m.Model > 0 && m.Key > 0 && m.Scale > 0 && (hasVariances || m.IsNormalised())
}

// IsNormalised reports whether queries and keys are normalised, so that the sizes of W_Q and W_K do
// not matter.
func (m Model) IsNormalised() bool { return m.QKNorm != NoNorm }

// InitScheme returns an initialisation of W_Q and W_K that gives the logits of the model. With a
// norm of each head, any variance of entries gives the same logits. With a norm of all heads
// together, the queries and keys of one head have the mean square 1 only on average. Entries of
// variance 1/d_model have the same effect without the norm.
func (m Model) InitScheme() *weights.Scheme {
	name := m.Scheme
	switch m.QKNorm {
	case RMSAll, LayerAll:
		name = names.InitLeCunNormal
	case RMSHead, LayerHead, UnitLength:
		name = names.InitQKNorm
	}
	if s, ok := weights.Lookup(name); ok {
		return s
	}
	s := weights.NewIndependent(m.Distribution, m.queryVariance, m.keyVariance)
	s.Name, s.Title = m.TypedName(), m.Field("init")
	return s
}

// Head returns the head at initialisation with unit gains. HasHead must be true. Head ignores a
// soft cap, which changes the variance of the ledger's logits by less than a thousandth. LayerNorm
// of q and k subtracts their mean; it is represented by RMSNorm of d_k − 1 components. Latent
// attention is represented by an ordinary head with the same variances of q and k.
func (m Model) Head() weights.Head {
	if m.IsLatent() {
		return m.combinedHead()
	}
	h := m.InitScheme().HeadInLayer(m.Layer)
	h.Scale = m.Factor()
	k := float64(m.Key)
	switch m.QKNorm {
	case LayerHead: // the factor is for |q|², which is d_k after LayerNorm and d_k − 1 after RMSNorm
		h.Shape.Key--
		h.Scale *= k / (k - 1)
	case UnitLength:
		h.Scale /= k
	}
	return h
}

// HeadParts returns heads whose scores sum to the scores of the model. For latent attention these
// are one head with the unrotated and one with the rotated components; otherwise Head is the only
// one. Unrotated keys are computed from latent vectors after RMSNorm, which the head treats as
// tokens of the same width. This is exact for normal weights. Rotated keys are computed from the
// token itself. The variance of the entries of W_Q is such that components of a query have the
// variance that they have as a projection of the latent vector.
func (m Model) HeadParts() []weights.Head {
	if !m.IsLatent() {
		return []weights.Head{m.Head()}
	}
	newPart := func(width, key int) weights.Head {
		scheme := weights.NewIndependent(m.Distribution, m.latentQueryVariance()/float64(width), m.keyVariance)
		shape := weights.Shape{Model: width, Key: key}
		h := scheme.HeadInLayer(weights.Layer{Shape: shape, Heads: m.Heads, KeyHeads: m.KeyHeads})
		h.Scale = m.Factor()
		return h
	}
	return []weights.Head{newPart(m.KeyLatent, m.Nope), newPart(m.Model, m.Rope)}
}

// latentQueryVariance returns the variance of a component of a query that is computed from a latent
// vector.
func (m Model) latentQueryVariance() float64 { return float64(m.QueryLatent) * m.queryVariance }

// combinedHead returns a head for latent attention. Its keys have the mean variance of the
// unrotated and rotated components.
func (m Model) combinedHead() weights.Head {
	width := float64(m.Model)
	key := (float64(m.Nope*m.KeyLatent) + float64(m.Rope*m.Model)) * m.keyVariance / float64(m.Key)
	s := weights.NewIndependent(m.Distribution, m.latentQueryVariance()/width, key/width)
	s.Name, s.Title = m.TypedName(), m.Field("init")
	h := s.HeadInLayer(m.Layer)
	h.Scale = m.Factor()
	return h
}

// LogitSD returns the standard deviation of a logit of two tokens at initialisation, or NaN if it
// is not known.
func (m Model) LogitSD() float64 {
	if !m.HasHead() {
		return math.NaN()
	}
	var sum float64
	for _, h := range m.HeadParts() {
		sum += float64(h.LogitVariance())
	}
	return math.Sqrt(sum)
}

// Label returns the label of the model's rows at initialisation, with as many keys as its maximum
// context. It is empty if the context or the variance of logits is not known.
func (m Model) Label() string {
	sigma := m.LogitSD()
	if m.Context < 2 || math.IsNaN(sigma) {
		return ""
	}
	return Label(m.Context, sigma)
}

// Label returns the label of rows of n = keys ≥ 2 independent normal logits with standard deviation
// sigma: concentrated if sigma is above √(2 ln n), otherwise spread.
func Label(keys int, sigma float64) string {
	if sigma > theory.FreezingSigma(keys) {
		return names.LabelConcentrated
	}
	return names.LabelSpread
}
