package samples

import (
	"math"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
)

// Studies read a part of the samples again to name why logits are not a multiple of q·k: some rows
// and keys of some texts, of some heads. No verdict of pass rests on them.
const (
	maxStudied      = 64 // rows, and keys, of a text
	maxStudiedTexts = 8
	maxStudiedHeads = 16
)

// study returns rows of a head with the given head of keys.
func (j *judge) study(p place, keyHead int, options inspect.Options) (all []scalefit.Row) {
	for text := range min(j.Texts, maxStudiedTexts) {
		p.text, p.block = text, 0
		m := j.reread(p, keyHead, options)
		m.queries, m.keys = m.queries[:min(maxStudied, len(m.queries))], m.keys[:min(maxStudied, len(m.keys))]
		m.k = inspect.Vectors{Rows: len(m.keys), Dimension: m.k.Dimension, Data: m.k.Data[:len(m.keys)*m.k.Dimension]}
		for i := range m.queries {
			all = append(all, j.visible(new(fits), m, i, options))
		}
	}
	return all
}

// reread reads the queries and keys of a place again. If that fails there are none.
func (j *judge) reread(p place, keyHead int, options inspect.Options) meeting {
	m, err := j.read(p, keyHead, options)
	if err != nil {
		j.err = err
		return meeting{}
	}
	return m
}

// visible returns the i-th row of a place without masked pairs, which it counts in f.
func (j *judge) visible(f *fits, m meeting, i int, options inspect.Options) scalefit.Row {
	r, err := j.row(m, i)
	if err != nil {
		j.err = err
		return scalefit.Row{}
	}
	row, _ := f.visible(r, options, j.Dimension)
	return row
}

// hasPartner reports whether the i-th of count things is compared with the next one: each thing is
// compared once, the last of an odd number again.
func hasPartner(i, count int) bool { return i+1 < count && (i%2 == 0 || i == count-2) }

// addDifferences adds to fits what the rows of a place show between pairs of the same bias.
func (j *judge) addDifferences(f *fits, p place, keyHead int, b scalefit.Bias) {
	if b.Texts > 0 && !hasPartner(p.text, j.Texts) {
		return
	}
	m := j.reread(p, keyHead, j.options)
	other := m
	if b.Texts > 0 {
		p.text += b.Texts
		other = j.reread(p, keyHead, j.options)
	}
	for i, query := range m.queries {
		partner, found := slices.BinarySearch(other.queries, query+b.Queries)
		if !found || b.Queries > 0 && !hasPartner(i, len(m.queries)) {
			continue
		}
		x, y := b.Difference(j.visible(f, m, i, j.options), j.visible(f, other, partner, j.options))
		f.join(m.place, query, j.Queries, x, y, 0, 0)
	}
}

// findBias returns the first kind of bias that explains what the lines of most heads leave, and fits
// without it, of all rows; fits are nil if there is none.
func (j *judge) findBias() (kind scalefit.Bias, without *fits) {
	raw := j.fits
	for _, kind = range scalefit.Biases {
		f := j.newFits()
		for _, p := range j.places() {
			j.addDifferences(f, p, p.keyHead(), kind)
		}
		if j.err != nil {
			break
		}
		const enough = 0.9 // of the variance that the line leaves
		biased, explained := 0, 0
		for h, before := range raw.heads {
			if before.Residual() <= roughness/100*before.YY {
				continue
			}
			biased++
			after := f.heads[h]
			left := f.apart[h].rest / f.apart[h].free / 2 // differences have twice the variance
			if after.DoF >= before.DoF/8 && after.XX >= before.XX/1000 &&
				left <= (1-enough)*raw.apart[h].rest/raw.apart[h].free {
				explained++
			}
		}
		if explained > 0 && 2*explained >= biased {
			return kind, f
		}
	}
	return kind, nil
}

// findCap returns the cap c of logits c·tanh(factor·score/c), that factor, and the largest score.
func (j *judge) findCap(p place) (limit, factor, size float64) {
	rows := j.study(p, p.keyHead(), j.options)
	for _, r := range rows {
		for _, x := range r.X {
			size = max(size, math.Abs(x))
		}
	}
	if j.err != nil || size == 0 {
		return 0, 0, 0
	}
	curved := func(slope float64) (f scalefit.Line) { // by tanh(slope·score)
		for _, r := range rows {
			x := slices.Clone(r.X)
			for i := range x {
				x[i] = elementary.Tanh(float64(slope * x[i]))
			}
			f.Add(x, slices.Clone(r.Y), 0, 0)
		}
		return f
	}
	lo, hi := elementary.Log(0.01/size), elementary.Log(20/size)
	const golden = 0.6180339887498949
	for hi-lo > 1e-6 {
		a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
		if curved(elementary.Exp(a)).Residual() < curved(elementary.Exp(b)).Residual() {
			hi = b
		} else {
			lo = a
		}
	}
	slope := elementary.Exp((lo + hi) / 2)
	limit = curved(slope).Slope()
	return limit, limit * slope, size
}

// findKeys returns the head of keys of its layer that logits of a head go with best, and how well: the
// squared correlation of differences between rows.
func (j *judge) findKeys(p place, b scalefit.Bias) (head int, square float64) {
	for k := range p.layer.key.heads {
		f := j.newFits()
		j.addDifferences(f, p, k, b)
		if line := f.heads[p.head]; line.YY > 0 && 1-line.Residual()/line.YY > square {
			head, square = k, 1-line.Residual()/line.YY
		}
	}
	return head, square
}
