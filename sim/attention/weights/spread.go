package weights

import "math"

// For given weights, the mean over tokens of the squared score is T = tr(QK), with the matrices
// Q = E qqᵀ and K = E kkᵀ over tokens. T varies with the weights.
//
// Let D = d_model, d = d_k and N = D − 1. Then Q = W_QᵀΣW_Q + b_Qb_Qᵀ with the covariance
// Σ = D/N·P of tokens, in which P is the projection onto vectors of mean 0. For independent
// symmetric entries
//
//	E Q_ab Q_ce = α δ_ab δ_ce + β(δ_ac δ_be + δ_ae δ_bc) + γ [a = b = c = e],
//	α = (Dv + u)², β = D²v²/N + u², γ = D(κ − 3)v² + (κ_u − 3)u²,
//
// with v and u the variances of an entry of W and of b, κ and κ_u their kurtoses, and Kronecker's
// δ. This holds since tr P = N and Σ P_ii² = N²/D. The expectation of T² over K and then over Q
// gives E T². Without biases, and if κ is the same for Q and K, the relative variance of T is about
// 2(κ−1)/(d·N) + 2(d+1)/(d·N²).

// productMoments has the moments α, β and γ of the products Q_ab Q_ce.
type productMoments struct{ alpha, beta, gamma float64 }

// productMoments returns the moments of a projection with these entries. model is d_model.
func (e Entries) productMoments(model float64) productMoments {
	v, u := e.Variance, e.BiasVariance
	variance := e.projectedVariance(model)
	dv := float64(model * v)
	return productMoments{
		alpha: float64(variance * variance),
		beta:  float64(dv*dv)/(model-1) + float64(u*u),
		gamma: float64(float64(dv*v)*(e.Kurtosis-3)) + float64(float64(u*u)*(e.BiasKurtosis-3)),
	}
}

// RelativeVariance returns the relative variance over weights, Var T/(E T)², of the mean square T
// of a score. It is NaN if all entries of a projection are 0. It is also NaN for normalised heads
// and for raw tokens because the formulas of this file do not hold for them.
func (h Head) RelativeVariance() float64 {
	if h.Normalised || h.Raw {
		return math.NaN()
	}
	if h.Scheme.IsOrthogonal() {
		return h.orthogonalRelativeVariance()
	}
	q, k, d := h.Query.productMoments(h.modelWidth()), h.Key.productMoments(h.modelWidth()), h.keyWidth()
	varianceQaa := float64(2*q.beta) + q.gamma // Var Q_aa
	// With the moments of K, the expectation of T² over K is α(tr Q)² + 2β tr Q² + γ Σ Q_aa². The
	// next three numbers are the moments over Q, divided by d². The variance of tr Q replaces E (tr
	// Q)², since (E T)² is subtracted.
	varianceOfTrace := varianceQaa / d
	traceOfSquare := (q.alpha + float64(q.beta*(d+1)) + q.gamma) / d // E tr Q²
	diagonalSquare := (q.alpha + varianceQaa) / d                    // E Σ Q_aa²
	variance := float64(k.alpha*varianceOfTrace) + float64(float64(2*k.beta)*traceOfSquare) +
		float64(k.gamma*diagonalSquare)
	return variance / float64(q.alpha*k.alpha)
}

// orthogonalRelativeVariance returns RelativeVariance for orthonormal columns. Let u = W_Qᵀ1/√D and
// v = W_Kᵀ1/√D, with the vector 1 of ones. Then W_QᵀPW_Q = I − uuᵀ, W_KᵀPW_K = I − vvᵀ, and
// T = c²(d − a − b + abC) with c = D/N, a = |u|², b = |v|², and the squared cosine C between u and
// v, which is independent of a and b. E a = d/D, E a² = d(d+2)/(D(D+2)), E C = 1/d and
// E C² = 3/(d(d+2)). Given a and b, T has the mean c²d(1−a/d)(1−b/d) and the variance c⁴a²b² Var C.
// The code omits c, which cancels in the relative variance.
func (h Head) orthogonalRelativeVariance() float64 {
	d, model := h.keyWidth(), h.modelWidth()
	meanFactor := float64((1 - 1/model) * (1 - 1/model))                          // E (1−a/d)(1−b/d)
	meanSquareA := float64(d*(d+2)) / float64(model*(model+2))                    // E a²
	varianceA := float64(2*d*(model-d)) / float64(float64(model*model)*(model+2)) // Var a
	varianceOfMean := float64(varianceA * (float64(2*meanFactor) + varianceA/float64(d*d)))
	varianceFromCosine := float64(float64(meanSquareA*meanSquareA) * (3/float64(d*(d+2)) - 1/float64(d*d)))
	mean := float64(d * meanFactor)
	return (varianceOfMean + varianceFromCosine) / float64(mean*mean)
}
