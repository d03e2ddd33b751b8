package weights

import (
	"math"

	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// RowVariances writes to variances the variance of q·k over the keys of all possible tokens, for
// the queries of the first len(variances) ≤ Tokens tokens of the last sample. The variance is qᵀKq
// with the covariance K of keys, which follows from W_K. A bias of keys does not matter: it adds
// the same number to all scores of a query. For normalised heads use SampleNormalisedRows instead.
func (s *Sampler) RowVariances(variances []float64) {
	covariance := s.keyCovariance()
	key := s.head.Shape.Key
	for first := 0; first < len(variances); first += kernel.Width {
		panel := first / kernel.Width * key
		forms := quadraticForms(covariance, s.projections[0].outputs[panel:panel+key])
		copy(variances[first:], forms[:])
	}
}

// keyCovariance returns the covariance of keys over tokens before any norm, a d_k × d_k matrix.
func (s *Sampler) keyCovariance() []float64 {
	p, key := &s.projections[1], s.head.Shape.Key
	if s.head.Scheme.IsOrthogonal() {
		return s.orthogonalCovariance(p.solveOnes(key))
	}
	matrix := make([]float64, 0, key*key)
	for a := range key {
		for b := range key {
			matrix = append(matrix, s.secondMoment(p, a, b)-float64(p.biasOf(a)*p.biasOf(b)))
		}
	}
	return matrix
}

// orthogonalCovariance returns the covariance of keys for orthonormal columns, with ones = Wᵀ1:
// (I − ones·onesᵀ/D)·D/(D−1) with D = d_model, or the identity I for raw tokens.
func (s *Sampler) orthogonalCovariance(ones []float64) []float64 {
	matrix := make([]float64, 0, len(ones)*len(ones))
	for a := range ones {
		for b := range ones {
			var product float64
			if !s.head.Raw {
				product = -float64(ones[a]*ones[b]) / float64(s.head.Shape.Model)
			}
			if a == b {
				product++
			}
			matrix = append(matrix, float64(s.covariance(1, 1)*product))
		}
	}
	return matrix
}

// quadraticForms returns the quadratic forms vᵀKv of the sixteen vectors v of a panel.
func quadraticForms(k []float64, vectors []component) (sum lanes) {
	key := len(vectors)
	for a := range vectors {
		var product lanes
		for b, x := range k[a*key : (a+1)*key] {
			for lane, y := range vectors[b] {
				product[lane] += float64(x * float64(y))
			}
		}
		for lane, y := range vectors[a] {
			sum[lane] += float64(product[lane] * float64(y))
		}
	}
	return sum
}

// keyPanels is the number of panels of sixteen keys that SampleNormalisedRows stores at a time.
const keyPanels = 64

// minKeyPivot is the limit, relative to a diagonal element, below which a pivot of the covariance
// of keys is only a rounding error of float32 products. If keys have as many components as tokens,
// the last pivot is such an error: tokens have the mean 0, so that their covariance is singular.
const minKeyPivot = 1e-5

// SampleNormalisedRows samples keys of other tokens for the last sample of a normalised head, as
// many as len(rows[0]), and writes their scores: rows[i][j] receives the scores of key j with the
// queries of tokens 16i to 16i+15. Without a bias the length of a token cancels in the
// normalisation, so that keys have the directions of normal vectors with the covariance of keys.
func (s *Sampler) SampleNormalisedRows(random *stream.Lanes, rows [][]component) {
	key := s.head.Shape.Key
	factor := s.keyCovariance()
	cholesky(factor, key, minKeyPivot)
	keys, query, scores := make([]component, keyPanels*key), make([]component, key), make([]component, keyPanels)
	for first := 0; first < len(rows[0]); first += keyPanels * kernel.Width {
		count := min(keyPanels*kernel.Width, len(rows[0])-first)
		panels := (count + kernel.Width - 1) / kernel.Width
		for p := range panels {
			panel := keys[p*key : (p+1)*key]
			s.sampleKeys(random, factor, panel)
			normaliseVectors(panel)
		}
		for token := range len(rows) * kernel.Width {
			s.broadcastQuery(token, query)
			clear(scores)
			kernel.Dots(query, keys[:panels*key], scores[:panels])
			for i := range count {
				rows[token/kernel.Width][first+i][token%kernel.Width] = scores[i/kernel.Width][i%kernel.Width]
			}
		}
	}
}

// sampleKeys samples sixteen keys before their normalisation. A key is Lz with the given Cholesky
// factor L of the covariance of keys and a vector z of d_k standard normal numbers. If there is a
// bias b, the length of the token matters, too, and a key is √(N/|g|²)·Lz + b. Here g is the token
// before LayerNorm minus its mean: N = D − 1 independent normal components, of which z is a part.
func (s *Sampler) sampleKeys(random *stream.Lanes, factor []float64, keys []component) {
	s.normals(random, keys)
	p := &s.projections[1]
	if p.biasSD == 0 {
		correlate(factor, keys)
		return
	}
	length := lanes{}
	for lane := range length {
		length[lane] = 1
	}
	if dimensions := s.head.Shape.Model - 1; !s.head.Raw {
		sampled := min(len(keys), dimensions)
		unsampled := NewChiSquare(dimensions - sampled)
		normals := make([]component, unsampled.NormalsNeeded())
		s.normals(random, normals)
		for lane, square := range squaredLengths(keys[:sampled]) {
			length[lane] = math.Sqrt(float64(dimensions) / (square + unsampled.FromNormals(normals, lane)))
		}
	}
	correlate(factor, keys)
	for c := range keys {
		for lane, x := range keys[c] {
			keys[c][lane] = float32(float64(float64(x)*length[lane]) + p.biasOf(c))
		}
	}
}

// broadcastQuery copies the query of a token into every lane of query.
func (s *Sampler) broadcastQuery(token int, query []component) {
	for c := range query {
		x := s.projections[0].outputs[token/kernel.Width*len(query)+c][token%kernel.Width]
		for lane := range query[c] {
			query[c][lane] = x
		}
	}
}

// correlate replaces each of sixteen vectors z by Lz, with the lower triangular factor L.
func correlate(factor []float64, vectors []component) {
	d := len(vectors)
	for i := d - 1; i >= 0; i-- {
		var sum lanes
		for k, l := range factor[i*d : i*d+i+1] {
			for lane, z := range vectors[k] {
				sum[lane] += float64(l * float64(z))
			}
		}
		for lane, x := range sum {
			vectors[i][lane] = float32(x)
		}
	}
}
