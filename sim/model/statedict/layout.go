package statedict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"mcsim/sim/base/tensor"
)

// The layouts: how W_Q and W_K of all heads stand in their arrays. Rows are outputs.
const (
	LayoutSeparate    = "separate"    // W_Q and W_K, each head's rows together
	LayoutPacked      = "packed"      // W_Q, then W_K, then W_V in one matrix
	LayoutInterleaved = "interleaved" // of each head its W_Q, W_K and W_V
	LayoutGrouped     = "grouped"     // of each head of keys the W_Q of its heads, its W_K and its W_V
	LayoutLatent      = "latent"      // multi-head latent attention (MLA)
)

// Layouts are all of these.
var Layouts = []string{LayoutSeparate, LayoutPacked, LayoutInterleaved, LayoutGrouped, LayoutLatent}

// layoutOf returns how the array or arrays of a layer are laid out, as the config of its tower, its
// name, or arrays next to it tell.
func (o *Options) layoutOf(files *tensor.Files, f found, byConfig string) (string, error) {
	if o.Layout != "" {
		return o.Layout, nil
	}
	layout := f.layout
	if f.query == f.key {
		layout = cmp.Or(byConfig, layout)
	}
	name, one := f.pattern.query, f.query == f.key
	isBloom := name == "query_key_value" && len(under(files, outer(f)+"word_embeddings_layernorm.")) > 0
	isPersimmon := name == "query_key_value" && files.Has(f.prefix+"q_layernorm.weight")
	switch {
	case !one:
	case isBloom, isPersimmon, strings.Contains("."+f.prefix, ".gpt_neox."),
		files.Has(f.prefix + "attention_biases"): // timm, tiny_vit.py
		return LayoutInterleaved, nil
	case strings.HasSuffix(f.prefix, "attn_block.attn."), strings.HasSuffix(f.prefix, "attn_grid.attn."):
		layout = "" // timm, maxxvit.py: it depends on a flag
	case name == "Wqkv" && byConfig == "" && strings.HasSuffix(f.prefix, "self_attn."):
		layout = "" // [head, d_k, 3] of LightGlue's own files
	case name == "qkv_proj" && o.KeyHeads > 0: // heads that share keys are not interleaved there
		layout = LayoutPacked
	}
	if layout == "" {
		return "", fmt.Errorf("%s may be laid out in several ways: say --layout interleaved (GPT-NeoX, BLOOM), "+
			"grouped (InternLM2, Falcon) or packed (Phi-3)", f.query)
	}
	if !slices.Contains(Layouts, layout) {
		return "", fmt.Errorf("%s stands %s, which is not read: save W_Q and W_K as q_proj.weight and k_proj.weight",
			f.query, layout)
	}
	return layout, nil
}

// outer returns what stands before the modules of layers, such as transformer. of transformer.h.0.attn.
func outer(f found) string {
	at := layerAt(f.prefix, f.from)
	if at == nil {
		return ""
	}
	root := strings.TrimRight(f.prefix[:at[0]], "./")
	return root[:strings.LastIndexAny(root, "./")+1]
}

// rows returns where the rows of W_Q and of W_K of a head begin in the matrices.
func (l *Layer) rows(head int) (query, key int) {
	d, group := l.Dimension, l.Heads/l.KeyHeads
	shared := head / group
	switch l.layout {
	case LayoutPacked:
		return head * d, (l.Heads + shared) * d
	case LayoutInterleaved:
		return head * 3 * d, (head*3 + 1) * d
	case LayoutGrouped:
		start := shared * (group + 2) * d
		return start + head%group*d, start + group*d
	}
	if l.gated {
		return head * 2 * d, shared * d
	}
	return head * d, shared * d
}

// outputs returns how many rows the matrix of queries has.
func outputs(layout string, heads, keyHeads, d int) int {
	switch layout {
	case LayoutPacked, LayoutInterleaved, LayoutGrouped:
		return (heads + 2*keyHeads) * d
	}
	return heads * d
}
