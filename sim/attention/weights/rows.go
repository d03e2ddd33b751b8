package weights

import (
	"math"

	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// RowVariances writes the variance of q·k of the last draw over the keys of all
// tokens, for the queries of its first tokens, as many as to has, at most Tokens.
// It is qᵀKq with K the covariance of keys, which follows from W_K: a bias adds the
// same to all scores of a query, which softmax does not see. Normalised keys are
// those of NormalisedRows.
func (d *Drawer) RowVariances(to []float64) {
	covariance := d.keyCovariance()
	key := d.head.Shape.Key
	for first := 0; first < len(to); first += kernel.Width {
		panel := first / kernel.Width * key
		forms := quadraticForms(covariance, d.sides[0].out[panel:panel+key])
		copy(to[first:], forms[:])
	}
}

// keyCovariance returns the covariance of keys over tokens before any norm, d_k × d_k.
func (d *Drawer) keyCovariance() []float64 {
	p, key, model := &d.sides[1], d.head.Shape.Key, float64(d.head.Shape.Model)
	var ones []float64
	if d.head.Scheme.Orthogonal() {
		ones = p.solveOnes(key)
	}
	all := make([]float64, 0, key*key)
	for a := range key {
		for b := range key {
			if ones == nil {
				all = append(all, d.secondMoment(p, a, b)-float64(p.biasOf(a)*p.biasOf(b)))
				continue
			}
			var product float64
			if !d.head.Raw {
				product = -float64(ones[a]*ones[b]) / model
			}
			if a == b {
				product++
			}
			all = append(all, float64(d.covariance(1, 1)*product))
		}
	}
	return all
}

// quadraticForms returns qᵀKq of sixteen vectors.
func quadraticForms(k []float64, vectors []row) (sum lanes) {
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

// keyPanels is the number of panels of sixteen keys that NormalisedRows holds at a time.
const keyPanels = 64

// singular is the share of a variance below which what is left of it, beside the
// components before, is the rounding of float32 products: that of the last of as
// many components as a token has, whose mean is 0.
const singular = 1e-5

// NormalisedRows draws keys of other tokens for a normalised head of the last draw,
// as many as a row has numbers, and writes their scores with the queries of the
// first tokens, sixteen to a row. Without a bias a token's own length cancels in the norm,
// so that keys are the directions of normal vectors of the covariance K.
func (d *Drawer) NormalisedRows(from *stream.Lanes, rows [][]row) {
	key := d.head.Shape.Key
	factor := d.keyCovariance()
	cholesky(factor, key, singular)
	keys, query, scores := make([]row, keyPanels*key), make([]row, key), make([]row, keyPanels)
	for first := 0; first < len(rows[0]); first += keyPanels * kernel.Width {
		some := min(keyPanels*kernel.Width, len(rows[0])-first)
		panels := (some + kernel.Width - 1) / kernel.Width
		for p := range panels {
			panel := keys[p*key : (p+1)*key]
			d.drawKeys(from, factor, panel)
			rescale(panel)
		}
		for token := range len(rows) * kernel.Width {
			d.spread(token, query)
			clear(scores)
			kernel.Dots(query, keys[:panels*key], scores[:panels])
			for i := range some {
				rows[token/kernel.Width][first+i][token%kernel.Width] = scores[i/kernel.Width][i%kernel.Width]
			}
		}
	}
}

// drawKeys draws sixteen keys: a normal vector of the covariance whose factor is given,
// plus the bias, if the length of what a token makes counts too. It is √(N/|g|²) times
// that of the normal vector, where g has the N = D − 1 components of a token after
// LayerNorm, of which the vector shows d_k.
func (d *Drawer) drawKeys(from *stream.Lanes, factor []float64, to []row) {
	d.normals(from, to)
	p := &d.sides[1]
	if p.biasSD == 0 {
		correlate(factor, to)
		return
	}
	length := lanes{}
	for lane := range length {
		length[lane] = 1
	}
	if dimensions := d.head.Shape.Model - 1; !d.head.Raw {
		seen := min(len(to), dimensions)
		rest := NewSquare(dimensions - seen)
		others := make([]row, rest.Numbers())
		d.normals(from, others)
		for lane, square := range squares(to[:seen]) {
			length[lane] = math.Sqrt(float64(dimensions) / (square + rest.Of(others, lane)))
		}
	}
	correlate(factor, to)
	for c := range to {
		for lane, x := range to[c] {
			to[c][lane] = float32(float64(float64(x)*length[lane]) + p.biasOf(c))
		}
	}
}

// spread copies a token's query into every lane.
func (d *Drawer) spread(token int, to []row) {
	for c := range to {
		x := d.sides[0].out[token/kernel.Width*len(to)+c][token%kernel.Width]
		for lane := range to[c] {
			to[c][lane] = x
		}
	}
}

// correlate replaces sixteen vectors z by Lz.
func correlate(factor []float64, vectors []row) {
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
