package statedict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Layouts of W_Q and W_K of all heads in their arrays. Rows are outputs.
const (
	LayoutSeparate    = "separate"    // one array each; rows of a head are consecutive
	LayoutPacked      = "packed"      // one array: W_Q, W_K, W_V
	LayoutInterleaved = "interleaved" // one array: W_Q, W_K, W_V for each head
	LayoutGrouped     = "grouped"     // one array: for each head of keys, W_Q of its heads, W_K, W_V
	LayoutLatent      = "latent"      // multi-head latent attention (MLA)
)

// Layouts lists all layouts.
var Layouts = []string{LayoutSeparate, LayoutPacked, LayoutInterleaved, LayoutGrouped, LayoutLatent}

// findLayout returns the layout of a layer. It uses, in this order, --layout, arrays next to W_Q,
// the config of the layer's tower, and the name of W_Q.
func (l *Layer) findLayout(configLayout string) (string, error) {
	layout := l.opener.Layout
	if layout == "" {
		layout = l.module.layout
		if l.isJoint() {
			layout = l.findJointLayout(configLayout)
		}
		if layout == "" {
			return "", fmt.Errorf("%s may be laid out in several ways: say --layout interleaved (GPT-NeoX, BLOOM), "+
				"grouped (InternLM2, Falcon) or packed (Phi-3)", l.queryArray)
		}
		if !slices.Contains(Layouts, layout) {
			return "", fmt.Errorf("%s stands %s, which is not read: save W_Q and W_K as q_proj.weight and "+
				"k_proj.weight",
				l.queryArray, layout)
		}
	}
	needsTwoArrays := layout == LayoutSeparate || layout == LayoutLatent
	hasLatentNames := l.pattern.layout == LayoutLatent
	if needsTwoArrays == l.isJoint() || layout == LayoutLatent && !hasLatentNames {
		return "", fmt.Errorf("%s and %s: the layout %s is not that of these arrays", l.queryArray, l.keyArray, layout)
	}
	return layout, nil
}

// findJointLayout returns the layout of an array that has W_Q, W_K and W_V, or "" if the layout is
// not known.
func (l *Layer) findJointLayout(configLayout string) string {
	name := l.pattern.query
	isBloom := name == "query_key_value" &&
		len(l.files.namesWithPrefix(l.outerModule()+"word_embeddings_layernorm.")) > 0
	isPersimmon := name == "query_key_value" && l.files.Has(l.prefix+"q_layernorm.weight")
	switch {
	case isBloom, isPersimmon, strings.Contains("."+l.prefix, ".gpt_neox."),
		l.files.Has(l.prefix + "attention_biases"): // timm, tiny_vit.py
		return LayoutInterleaved
	case strings.HasSuffix(l.prefix, "attn_block.attn."), strings.HasSuffix(l.prefix, "attn_grid.attn."):
		return "" // timm, maxxvit.py: the layout depends on a flag
	case name == "Wqkv" && configLayout == "" && strings.HasSuffix(l.prefix, "self_attn."):
		return "" // LightGlue saves [head, d_k, 3]
	case name == "qkv_proj" && l.opener.KeyHeads > 0: // an interleaved layout has as many heads of keys as of queries
		return LayoutPacked
	}
	return cmp.Or(configLayout, l.pattern.layout)
}

// firstRows returns the index in wq of the first row of a head's W_Q, and the index in wk of the
// first row of its W_K.
func (l *Layer) firstRows(head int) (query, key int) {
	d, groupSize := l.Dimension, l.Heads/l.KeyHeads // a group of heads of queries shares a head of keys
	keyHead := head / groupSize
	switch l.layout {
	case LayoutPacked:
		return head * d, (l.Heads + keyHead) * d
	case LayoutInterleaved:
		return head * 3 * d, (head*3 + 1) * d
	case LayoutGrouped:
		start := keyHead * (groupSize + 2) * d
		return start + head%groupSize*d, start + groupSize*d
	}
	if l.isGated {
		return head * 2 * d, keyHead * d
	}
	return head * d, keyHead * d
}

// outputs returns the number of rows that wq must have.
func (l *Layer) outputs() int {
	switch {
	case l.layout != LayoutSeparate:
		return (l.Heads + 2*l.KeyHeads) * l.Dimension
	case l.isGated:
		return 2 * l.Heads * l.Dimension
	}
	return l.Heads * l.Dimension
}
