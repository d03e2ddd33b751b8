package weights

import "math"

// For given weights, the mean over tokens of the squared score is T = tr(QK), with the matrices
// Q = E qqᵀ and K = E kkᵀ over tokens. T varies with the weights, and more so if tokens span fewer
// dimensions.
//
// Q = W_QᵀΣW_Q + b_Qb_Qᵀ with Σ = D/N·P, N = D − 1, P the projection onto vectors
// of mean 0. For independent symmetric entries
//
//	E Q_ab Q_ce = α δ_ab δ_ce + β(δ_ac δ_be + δ_ae δ_bc) + γ [a = b = c = e],
//	α = (Dv + u)², β = D²v²/N + u², γ = D(κ − 3)v² + (κ_u − 3)u²,
//
// with v and u the variances of an entry of W and of b, and κ and κ_u their kurtoses, since tr P =
// N and Σ P_ii² = N²/D. The expectation over K and then over Q gives E T². To first order the
// relative variance is 2(κ−1)/(d·N) + 2(d+1)/(d·N²).

// productMoments has the moments α, β and γ.
type productMoments struct{ alpha, beta, gamma float64 }

// productMoments returns the moments of a projection with these entries for tokens of d_model
// components.
func (e Entries) productMoments(model float64) productMoments {
	v, u := e.Variance, e.Bias
	variance := e.componentVariance(model)
	dv := float64(model * v)
	return productMoments{
		alpha: float64(variance * variance),
		beta:  float64(dv*dv)/(model-1) + float64(u*u),
		gamma: float64(float64(dv*v)*(e.Kurtosis-3)) + float64(float64(u*u)*(e.BiasKurtosis-3)),
	}
}

// RelativeVariance returns the relative variance of T over weights. It is NaN if a projection is 0,
// and for normalised heads and raw tokens, for which it is not known.
func (h Head) RelativeVariance() float64 {
	if h.Normalised || h.Raw {
		return math.NaN()
	}
	if h.Scheme.IsOrthogonal() {
		return h.orthogonalRelativeVariance()
	}
	q, k, d := h.Query.productMoments(h.d()), h.Key.productMoments(h.d()), h.k()
	// The expectation of (tr QK)² over K has terms in (tr Q)², tr Q² and Σ Q_aa². These are their
	// expectations over Q, minus the square of the mean in the first, over d².
	single := float64(2*q.beta) + q.gamma
	trace := single / d
	square := (q.alpha + float64(q.beta*(d+1)) + q.gamma) / d
	diagonal := (q.alpha + single) / d
	variance := float64(k.alpha*trace) + float64(float64(2*k.beta)*square) + float64(k.gamma*diagonal)
	return variance / float64(q.alpha*k.alpha)
}

// orthogonalRelativeVariance returns RelativeVariance for orthonormal columns. Then
// W_QᵀPW_Q = I − uuᵀ with u = W_Qᵀ1/√D, v is the same for W_K, and T = c²(d − a − b + abC) with
// c = D/N, a = |u|², b = |v|², and C the squared cosine between u and v, which is independent of
// both. E a = d/D, E a² = d(d+2)/(D(D+2)), E C = 1/d, E C² = 3/(d(d+2)). Given a and b, the mean is
// c²d(1−a/d)(1−b/d) and the variance c⁴a²b² Var C.
func (h Head) orthogonalRelativeVariance() float64 {
	d, model := h.k(), h.d()
	meanFactor := float64((1 - 1/model) * (1 - 1/model))
	square := float64(d*(d+2)) / float64(model*(model+2))
	varianceA := float64(2*d*(model-d)) / float64(float64(model*model)*(model+2)) // Var a
	varianceOfMean := float64(varianceA * (float64(2*meanFactor) + varianceA/float64(d*d)))
	varianceOfCosine := float64(float64(square*square) * (3/float64(d*(d+2)) - 1/float64(d*d)))
	mean := float64(d * meanFactor)
	return (varianceOfMean + varianceOfCosine) / float64(mean*mean)
}
