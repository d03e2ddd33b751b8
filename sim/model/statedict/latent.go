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

// latent has what MLA does before its matrices of heads. DeepSeek calls the part of a head without
// positions nope, and that with positions rope.
type latent struct {
	query            tensor.Matrix // of queries; without columns if they have none
	key              tensor.Matrix // of keys, followed by the rotated part, which all heads share
	queryGain, gain  []float64
	queryBias, bias  []float64
	nope, rope, full int // rows of a head: of both, of the rotated part, and of nope with values
}

// latentNames are the names of the matrices before and after the latents, and of the norms of these:
// those of modeling_deepseek_v3.py and of deepseek-ai/DeepSeek-V3, inference/model.py.
var latentNames = map[string]struct{ direct, first, norm, second, keyNorm string }{
	"kv_a_proj_with_mqa": {"q_proj", "q_a_proj", "q_a_layernorm", "q_b_proj", "kv_a_layernorm"},
	"wkv_a":              {"wq", "wq_a", "q_norm", "wq_b", "kv_norm"},
}

// openLatent finds the matrices of multi-head latent attention (DeepSeek-V2, 2024, 2.1): queries
// and keys are made of a normalised latent, except the rotated part of keys, which comes
// straight from the token and is that of all heads.
func (l *Layer) openLatent(s modelconfig.Shape) error {
	l.Heads = cmp.Or(l.opener.Heads, s.Heads)
	l.KeyHeads = l.Heads
	if l.Heads == 0 {
		return fmt.Errorf("%s: say --heads; %s", l.query, l.untold())
	}
	l.source = saidByFlags
	if l.opener.Heads == 0 {
		l.source = filepath.Base(l.config.Path)
	}
	names := latentNames[l.pattern.query]
	a := &latent{key: l.wq}
	l.latent = a
	weight := func(part string) string { return l.prefix + part + ".weight" }
	query := weight(names.direct)
	if first := weight(names.first); l.files.Has(first) {
		query = weight(names.second)
		a.query = l.matrix(first)
	}
	l.wq = l.matrix(query)
	a.queryGain = l.vector(weight(names.norm), a.query.Rows)
	a.gain = l.vector(weight(names.keyNorm), l.wk.Columns)
	a.queryBias = l.vector(l.prefix+names.first+".bias", a.query.Rows)
	a.bias = l.vector(l.files.biasOf(l.query), a.key.Rows)
	l.bq = l.vector(l.files.biasOf(query), l.wq.Rows)
	if l.err != nil {
		return l.err
	}
	l.width = a.key.Columns
	l.Dimension, a.rope, a.full = l.wq.Rows/l.Heads, a.key.Rows-l.wk.Columns, l.wk.Rows/l.Heads
	a.nope = l.Dimension - a.rope
	if l.wq.Rows%l.Heads != 0 || l.wk.Rows%l.Heads != 0 || a.rope < 0 || a.nope < 1 || a.nope > a.full ||
		a.query.Rows > 0 && (a.query.Columns != l.width || l.wq.Columns != a.query.Rows) ||
		a.query.Rows == 0 && l.wq.Columns != l.width {
		return fmt.Errorf("%s and the matrices next to it do not make %d heads of MLA", l.query, l.Heads)
	}
	return nil
}

// projectLatent returns queries and keys of tokens.
func (l *Layer) projectLatent(
	xq, xk projection.Tokens, e projection.FoldedNorm, workers int,
) (q, k projection.ProjectedHeads, err error) {
	a := l.latent
	queries, queryEntry := xq, e
	if a.query.Rows > 0 {
		v, err := projection.ProjectAll(a.query, a.queryBias, xq, e, workers)
		if err != nil {
			return q, k, err
		}
		queries, queryEntry = projection.NormaliseColumns(v, v.Dimension, a.queryGain).Pack(), projection.FoldedNorm{}
	}
	whole, err := projection.ProjectAll(a.key, a.bias, xk, e, workers)
	if err != nil {
		return q, k, err
	}
	keys := projection.NormaliseColumns(whole, l.wk.Columns, a.gain).Pack()
	sq := projection.HeadWeights{Weights: l.wq, Bias: l.bq, Heads: l.Heads, RowsPerHead: l.Dimension,
		FirstRow: func(h int) int { return h * l.Dimension }}
	sk := projection.HeadWeights{Weights: l.wk, Heads: l.Heads, RowsPerHead: a.nope, FirstRow: func(h int) int { return h * a.full }}
	if q, err = sq.Project(queries, queryEntry, workers); err != nil {
		return q, k, err
	}
	nope, err := sk.Project(keys, projection.FoldedNorm{}, workers)
	if err != nil {
		return q, k, err
	}
	for _, v := range nope.Vectors {
		head := inspect.Vectors{Rows: v.Rows, Dimension: l.Dimension}
		for i := range v.Rows {
			head.Data = append(append(head.Data, v.Row(i)...), whole.Row(i)[l.wk.Columns:]...)
		}
		k.Vectors = append(k.Vectors, head)
	}
	if a.query.Rows > 0 {
		if q.Grams, err = projection.EffectiveGrams(sq, a.queryGain, a.query, a.query.Rows, e, workers); err != nil {
			return q, k, err
		}
	}
	k.Grams, err = projection.EffectiveGrams(sk, a.gain, a.key, l.wk.Columns, e, workers)
	return q, k, err
}
