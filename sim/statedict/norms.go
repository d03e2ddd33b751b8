package statedict

import (
	"strings"

	"mcsim/sim/tensor"
)

// What norm tokens are behind.
const (
	NormLayer = "layernorm"
	NormRMS   = "rmsnorm"
	NormNone  = "none"
)

// before are names of the norm before attention, in the block that has it, and of the norms of
// queries and of keys, beside them.
var (
	before = []string{
		"input_layernorm",
		"ln_1",
		"attention_norm",
		"norm1",
		"norm_1",
		"layernorm_before",
		"attn_norm",
		"ln_attn",
		"self_attn_layer_norm",
		"pre_attention_layernorm",
		"layer_norm",
		"ln1",
	}
	ofQueries = []string{"q_norm", "q_layernorm", "query_norm", "norm_q", "q_ln"}
	ofKeys    = []string{"k_norm", "k_layernorm", "key_norm", "norm_k", "k_ln"}
)

// block is the prefix of what the attention with this prefix stands in.
func block(prefix string) string {
	outer := strings.TrimSuffix(prefix, ".")
	return outer[:strings.LastIndexByte(outer, '.')+1]
}

// names of an array of a norm.
func named(files *tensor.Files, prefix string, names []string, part string) string {
	for _, name := range names {
		if full := prefix + name + "." + part; files.Has(full) {
			return full
		}
	}
	return ""
}

// plusOne reports whether gains of the model are stored less 1 (Gemma).
func plusOne(c config) bool { return strings.HasPrefix(c.Type, "gemma") }

// gains reads the gain and the shift of a norm; nil where there are none.
func gains(files *tensor.Files, c config, prefix string, names []string, n int) (gain, shift []float64, err error) {
	weight := named(files, prefix, names, "weight")
	if gain, err = vector(files, weight, n); err != nil || gain == nil {
		return nil, nil, err
	}
	if plusOne(c) {
		for i := range gain {
			gain[i]++
		}
	}
	shift, err = vector(files, named(files, prefix, names, "bias"), n)
	return gain, shift, err
}

// norms finds the norm before a layer, and those of its queries and keys.
func (o *Options) norms(files *tensor.Files, c config, f found, l *Layer) (err error) {
	if l.gain, l.shift, err = gains(files, c, block(f.prefix), before, l.width); err != nil {
		return err
	}
	if l.qNorm, err = headNorms(files, c, f.prefix, ofQueries, l.Heads, l.Dimension); err != nil {
		return err
	}
	l.kNorm, err = headNorms(files, c, f.prefix, ofKeys, l.KeyHeads, l.Dimension)
	return err
}

// headNorms is the norm of queries or keys: of each head, or of all together (OLMo 2); nil where
// there is none.
func headNorms(files *tensor.Files, c config, prefix string, names []string, heads, d int) (*headNorm, error) {
	weight := named(files, prefix, names, "weight")
	if weight == "" {
		return nil, nil
	}
	a, err := files.Lookup(weight)
	if err != nil {
		return nil, err
	}
	n := d
	each := len(a.Shape) == 2 // [heads, d_k], as Cohere's
	if each || len(a.Shape) == 1 && a.Shape[0] == heads*d {
		n = heads * d
	}
	norm := &headNorm{whole: !each && n > d}
	if norm.gain, norm.shift, err = gains(files, c, prefix, names, n); err != nil {
		return nil, err
	}
	norm.layer = norm.shift != nil || c.Type == "cohere" || c.Type == "stablelm"
	return norm, nil
}

// gainOf is d_k by the gain of a norm of queries; 0 where there is none.
func (o *Options) gainOf(files *tensor.Files, f found, rows int) int {
	a, err := files.Lookup(named(files, f.prefix, ofQueries, "weight"))
	if err == nil && len(a.Shape) > 0 && a.Shape[len(a.Shape)-1] < rows { // else of all heads together
		return a.Shape[len(a.Shape)-1]
	}
	return 0
}
