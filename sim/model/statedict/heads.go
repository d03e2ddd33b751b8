package statedict

import (
	"cmp"
	"fmt"
	"path/filepath"

	"mcsim/sim/attention/modelconfig"
)

// Limits of the sizes of W_Q and W_K, which bound the memory for a head and for the tokens.
const maxOutputs, maxWidth, maxDimension = 1 << 18, 1 << 17, 1024

// openHeads finds the numbers of heads, d_k and the biases in every layout except LayoutLatent, and
// checks them against the shapes of W_Q and W_K.
func (l *Layer) openHeads(s modelconfig.Shape) error {
	if err := l.setHeads(s); err != nil {
		return err
	}
	if err := l.inferHeads(); err != nil {
		return err
	}
	if l.wk.Columns != l.wq.Columns {
		return fmt.Errorf("%s takes %d inputs, and %s %d; if W is inputs × outputs, say --order in-out",
			l.queryArray, l.wq.Columns, l.keyArray, l.wk.Columns)
	}
	l.width = l.wq.Columns
	isDimensionKnown := l.Dimension > 0 || headModule.MatchString(l.prefix)
	if err := l.computeHeads(); err != nil {
		return err
	}
	if l.layout == LayoutSeparate && !isDimensionKnown && !l.isType("convbert") && l.Heads*l.Dimension != l.width {
		l.misfit = fmt.Sprintf("%d heads of d_k = %d make %d outputs of %d inputs, as if heads are pruned or in "+
			"another file: say --d-k", l.Heads, l.Dimension, l.Heads*l.Dimension, l.width)
	}
	l.isGated = l.layout == LayoutSeparate && s.Gated && l.wq.Rows == 2*l.Heads*l.Dimension
	if need := l.outputs(); need != l.wq.Rows {
		return fmt.Errorf("%s has %d outputs; %d heads of queries and %d of keys of d_k = %d, %s, are %d",
			l.queryArray, l.wq.Rows, l.Heads, l.KeyHeads, l.Dimension, l.layout, need)
	}
	if need := l.KeyHeads * l.Dimension; l.layout == LayoutSeparate && need != l.wk.Rows {
		return fmt.Errorf("%s has %d outputs; %d heads of d_k = %d are %d: say --kv-heads",
			l.keyArray, l.wk.Rows, l.KeyHeads, l.Dimension, need)
	}
	if l.width > maxWidth || l.wq.Rows > maxOutputs || l.Dimension > maxDimension {
		return fmt.Errorf("%s has %d outputs of %d inputs, and d_k = %d; at most %d, %d and %d are read",
			l.queryArray, l.wq.Rows, l.width, l.Dimension, maxOutputs, maxWidth, maxDimension)
	}
	l.findBiases()
	return l.err
}

// sourceFlags is the source of numbers that the user gave.
const sourceFlags = "the flags"

// setHeads sets the numbers of heads and d_k from flags, the config or the shape of a kernel. It
// returns an error if the shape contradicts the flags or the config.
func (l *Layer) setHeads(s modelconfig.Shape) error {
	o := l.opener
	l.Heads, l.KeyHeads = cmp.Or(o.Heads, s.Heads), cmp.Or(o.KeyHeads, s.KeyHeads)
	l.Dimension = cmp.Or(o.Dimension, s.Dimension)
	// If --d-k is given, the heads of the config may be wrong, because some heads may be pruned.
	if o.Dimension > 0 && l.layout == LayoutSeparate && !s.Gated {
		l.Heads, l.KeyHeads = o.Heads, o.KeyHeads
	}
	switch {
	case o.Heads > 0 || o.Dimension > 0:
		l.source = sourceFlags
	case l.config != nil && (s.Heads > 0 || s.Dimension > 0):
		l.source = filepath.Base(l.config.Path)
	default:
		l.source = "the shapes of arrays"
	}
	shape := l.files.headShape(l.queryArray)
	if shape == nil {
		return nil
	}
	if shape[0] < shape[1] { // KerasHub's Gemma has heads × inputs × d_k
		return fmt.Errorf("%s has shape %v; with 3 axes, inputs × heads × d_k are read, and no layer has more heads "+
			"than inputs", l.queryArray, shape)
	}
	expected := [3]int{l.Heads, l.KeyHeads, l.Dimension}
	l.Heads, l.Dimension, l.KeyHeads = shape[1], shape[2], shape[1]
	if keys := l.files.headShape(l.keyArray); keys != nil {
		l.KeyHeads = keys[1]
	}
	for i, n := range [3]int{l.Heads, l.KeyHeads, l.Dimension} {
		if expected[i] > 0 && expected[i] != n {
			return fmt.Errorf("%s has %d heads of queries, %d of keys and d_k = %d by its shape, and not what %s says",
				l.queryArray, l.Heads, l.KeyHeads, l.Dimension, l.source)
		}
	}
	return nil
}

