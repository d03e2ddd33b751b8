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

// latentAttention has the compression of multi-head latent attention (MLA). A head has two parts.
// Its unrotated part does not depend on the position (nope in DeepSeek's code). Its rotated part
// has a rotary position (rope).
type latentAttention struct {
	queryCompression   tensor.Matrix // without rows if queries are not compressed
	keyCompression     tensor.Matrix // its last rows project the rotated part of keys
	queryGain, keyGain []float64
	queryBias, keyBias []float64
	unrotated, rotated int // rows of the two parts of a head
	rowsPerHead        int // rows of a head in wk: the unrotated part of its keys, and its values
}

// latentNames maps the name of the compression of keys to the names of the other matrices and
// norms. The first line is from modeling_deepseek_v3.py, the second from deepseek-ai/DeepSeek-V3,
// inference/model.py.
var latentNames = map[string]struct{ query, queryCompression, queryNorm, queryExpansion, keyNorm string }{
	"kv_a_proj_with_mqa": {"q_proj", "q_a_proj", "q_a_layernorm", "q_b_proj", "kv_a_layernorm"},
	"wkv_a":              {"wq", "wq_a", "q_norm", "wq_b", "kv_norm"},
}

// openLatent finds the matrices of multi-head latent attention (DeepSeek-V2, 2024, 2.1). Queries
// and keys are expanded from a normalised latent vector. Only the rotated part of keys is
// projected from the token directly; all heads share it.
func (l *Layer) openLatent(s modelconfig.Shape) error {
	l.Heads = cmp.Or(l.opener.Heads, s.Heads)
	l.KeyHeads = l.Heads
	if l.Heads == 0 {
		return fmt.Errorf("%s: say --heads; %s", l.queryArray, l.explainMissingHeads())
	}
	l.source = sourceFlags
	if l.opener.Heads == 0 {
		l.source = filepath.Base(l.config.Path)
	}
	names := latentNames[l.pattern.query]
	a := &latentAttention{keyCompression: l.wq}
	l.latent = a
	weightName := func(part string) string { return l.prefix + part + ".weight" }
	query := weightName(names.query)
	if first := weightName(names.queryCompression); l.files.Has(first) {
		query = weightName(names.queryExpansion)
		a.queryCompression = l.matrix(first)
	}
	l.wq = l.matrix(query)
	a.queryGain = l.vector(weightName(names.queryNorm), a.queryCompression.Rows)
	a.keyGain = l.vector(weightName(names.keyNorm), l.wk.Columns)
	a.queryBias = l.vector(l.prefix+names.queryCompression+".bias", a.queryCompression.Rows)
	a.keyBias = l.vector(l.files.findBias(l.queryArray), a.keyCompression.Rows)
	l.bq = l.vector(l.files.findBias(query), l.wq.Rows)
	if l.err != nil {
		return l.err
	}
	l.width = a.keyCompression.Columns
	l.Dimension, a.rotated, a.rowsPerHead = l.wq.Rows/l.Heads, a.keyCompression.Rows-l.wk.Columns, l.wk.Rows/l.Heads
	a.unrotated = l.Dimension - a.rotated
	haveHeads := l.wq.Rows%l.Heads == 0 && l.wk.Rows%l.Heads == 0
	haveParts := a.rotated >= 0 && a.unrotated >= 1 && a.unrotated <= a.rowsPerHead
	haveInputs := l.wq.Columns == l.width
	if a.queryCompression.Rows > 0 {
		haveInputs = a.queryCompression.Columns == l.width && l.wq.Columns == a.queryCompression.Rows
	}
	if !haveHeads || !haveParts || !haveInputs {
		return fmt.Errorf("%s and the matrices next to it do not make %d heads of MLA", l.queryArray, l.Heads)
	}
	return nil
}

// projectLatent returns the queries and keys of tokens in MLA.
func (l *Layer) projectLatent(
	xq, xk projection.Tokens, e projection.FoldedNorm, workers int,
) (q, k projection.ProjectedHeads, err error) {
	a := l.latent
	queries, queryNorm := xq, e
	if a.queryCompression.Rows > 0 {
		v, err := projection.ProjectAll(a.queryCompression, a.queryBias, xq, e, workers)
		if err != nil {
			return q, k, err
		}
		queries, queryNorm = projection.NormaliseColumns(v, v.Dimension, a.queryGain).Pack(), projection.FoldedNorm{}
	}
	compressed, err := projection.ProjectAll(a.keyCompression, a.keyBias, xk, e, workers)
	if err != nil {
		return q, k, err
	}
	keys := projection.NormaliseColumns(compressed, l.wk.Columns, a.keyGain).Pack()
	queryWeights := projection.HeadWeights{Weights: l.wq, Bias: l.bq, Heads: l.Heads, RowsPerHead: l.Dimension,
		FirstRow: func(h int) int { return h * l.Dimension }}
	keyWeights := projection.HeadWeights{Weights: l.wk, Heads: l.Heads, RowsPerHead: a.unrotated,
		FirstRow: func(h int) int { return h * a.rowsPerHead }}
	if q, err = queryWeights.Project(queries, queryNorm, workers); err != nil {
		return q, k, err
	}
	unrotated, err := keyWeights.Project(keys, projection.FoldedNorm{}, workers)
	if err != nil {
		return q, k, err
	}
	for _, v := range unrotated.Vectors { // append the rotated part, which all heads share
		head := inspect.Vectors{Rows: v.Rows, Dimension: l.Dimension}
		for i := range v.Rows {
			head.Data = append(append(head.Data, v.Row(i)...), compressed.Row(i)[l.wk.Columns:]...)
		}
		k.Vectors = append(k.Vectors, head)
	}
	if a.queryCompression.Rows > 0 {
		if q.Grams, err = projection.EffectiveGrams(queryWeights, a.queryGain, a.queryCompression,
			a.queryCompression.Rows, e, workers); err != nil {
			return q, k, err
		}
	}
	k.Grams, err = projection.EffectiveGrams(keyWeights, a.keyGain, a.keyCompression, l.wk.Columns, e, workers)
	return q, k, err
}
