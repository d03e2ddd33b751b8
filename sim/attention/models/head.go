package models

import (
	"math"

	"mcsim/sim/attention/weights"
	"mcsim/sim/names"
	"mcsim/sim/statistics/theory"
)

// Drawn reports whether the ledger knows the head that the model has at initialisation: its
// shape, its scale, and either how W_Q and W_K are drawn or a norm that makes it all the same.
func (m Model) Drawn() bool {
	known := m.Scheme != "" || m.KeySD > 0
	return m.Model > 0 && m.Key > 0 && m.Scale > 0 && (known || m.Normalised())
}

// Normalised reports whether queries and keys are, so that the sizes of W_Q and W_K are lost.
func (m Model) Normalised() bool { return m.QKNorm != NoNorm }

// Init returns how W_Q and W_K are drawn. After a norm of each head any variance gives the same;
// after one of all heads together a head has the mean square 1 only on average, which entries
// of variance 1/d_model give without the norm.
func (m Model) Init() *weights.Scheme {
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
	s := weights.Independent(m.Distribution, m.queryVariance, m.keyVariance)
	s.Name, s.Title = m.Typed(), m.Field("init")
	return s
}

// Head returns the head at initialisation, with unit gains, of a model that is Drawn. A soft-cap is
// left out: at the caps and sizes of the ledger it takes less than a thousandth of the variance.
// A LayerNorm of q and k takes their mean away, so that the head is one of d_k − 1 components
// after RMSNorm. Of latent attention it is an ordinary head of the same variances of q and k.
func (m Model) Head() weights.Head {
	if m.Latent() {
		return m.whole()
	}
	h := m.Init().In(m.Layer)
	h.Scale = m.Factor()
	k := float64(m.Key)
	switch m.QKNorm {
	case LayerHead: // |q|² is d_k still
		h.Shape.Key--
		h.Scale *= k / (k - 1)
	case UnitLength:
		h.Scale /= k
	}
	return h
}

// Parts returns heads whose scores add up to the model's: of latent attention the components without
// and with rotation, else Head alone. Latent vectors are after RMSNorm and
// are taken to be tokens of their own width, which they are for normal weights; the keys with
// rotation are made of the token itself.
// Variances of the entries of W_Q are such that a query is as large as its latent vector makes it.
func (m Model) Parts() []weights.Head {
	if !m.Latent() {
		return []weights.Head{m.Head()}
	}
	part := func(width, key int) weights.Head {
		h := weights.Independent(m.Distribution, m.latentQuery()/float64(width), m.keyVariance).In(weights.Layer{
			Shape: weights.Shape{Model: width, Key: key}, Heads: m.Heads, KeyHeads: m.KeyHeads})
		h.Scale = m.Factor()
		return h
	}
	return []weights.Head{part(m.KeyLatent, m.Nope), part(m.Model, m.Rope)}
}

// latentQuery returns the variance of a component of a query that is made of a latent vector.
func (m Model) latentQuery() float64 { return float64(m.QueryLatent) * m.queryVariance }

// whole returns the head of latent attention whose keys have the mean variance of both parts.
func (m Model) whole() weights.Head {
	width := float64(m.Model)
	key := (float64(m.Nope*m.KeyLatent) + float64(m.Rope*m.Model)) * m.keyVariance / float64(m.Key)
	s := weights.Independent(m.Distribution, m.latentQuery()/width, key/width)
	s.Name, s.Title = m.Typed(), m.Field("init")
	h := s.In(m.Layer)
	h.Scale = m.Factor()
	return h
}

// LogitSD returns the standard deviation of a logit of two tokens at initialisation; NaN if it is
// not known.
func (m Model) LogitSD() float64 {
	if !m.Drawn() {
		return math.NaN()
	}
	var sum float64
	for _, h := range m.Parts() {
		sum += float64(h.LogitVariance())
	}
	return math.Sqrt(sum)
}

// Label says how rows of the model's own context begin; empty if that or the logits are not
// known.
func (m Model) Label() string {
	sigma := m.LogitSD()
	if m.Context < 2 || math.IsNaN(sigma) {
		return ""
	}
	return Label(m.Context, sigma)
}

// Label labels rows of n ≥ 2 independent normal logits of a standard deviation: concentrated if
// that is above √(2 ln n), else spread.
func Label(keys int, sigma float64) string {
	if sigma > theory.FreezingSigma(keys) {
		return names.LabelConcentrated
	}
	return names.LabelSpread
}
