package weights

import (
	"math"

	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// RowVariances writes to variances the variance of q·k over the keys of all possible tokens, for
// the queries of the first len(variances) ≤ Tokens tokens of the last sample. It is qᵀKq with the
// covariance K of keys, which follows from W_K. A bias adds the same number to all scores of a
// query, which softmax ignores. Normalised keys must be sampled by SampleNormalisedRows instead.
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
	p, key, model := &s.projections[1], s.head.Shape.Key, float64(s.head.Shape.Model)
	var ones []float64
	if s.head.Scheme.IsOrthogonal() {
		ones = p.solveOnes(key)
	}
	matrix := make([]float64, 0, key*key)
	for a := range key {
		for b := range key {
			if ones == nil {
				matrix = append(matrix, s.secondMoment(p, a, b)-float64(p.biasOf(a)*p.biasOf(b)))
				continue
			}
			var product float64
			if !s.head.Raw {
				product = -float64(ones[a]*ones[b]) / model
			}
			if a == b {
				product++
			}
			matrix = append(matrix, float64(s.covariance(1, 1)*product))
		}
	}
	return matrix
}

// quadraticForms returns qᵀKq of sixteen vectors.
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

// keyPanels is the number of panels of sixteen keys that SampleNormalisedRows holds at a time.
const keyPanels = 64

// singular is the relative remainder of a variance below which it is only rounding of float32
// products. This happens to the last component of a key with as many components as a token, whose
// mean is 0.
const singular = 1e-5

// SampleNormalisedRows samples keys of other tokens for a normalised head of the last sample, as
// many as a row has numbers, and writes their scores with the queries of the first tokens, sixteen
// to a row. Without a bias the length of a token cancels in the norm, so that keys are the
// directions of normal vectors with the covariance K.
func (s *Sampler) SampleNormalisedRows(random *stream.Lanes, rows [][]component) {
	key := s.head.Shape.Key
	factor := s.keyCovariance()
	cholesky(factor, key, singular)
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

// sampleKeys samples sixteen keys: normal vectors with the covariance whose Cholesky factor is
// given. If there is a bias, the length of the projected token matters, too: a key is √(N/|g|²)
// times the normal vector, plus the bias. Here g has the N = D − 1 components of a token after
// LayerNorm, of which the vector has d_k.
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
		shown := min(len(keys), dimensions)
		remainder := NewChiSquare(dimensions - shown)
		others := make([]component, remainder.NormalsNeeded())
		s.normals(random, others)
		for lane, square := range squaredLengths(keys[:shown]) {
			length[lane] = math.Sqrt(float64(dimensions) / (square + remainder.FromNormals(others, lane)))
		}
	}
	correlate(factor, keys)
	for c := range keys {
		for lane, x := range keys[c] {
			keys[c][lane] = float32(float64(float64(x)*length[lane]) + p.biasOf(c))
		}
	}
}

// broadcastQuery copies a token's query into every lane.
func (s *Sampler) broadcastQuery(token int, query []component) {
	for c := range query {
		x := s.projections[0].outputs[token/kernel.Width*len(query)+c][token%kernel.Width]
		for lane := range query[c] {
			query[c][lane] = x
		}
	}
}

// correlate replaces sixteen vectors z by Lz.
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
