package statedict

import (
	"fmt"

	"mcsim/sim/inspect"
	"mcsim/sim/tensor"
)

// openLatent finds the matrices of multi-head latent attention (DeepSeek-V2, 2024, 2.1): queries
// and keys are made of a normalised latent, but for the rotated part of keys, which comes
// straight from the token and is that of all heads.
func (l *Layer) openLatent(files *tensor.Files, o *Options, c config, f found) (err error) {
	l.Heads = either(o.Heads, c.heads())
	l.KeyHeads = l.Heads
	if l.Heads == 0 {
		return fmt.Errorf("%s: say --heads; no config.json beside the file tells", f.query)
	}
	of := &latent{}
	l.latent = of
	name := func(part string) string { return f.prefix + part + ".weight" }
	if of.key, err = matrix(files, f.query); err != nil {
		return err
	}
	if l.wk, err = matrix(files, f.key); err != nil {
		return err
	}
	query := "q_proj"
	if files.Has(name("q_a_proj")) {
		query = "q_b_proj"
		if of.query, err = matrix(files, name("q_a_proj")); err != nil {
			return err
		}
		if of.queryGain, err = vector(files, name("q_a_layernorm"), of.query.Rows); err != nil {
			return err
		}
	}
	if l.wq, err = matrix(files, name(query)); err != nil {
		return err
	}
	if of.gain, err = vector(files, name("kv_a_layernorm"), l.wk.Columns); err != nil {
		return err
	}
	l.width = of.key.Columns
	l.Dimension, of.rope, of.full = l.wq.Rows/l.Heads, of.key.Rows-l.wk.Columns, l.wk.Rows/l.Heads
	of.nope = l.Dimension - of.rope
	if l.wq.Rows%l.Heads != 0 || l.wk.Rows%l.Heads != 0 || of.rope < 0 || of.nope < 1 || of.nope > of.full ||
		of.query.Rows > 0 &&
			(of.query.Columns != l.width || l.wq.Columns != of.query.Rows) || of.query.Rows == 0 && l.wq.Columns != l.width {
		return fmt.Errorf("%s and the matrices beside it do not make %d heads of MLA", f.query, l.Heads)
	}
	return nil
}

// latents projects tokens by a matrix in bounded pieces of its rows.
func latents(m tensor.Matrix, x tokens, gain, shift []float64, workers int) (inspect.Vectors, error) {
	const rows = 192
	out := inspect.Vectors{Rows: x.rows, Dimension: m.Rows, Data: make([]float64, x.rows*m.Rows)}
	pieces := (m.Rows + rows - 1) / rows
	err := parallel(workers, pieces, func(p int) error {
		first, last := p*rows, min(m.Rows, (p+1)*rows)
		some := m.Part(first, last, 0, m.Columns)
		w, err := pack(some, gain)
		if err != nil {
			return err
		}
		bias := make([]float64, last-first)
		if shift != nil {
			if err := addShift(bias, some, shift); err != nil {
				return err
			}
		}
		v := w.project(x, bias)
		packs.Put(&w)
		for i := range v.Rows {
			copy(out.Row(i)[first:last], v.Row(i))
		}
		return nil
	})
	return out, err
}

// normed is the given columns of vectors behind RMSNorm with a gain.
func normed(v inspect.Vectors, columns int, gain []float64) inspect.Vectors {
	out := inspect.Vectors{Rows: v.Rows, Dimension: columns, Data: make([]float64, v.Rows*columns)}
	norm := headNorm{}
	for i := range v.Rows {
		copy(out.Row(i), v.Row(i))
		norm.one(out.Row(i), gain, nil)
	}
	return out
}

// projectLatent is the queries and keys of all heads, with the Gram matrices of their weights.
func (l *Layer) projectLatent(
	xq, xk tokens,
	gain, shift []float64,
	workers int,
) (q, k []inspect.Vectors, gq, gk []inspect.Vectors, err error) {
	of := l.latent
	queries, queryGain, queryShift := xq, gain, shift
	if of.query.Rows > 0 {
		v, err := latents(of.query, xq, gain, shift, workers)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		queries, queryGain, queryShift = tokensOf(normed(v, v.Dimension, of.queryGain)), nil, nil
	}
	whole, err := latents(of.key, xk, gain, shift, workers)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	keys := tokensOf(normed(whole, l.wk.Columns, of.gain))
	sq := side{l.wq, nil, l.Heads, func(h int) int { return h * l.Dimension }, l.Dimension, l.qNorm}
	sk := side{l.wk, nil, l.Heads, func(h int) int { return h * of.full }, of.nope, nil}
	if q, gq, err = l.heads(sq, queries, queryGain, queryShift, workers); err != nil {
		return nil, nil, nil, nil, err
	}
	nope, _, err := l.heads(sk, keys, nil, nil, workers)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	for _, v := range nope {
		head := inspect.Vectors{Rows: v.Rows, Dimension: l.Dimension}
		for i := range v.Rows {
			head.Data = append(append(head.Data, v.Row(i)...), whole.Row(i)[l.wk.Columns:]...)
		}
		k = append(k, head)
	}
	if of.query.Rows > 0 {
		if gq, err = effective(sq, of.queryGain, of.query, of.query.Rows, gain, workers); err != nil {
			return nil, nil, nil, nil, err
		}
	}
	gk, err = effective(sk, of.gain, of.key, l.wk.Columns, gain, workers)
	return q, k, gq, gk, err
}

// effective is the Gram matrix, for each head, of what its weights and those of the latent make
// of a token, but for the norm between them. Rows of the latent's matrix from a rank on go to
// the head as they are.
func effective(
	s side,
	between []float64,
	before tensor.Matrix,
	rank int,
	gain []float64,
	workers int,
) ([]inspect.Vectors, error) {
	low, err := pack(before.Part(0, rank, 0, before.Columns).Transposed(), nil)
	if err != nil {
		return nil, err
	}
	grams := make([]inspect.Vectors, s.heads)
	return grams, parallel(workers, s.heads, func(h int) error {
		b := inspect.Vectors{Rows: s.size, Dimension: rank, Data: make([]float64, s.size*rank)}
		if err := tensor.Read(s.weights.Part(s.rows(h), s.rows(h)+s.size, 0, rank), b.Data); err != nil {
			return err
		}
		for i := range b.Data {
			if between != nil {
				b.Data[i] *= between[i%rank]
			}
		}
		all := low.project(tokensOf(b), nil)
		if rest := before.Rows - rank; rest > 0 {
			row := make([]float64, rest*before.Columns)
			if err := tensor.Read(before.Part(rank, before.Rows, 0, before.Columns), row); err != nil {
				return err
			}
			all.Rows, all.Data = all.Rows+rest, append(all.Data, row...)
		}
		for i := range all.Data {
			if gain != nil {
				all.Data[i] *= gain[i%before.Columns]
			}
		}
		both := packVectors(all)
		defer packs.Put(&both)
		grams[h] = both.gram()
		return nil
	})
}
