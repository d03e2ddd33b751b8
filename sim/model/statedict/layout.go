package statedict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The layouts: how W_Q and W_K of all heads are arranged in their arrays. Rows are outputs.
const (
	LayoutSeparate    = "separate"    // W_Q and W_K, each head's rows together
	LayoutPacked      = "packed"      // W_Q, then W_K, then W_V in one matrix
	LayoutInterleaved = "interleaved" // of each head its W_Q, W_K and W_V
	LayoutGrouped     = "grouped"     // of each head of keys the W_Q of its heads, its W_K and its W_V
	LayoutLatent      = "latent"      // multi-head latent attention (MLA)
)

// Layouts are all of these.
var Layouts = []string{LayoutSeparate, LayoutPacked, LayoutInterleaved, LayoutGrouped, LayoutLatent}

// findLayout returns how the array or arrays of a layer are arranged, as --layout, the config of its
// tower, its name, or arrays next to it tell.
func (l *Layer) findLayout(byConfig string) (string, error) {
	layout := l.opener.Layout
	if layout == "" {
		layout = l.module.layout
		if l.isOne() {
			layout = l.layoutOfOne(byConfig)
		}
		if layout == "" {
			return "", fmt.Errorf("%s may be laid out in several ways: say --layout interleaved (GPT-NeoX, BLOOM), "+
				"grouped (InternLM2, Falcon) or packed (Phi-3)", l.query)
		}
		if !slices.Contains(Layouts, layout) {
			return "", fmt.Errorf("%s stands %s, which is not read: save W_Q and W_K as q_proj.weight and "+
				"k_proj.weight",
				l.query, layout)
		}
	}
	needsTwo := layout == LayoutSeparate || layout == LayoutLatent
	if needsTwo == l.isOne() || layout == LayoutLatent && l.pattern.layout != layout {
		return "", fmt.Errorf("%s and %s: the layout %s is not that of these arrays", l.query, l.key, layout)
	}
	return layout, nil
}

// layoutOfOne returns how one array of queries, keys and values is arranged; empty if nothing tells.
func (l *Layer) layoutOfOne(byConfig string) string {
	name := l.pattern.query
	isBloom := name == "query_key_value" && len(l.files.under(l.outer()+"word_embeddings_layernorm.")) > 0
	isPersimmon := name == "query_key_value" && l.files.Has(l.prefix+"q_layernorm.weight")
	switch {
	case isBloom, isPersimmon, strings.Contains("."+l.prefix, ".gpt_neox."),
		l.files.Has(l.prefix + "attention_biases"): // timm, tiny_vit.py
		return LayoutInterleaved
	case strings.HasSuffix(l.prefix, "attn_block.attn."), strings.HasSuffix(l.prefix, "attn_grid.attn."):
		return "" // timm, maxxvit.py: it depends on a flag
	case name == "Wqkv" && byConfig == "" && strings.HasSuffix(l.prefix, "self_attn."):
		return "" // [head, d_k, 3] of LightGlue's own files
	case name == "qkv_proj" && l.opener.KeyHeads > 0: // heads that share keys are not interleaved there
		return LayoutPacked
	}
	return cmp.Or(byConfig, l.pattern.layout)
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

// outputs returns how many rows the matrix of queries needs.
func (l *Layer) outputs() int {
	switch {
	case l.layout != LayoutSeparate:
		return (l.Heads + 2*l.KeyHeads) * l.Dimension
	case l.gated:
		return 2 * l.Heads * l.Dimension
	}
	return l.Heads * l.Dimension
}
