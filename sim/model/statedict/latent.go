package statedict

import (
	"cmp"
	"fmt"
	"path/filepath"

	"mcsim/sim/attention/modelconfig"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/projection"
)

// latentNames are the names of the matrices before and after the latents, and of the norms of these:
// those of modeling_deepseek_v3.py and of deepseek-ai/DeepSeek-V3, inference/model.py.
var latentNames = map[string]struct{ direct, first, norm, second, keyNorm string }{
	"kv_a_proj_with_mqa": {"q_proj", "q_a_proj", "q_a_layernorm", "q_b_proj", "kv_a_layernorm"},
	"wkv_a":              {"wq", "wq_a", "q_norm", "wq_b", "kv_norm"},
}

// openLatent finds the matrices of multi-head latent attention (DeepSeek-V2, 2024, 2.1): queries
// and keys are made of a normalised latent, but for the rotated part of keys, which comes
// straight from the token and is that of all heads.
func (l *Layer) openLatent(files *tensor.Files, o *Options, s modelconfig.Shape) (err error) {
	l.Heads = cmp.Or(o.Heads, s.Heads)
	l.KeyHeads = l.Heads
	if l.Heads == 0 {
		return fmt.Errorf("%s: say --heads; %s", l.found.query, l.untold())
	}
	l.source = saidByFlags
	if o.Heads == 0 {
		l.source = filepath.Base(l.config.Path)
	}
	names := latentNames[l.found.pattern.query]
	of := &latent{key: l.wq}
	l.latent = of
	name := func(part string) string { return l.found.prefix + part + ".weight" }
	query := names.direct
	if files.Has(name(names.first)) {
		query = names.second
		if of.query, err = matrix(files, name(names.first)); err != nil {
			return err
		}
		l.used = append(l.used, name(names.first))
	}
	if l.wq, err = matrix(files, name(query)); err != nil {
		return err
	}
	l.used = append(l.used, name(query))
	for _, v := range []struct {
		to   *[]float64
		name string
		n    int
	}{
		{&of.queryGain, name(names.norm), of.query.Rows},
		{&of.gain, name(names.keyNorm), l.wk.Columns},
		{&of.queryBias, l.found.prefix + names.first + ".bias", of.query.Rows},
		{&of.bias, biasOf(files, l.found.query), of.key.Rows},
		{&l.bq, biasOf(files, name(query)), l.wq.Rows},
	} {
		if *v.to, err = l.vector(files, v.name, v.n); err != nil {
			return err
		}
	}
	l.width = of.key.Columns
	l.Dimension, of.rope, of.full = l.wq.Rows/l.Heads, of.key.Rows-l.wk.Columns, l.wk.Rows/l.Heads
	of.nope = l.Dimension - of.rope
	if l.wq.Rows%l.Heads != 0 || l.wk.Rows%l.Heads != 0 || of.rope < 0 || of.nope < 1 || of.nope > of.full ||
		of.query.Rows > 0 && (of.query.Columns != l.width || l.wq.Columns != of.query.Rows) ||
		of.query.Rows == 0 && l.wq.Columns != l.width {
		return fmt.Errorf("%s and the matrices next to it do not make %d heads of MLA", l.found.query, l.Heads)
	}
	return nil
}

// latents returns tokens projected by a matrix, in pieces of a bounded number of rows.
func latents(m tensor.Matrix, given []float64, x projection.Tokens, e projection.Entry, workers int) (inspect.Vectors, error) {
	const rows = 192
	out := inspect.Vectors{Rows: x.Rows, Dimension: m.Rows, Data: make([]float64, x.Rows*m.Rows)}
	pieces := (m.Rows + rows - 1) / rows
	err := projection.Parallel(workers, pieces, func(p int) error {
		first, last := p*rows, min(m.Rows, (p+1)*rows)
		v, w, err := projectRows(m, given, first, last, x, e)
		if err != nil {
			return err
		}
		w.Release()
		for i := range v.Rows {
			copy(out.Row(i)[first:last], v.Row(i))
		}
		return nil
	})
	return out, err
}

