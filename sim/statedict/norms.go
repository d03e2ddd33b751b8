package statedict

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
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
	before = []string{"input_layernorm", "ln_1", "attention_norm", "norm1", "norm_1", "layernorm_before", "attn_norm", "ln_attn",
		"self_attn_layer_norm", "pre_attention_layernorm", "layer_norm", "ln1"}
	ofQueries = []string{"q_norm", "q_layernorm", "query_norm", "norm_q", "q_ln"}
	ofKeys    = []string{"k_norm", "k_layernorm", "key_norm", "norm_k", "k_ln"}
)

// block is the prefix of what the module with this prefix stands in.
func block(prefix string) string {
	outer := strings.TrimSuffix(prefix, ".")
	return outer[:strings.LastIndexByte(outer, '.')+1]
}

// postNorm reports whether a model's norms stand behind attention.
func (c config) postNorm() bool {
	return slices.Contains([]string{"bart", "marian", "blenderbot-small"}, c.Type) ||
		c.Before != nil && !*c.Before || c.Stable != nil && !*c.Stable
}

// layerNorm reports whether norms without a bias are LayerNorm all the same.
func (c config) layerNorm() bool {
	return slices.Contains([]string{"cohere", "cohere2", "mpt", "dbrx", "modernbert", "stablelm"}, c.Type)
}

// bert is the name of a layer of BERT and its kin.
var bert = regexp.MustCompile(`^(.*?)encoder\.layer\.(\d+)\.attention\.self\.$`)

// previous is the norm behind the layer before, or behind the embeddings, of models whose norms
// stand behind attention (modeling_bert.py); empty where the names are others.
func previous(prefix string) string {
	m := bert.FindStringSubmatch(prefix)
	if m == nil {
		return ""
	}
	n, _ := strconv.Atoi(m[2])
	if n == 0 {
		return m[1] + "embeddings.LayerNorm"
	}
	return fmt.Sprintf("%sencoder.layer.%d.output.LayerNorm", m[1], n-1)
}

// older are other names of the parts of a norm, as TensorFlow has them.
var older = map[string]string{"weight": "gamma", "bias": "beta"}

// named is the first array of a norm that there is.
func named(files *tensor.Files, prefix string, names []string, part string) string {
	for _, name := range names {
		for _, part := range []string{part, older[part]} {
			if full := prefix + name + "." + part; files.Has(full) {
				return full
			}
		}
	}
	return ""
}

// plusOne reports whether gains of the model are stored less 1: Gemma but for 3n, Qwen3-Next, and
// the LayerNorm1P of Nemotron.
func plusOne(c config) bool {
	gemma := strings.HasPrefix(c.Type, "gemma") && !strings.HasPrefix(c.Type, "gemma3n")
	return gemma || c.Type == "qwen3_next" || c.Type == "nemotron"
}

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
	at := block(f.prefix)
	if named(files, at, before, "weight") == "" {
		at = block(at) // such as ViT's, whose attention is a module of the block's attention
	}
	// Of the layers that come with PyTorch, nn.TransformerEncoderLayer and its like, names do not
	// tell whether norm1 stands before attention (norm_first).
	l.unsure = files.Has(at+"norm1.weight") && files.Has(at+"linear1.weight")
	if !c.postNorm() && !l.unsure {
		l.before = named(files, at, before, "weight")
		if l.gain, l.shift, err = gains(files, c, at, before, l.width); err != nil {
			return err
		}
	}
	if name := previous(f.prefix); l.before == "" && name != "" {
		l.before = named(files, "", []string{name}, "weight")
		if l.gain, l.shift, err = gains(files, c, "", []string{name}, l.width); err != nil {
			return err
		}
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
		return listed(files, c, prefix, names, heads, d)
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
	norm := &headNorm{whole: !each && n > d, epsilon: c.epsilon()}
	if norm.gain, norm.shift, err = gains(files, c, prefix, names, n); err != nil {
		return nil, err
	}
	norm.layer = norm.shift != nil || c.layerNorm()
	return norm, nil
}

// listed is a norm for each head (modeling_stablelm.py, StableLmLayerNormPerHead).
func listed(files *tensor.Files, c config, prefix string, names []string, heads, d int) (*headNorm, error) {
	norm := &headNorm{layer: true, epsilon: c.epsilon()}
	for h := range heads {
		at := fmt.Sprintf(".norms.%d", h)
		one, _, err := gains(files, c, prefix, []string{names[0] + at, names[1] + at}, d)
		if err != nil || one == nil {
			return nil, err
		}
		norm.gain = append(norm.gain, one...)
	}
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
