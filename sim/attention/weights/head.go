package weights

import "mcsim/sim/base/distribution"

// Entries has the variances and kurtoses of the independent entries of one projection W and of its
// bias.
type Entries struct {
	Variance, Kurtosis         float64
	BiasVariance, BiasKurtosis float64
}

// Head is a head of a layer with the variances that a scheme gives it.
type Head struct {
	Layer
	Scheme     *Scheme
	Query, Key Entries
	Scale      float64
	// Normalised is set if q and k are divided by their root mean squares.
	Normalised bool
	// Raw is set if tokens are independent normal numbers without LayerNorm.
	Raw bool
}

// Head returns the head of the shape in its Layer.
func (s *Scheme) Head(shape Shape) Head { return s.HeadInLayer(shape.Layer()) }

// HeadInLayer returns the head in a layer, with the scheme's scale and tokens after LayerNorm.
func (s *Scheme) HeadInLayer(l Layer) Head {
	shape := l.Shape
	h := Head{Layer: l, Scheme: s, Scale: s.Scale(shape), Normalised: s.Normalised}
	if s.IsOrthogonal() {
		h.Query.Variance, h.Key.Variance = 1/shape.modelWidth(), 1/shape.modelWidth()
		return h
	}
	entries := Entries{Kurtosis: s.Distribution.Kurtosis()}
	if s.Bias != nil {
		entries.BiasVariance, entries.BiasKurtosis = s.Bias(shape), distribution.Uniform.Kurtosis()
	}
	h.Query, h.Key = entries, entries
	h.Query.Variance, h.Key.Variance = s.Variances(l)
	return h
}

// projectedVariance returns the variance over weights of a component of a projected token. model is
// d_model, the squared length of a token: exactly after LayerNorm, on average for raw tokens.
func (e Entries) projectedVariance(model float64) float64 {
	return float64(e.Variance*model) + e.BiasVariance
}

// QueryVariance returns E|q|²/d over weights and tokens, after normalisation if the head is
// normalised.
func (h Head) QueryVariance() float64 { return h.componentVariance(h.Query) }

// KeyVariance returns E|k|²/d over weights and tokens, after normalisation if the head is
// normalised.
func (h Head) KeyVariance() float64 { return h.componentVariance(h.Key) }

// componentVariance returns the variance of a component of q or k. Normalisation makes it 1 unless
// all components are 0.
func (h Head) componentVariance(e Entries) float64 {
	variance := e.projectedVariance(h.modelWidth())
	if h.Normalised && variance > 0 {
		return 1
	}
	return variance
}

// LogitVariance returns E(q·k)²·scale² over weights and tokens for every pair of different tokens.
// After LayerNorm it is the same for a token with itself. The mean of a logit is 0. W_Q and W_K are
// independent, and different components of k are uncorrelated given the token, so that E(q·k)² is
// the sum of E q_a² E k_a² over the d_k components a.
func (h Head) LogitVariance() float64 {
	return float64(float64(h.Scale*h.Scale)*h.keyWidth()) * h.ScaledVariance()
}

// ScaledVariance returns LogitVariance with the scale 1/√d_k in place of the framework's scale.
func (h Head) ScaledVariance() float64 { return float64(h.QueryVariance() * h.KeyVariance()) }

// ParticipationRatio returns (tr Σ)²/tr Σ² = D − 1. The covariance Σ of tokens after LayerNorm is
// D/(D−1) times the projection onto vectors of mean 0, with D = d_model.
func (s Shape) ParticipationRatio() float64 { return s.modelWidth() - 1 }

// SameTokenMeanVariance returns the variance over weights of scale·(tr(W_Q W_KᵀΣ) + b_Q·b_K). This
// is the mean over tokens of the logit of a token with itself. Σ is the covariance of tokens.
func (h Head) SameTokenMeanVariance() float64 {
	width := h.modelWidth()
	weights := float64(float64(h.Query.Variance*width)*float64(h.Key.Variance*width)) / h.ParticipationRatio()
	return float64(float64(h.Scale*h.Scale)*h.keyWidth()) * (weights + float64(h.Query.BiasVariance*h.Key.BiasVariance))
}
