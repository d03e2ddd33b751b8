package models

import (
	"math"

	"mcsim/sim/attention/weights"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// HasHead reports whether Head can compute the head at initialisation: the ledger has its shape,
// its scale, and either the initialisation of W_Q and W_K or a norm that makes it irrelevant.
func (m Model) HasHead() bool {
	hasVariances := m.Scheme != "" || m.KeySD > 0
	return m.Model > 0 && m.Key > 0 && m.Scale > 0 && (hasVariances || m.IsNormalised())
}

// IsNormalised reports whether queries and keys are normalised, so that the sizes of W_Q and W_K do
// not matter.
func (m Model) IsNormalised() bool { return m.QKNorm != NoNorm }

// InitScheme returns the initialisation of W_Q and W_K. With a norm of each head, any variance
// gives the same logits. With a norm of all heads together, a head has the mean square 1 only on
// average, as entries of variance 1/d_model give without the norm.
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

// Head returns the head at initialisation, with unit gains, of a model for which HasHead is true.
// It ignores a soft cap, which at the caps and logits of the ledger lowers the variance by less
// than a thousandth. LayerNorm of q and k subtracts their mean, so that the head has d_k − 1
// components after RMSNorm. For latent attention it is an ordinary head with the same variances of
// q and k.
func (m Model) Head() weights.Head {
	if m.IsLatent() {
		return m.combinedHead()
	}
	h := m.InitScheme().HeadInLayer(m.Layer)
	h.Scale = m.Factor()
	k := float64(m.Key)
	switch m.QKNorm {
	case LayerHead: // |q|² is still d_k
		h.Shape.Key--
		h.Scale *= k / (k - 1)
	case UnitLength:
		h.Scale /= k
	}
	return h
}

// HeadParts returns heads whose scores sum to the model's. For latent attention these are the
// components without and with rotation, otherwise Head is the only one. Latent vectors are after
// RMSNorm and are treated as tokens of their width, which is exact for normal weights. The keys
// with rotation are computed from the token itself. The variances of the entries of W_Q are such
// that a query is as large as its latent vector makes it.
func (m Model) HeadParts() []weights.Head {
	if !m.IsLatent() {
		return []weights.Head{m.Head()}
	}
	newPart := func(width, key int) weights.Head {
		h := weights.NewIndependent(m.Distribution, m.latentQueryVariance()/float64(width),
			m.keyVariance).HeadInLayer(weights.Layer{
			Shape: weights.Shape{Model: width, Key: key}, Heads: m.Heads, KeyHeads: m.KeyHeads})
		h.Scale = m.Factor()
		return h
	}
	return []weights.Head{newPart(m.KeyLatent, m.Nope), newPart(m.Model, m.Rope)}
}

// latentQueryVariance returns the variance of a component of a query that is computed from a latent
// vector.
func (m Model) latentQueryVariance() float64 { return float64(m.QueryLatent) * m.queryVariance }

// combinedHead returns the head of latent attention whose keys have the mean variance of both
// parts.
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

// Label returns the label of rows of the model's full context at initialisation, empty if the
// context or the logits are not known.
func (m Model) Label() string {
	sigma := m.LogitSD()
	if m.Context < 2 || math.IsNaN(sigma) {
		return ""
	}
	return Label(m.Context, sigma)
}

// Label returns the label of rows of n ≥ 2 independent normal logits with standard deviation sigma:
// concentrated if it is above √(2 ln n), otherwise spread.
func Label(keys int, sigma float64) string {
	if sigma > theory.FreezingSigma(keys) {
		return names.LabelConcentrated
	}
	return names.LabelSpread
}