// inferHeads sets the number of heads from arrays in the module of W_Q that have a number for each
// head, or d_k from the gain of a norm of queries. It returns an error if such an array contradicts
// the given number of heads.
func (l *Layer) inferHeads() error {
	for _, name := range []string{"logit_scale", "sinks", "relative_position_bias_table", "attention_biases"} {
		a, err := l.files.Lookup(l.prefix + name)
		if err != nil || len(a.Shape) == 0 {
			continue
		}
		n := a.Shape[0]
		if name == "relative_position_bias_table" {
			n = a.Shape[len(a.Shape)-1]
		}
		if l.Heads > 0 && l.Heads != n && n > 1 {
			return fmt.Errorf("%s has the shape %s, of %d heads, and %s makes %s of %d",
				a.Name, a.Dimensions(), n, l.source, l.queryArray, l.Heads)
		}
		if l.Heads == 0 && l.Dimension == 0 && n > 1 {
			l.Heads, l.source = n, a.Name
		}
	}
	if l.Heads > 0 || l.Dimension > 0 {
		return nil
	}
	if headModule.MatchString(l.prefix) {
		l.Heads = 1
		return nil
	}
	gain := l.files.findNorm(l.prefix, nameLists["queries"]).weight
	if d := l.files.lastAxis(gain); d < l.wq.Rows { // otherwise the norm is over all heads
		l.Dimension = d
	}
	return nil
}

// computeHeads computes the missing numbers of heads and d_k. If one array has queries, keys and
// values, and the number of heads of keys is not given, heads × d_k is assumed to be the number of
// inputs.
func (l *Layer) computeHeads() error {
	rows, isDimensionGiven := l.wq.Rows, l.Dimension > 0
	switch {
	case l.Heads == 0 && !isDimensionGiven:
		return fmt.Errorf("%s has %d outputs: how many heads? Give --heads or --d-k; %s",
			l.queryArray, rows, l.explainMissingHeads())
	case l.layout == LayoutSeparate:
		l.Heads = cmp.Or(l.Heads, rows/max(1, l.Dimension))
		l.Dimension = cmp.Or(l.Dimension, rows/l.Heads)
		l.KeyHeads = cmp.Or(l.KeyHeads, l.wk.Rows/max(1, l.Dimension))
	case l.Heads == 0:
		l.Heads = (rows/l.Dimension - 2*l.KeyHeads) / (3 - 2*min(1, l.KeyHeads))
	case isDimensionGiven || l.KeyHeads > 0 || l.layout == LayoutInterleaved || l.width%l.Heads != 0:
		// The number of heads of keys is given, is the same as for queries, or cannot be computed.
	case rows != 3*l.width && rows != 2*l.width: // in GC-ViT, 2·width outputs are keys and values only
		l.Dimension = l.width / l.Heads
		l.KeyHeads = (rows/l.Dimension - l.Heads) / 2
	}
	if l.KeyHeads == 0 || l.layout == LayoutInterleaved {
		l.KeyHeads = l.Heads
	}
	l.Dimension = cmp.Or(l.Dimension, rows/max(1, l.Heads+2*l.KeyHeads))
	if min(l.Heads, l.Dimension, l.KeyHeads) < 1 || max(l.Heads, l.Dimension) > rows || l.Heads%l.KeyHeads != 0 {
		return fmt.Errorf("%s has %d outputs, which do not make %d heads of queries and %d of keys",
			l.queryArray, rows, l.Heads, l.KeyHeads)
	}
	if l.layout != LayoutSeparate && !isDimensionGiven && l.Heads*l.Dimension != l.width {
		return fmt.Errorf("%s has %d outputs of %d inputs; %d heads of queries and %d of keys would have d_k = %d, "+
			"and %d × %d is not %d: say --kv-heads, or --d-k if that is meant",
			l.queryArray, rows, l.width, l.Heads, l.KeyHeads, l.Dimension, l.Heads, l.Dimension, l.width)
	}
	return nil
}

// explainMissingHeads says why config.json does not give the number of heads.
func (l *Layer) explainMissingHeads() string {
	switch {
	case l.config == nil:
		return "no config.json is next to the file"
	case l.config.Tower != "":
		return l.config.Tower + " of " + l.config.Path + " does not say"
	}
	return l.config.Path + " does not say"
}

// findBiases finds the biases of queries and keys. There are three cases. The usual biases are next
// to their weights. PyTorch's MultiheadAttention has one array of the biases of queries, keys and
// values, also if their weights are separate because values have another width. BEiT has a bias of
// queries but not of keys (huggingface/pytorch-image-models, timm/models/beit.py).
func (l *Layer) findBiases() {
	n, queries, keys := l.wq.Rows, l.Heads*l.Dimension, l.KeyHeads*l.Dimension
	l.bq, l.bk = l.vector(l.files.findBias(l.queryArray), n), l.vector(l.files.findBias(l.keyArray), l.wk.Rows)
	isSeparate := l.layout == LayoutSeparate
	if l.bq != nil || !isSeparate && l.layout != LayoutPacked {
		return
	}
	if isSeparate {
		if biases := l.vector(l.prefix+"in_proj_bias", 3*n); biases != nil {
			l.bq, l.bk = biases[:n], biases[n:2*n]
			return
		}
	}
	q := l.vector(l.prefix+"q_bias", queries)
	if q == nil {
		return
	}
	k := make([]float64, keys)
	copy(k, l.vector(l.prefix+"k_bias", keys))
	if isSeparate {
		l.bq, l.bk = q, k
		return
	}
	l.bq = make([]float64, n) // the bias of values is not needed
	copy(l.bq, append(q, k...))
	l.bk = l.bq
}
