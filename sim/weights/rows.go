package weights

import "mcsim/sim/kernel"

// RowVariances writes the variance of q·k of the last draw over the keys of all
// tokens, for the queries of its first tokens, as many as to has, at most Tokens.
// It is qᵀKq with K the covariance of keys, which follows from W_K: a bias adds the
// same to all scores of a query, which softmax does not see. It panics for
// normalised heads, whose keys have no covariance that follows from W_K.
func (d *Drawer) RowVariances(to []float64) {
	if d.head.Scheme.Normalised {
		panic("weights: the keys of a normalised head have no covariance by its weights")
	}
	covariance := d.keyCovariance()
	key := d.head.Shape.Key
	for first := 0; first < len(to); first += kernel.Width {
		panel := first / kernel.Width * key
		forms := quadraticForms(covariance, d.sides[0].out[panel:panel+key])
		copy(to[first:], forms[:])
	}
}

// keyCovariance is the covariance of keys over tokens, d_k × d_k.
func (d *Drawer) keyCovariance() [][]float64 {
	p, key, model := &d.sides[1], d.head.Shape.Key, float64(d.head.Shape.Model)
	var ones []float64
	if d.head.Scheme.Orthogonal() {
		ones = p.solveOnes(key)
	}
	all := make([][]float64, key)
	for a := range all {
		all[a] = make([]float64, key)
		for b := range all[a] {
			if ones == nil {
				all[a][b] = d.second(p, a, b) - float64(p.biasOf(a)*p.biasOf(b))
				continue
			}
			product := -float64(ones[a]*ones[b]) / model
			if a == b {
				product++
			}
			all[a][b] = float64(d.covariance(1, 1) * product)
		}
	}
	return all
}

// quadraticForms are qᵀKq of sixteen vectors.
func quadraticForms(k [][]float64, vectors []row) (sum lanes) {
	for a, of := range k {
		var product lanes
		for b, x := range of {
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