// normed returns the first columns of vectors after RMSNorm with a gain.
func normed(v inspect.Vectors, columns int, gain []float64) inspect.Vectors {
	out := inspect.Vectors{Rows: v.Rows, Dimension: columns, Data: make([]float64, v.Rows*columns)}
	norm := headNorm{epsilon: epsilon}
	for i := range v.Rows {
		copy(out.Row(i), v.Row(i))
		norm.one(out.Row(i), gain, nil)
	}
	return out
}

// projectLatent returns the queries and keys of all heads, and the Gram matrices of their weights.
func (l *Layer) projectLatent(xq, xk projection.Tokens, e projection.Entry, workers int) (q, k, gq, gk []inspect.Vectors, err error) {
	of := l.latent
	queries, queryEntry := xq, e
	if of.query.Rows > 0 {
		v, err := latents(of.query, of.queryBias, xq, e, workers)
		if err != nil {
			return nil, nil, nil, nil, err
		}
		queries, queryEntry = projection.TokensOf(normed(v, v.Dimension, of.queryGain)), projection.Entry{}
	}
	whole, err := latents(of.key, of.bias, xk, e, workers)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	keys := projection.TokensOf(normed(whole, l.wk.Columns, of.gain))
	sq := side{l.wq, l.bq, l.Heads, func(h int) int { return h * l.Dimension }, l.Dimension, l.qNorm}
	sk := side{l.wk, nil, l.Heads, func(h int) int { return h * of.full }, of.nope, nil}
	if q, gq, err = l.heads(sq, queries, queryEntry, workers); err != nil {
		return nil, nil, nil, nil, err
	}
	nope, _, err := l.heads(sk, keys, projection.Entry{}, workers)
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
		if gq, err = effective(sq, of.queryGain, of.query, of.query.Rows, e, workers); err != nil {
			return nil, nil, nil, nil, err
		}
	}
	gk, err = effective(sk, of.gain, of.key, l.wk.Columns, e, workers)
	return q, k, gq, gk, err
}

// effective returns for each head the Gram matrix of the product of its weights B and those A of the
// latent, without the norm between them: B(AAᵀ)Bᵀ. Rows of A from rank on go to the head as they are.
func effective(
	s side, between []float64, before tensor.Matrix, rank int, e projection.Entry, workers int,
) ([]inspect.Vectors, error) {
	whole, err := projection.Pack(before, e)
	if err != nil {
		return nil, err
	}
	latent := projection.PackVectors(whole.Gram())
	whole.Release()
	grams := make([]inspect.Vectors, s.heads)
	return grams, projection.Parallel(workers, s.heads, func(h int) error {
		b, err := extended(s.weights.Part(s.rows(h), s.rows(h)+s.size, 0, rank), between, before.Rows)
		if err != nil {
			return err
		}
		both := projection.PackVectors(b)
		defer both.Release()
		grams[h] = both.Project(projection.TokensOf(latent.Project(projection.TokensOf(b), nil)), nil)
		return nil
	})
}

// extended returns weights times the gain of the norm before them, with a row of the unit matrix for
// each further column.
func extended(m tensor.Matrix, gain []float64, columns int) (inspect.Vectors, error) {
	rest := columns - m.Columns
	v := inspect.Vectors{Rows: m.Rows + rest, Dimension: columns, Data: make([]float64, (m.Rows+rest)*columns)}
	for i := range m.Rows {
		row := v.Row(i)[:m.Columns]
		if err := tensor.Read(m.Part(i, i+1, 0, m.Columns), row); err != nil {
			return v, err
		}
		for c, g := range gain {
			row[c] *= g
		}
	}
	for i := range rest {
		v.Row(m.Rows + i)[m.Columns+i] = 1
	}
	return v, nil
}
