package statedict

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"mcsim/sim/tensor"
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

// pattern is how arrays of a layout are named behind the name of their layer.
type pattern struct {
	query, key string // key is empty where one array has both
	layout     string // empty where it depends on the model
}

// patterns are the names, with where they are written. Names of transformers are those of
// huggingface/transformers, src/transformers/models/NAME/modeling_NAME.py.
var patterns = []pattern{
	{"kv_a_proj_with_mqa", "kv_b_proj", LayoutLatent}, // deepseek_v3
	{"q_proj", "k_proj", LayoutSeparate},              // llama, qwen3, gemma3, olmo2, gpt_neo, opt
	{"query", "key", LayoutSeparate},                  // bert, vit
	{"to_q", "to_k", LayoutSeparate},                  // huggingface/diffusers, lucidrains/x-transformers
	{"wq", "wk", LayoutSeparate},                      // meta-llama/llama llama/model.py
	{"w_q", "w_k", LayoutSeparate},                    //
	{"q_lin", "k_lin", LayoutSeparate},                // distilbert
	{"q", "k", LayoutSeparate},                        // t5
	{"query_proj", "key_proj", LayoutSeparate},        // deberta_v2
	{"linear_q", "linear_k", LayoutSeparate},          // espnet/espnet
	{"in_proj_weight", "", LayoutPacked},              // pytorch nn/modules/activation.py; in_proj.weight is Mamba's
	{"c_attn", "", LayoutPacked},                      // gpt2, where it is a Conv1D: inputs × outputs
	{"qkv_proj", "", ""},                              // phi3: packed; phlippe/uvadlc_notebooks: interleaved
	{"Wqkv", "", LayoutPacked},                        // mpt
	{"W_pack", "", LayoutPacked},                      // baichuan-inc/Baichuan-7B modeling_baichuan.py
	{"to_qkv", "", LayoutPacked},                      // lucidrains/vit-pytorch vit_pytorch/vit.py
	{"qkv", "", LayoutPacked},                         // huggingface/pytorch-image-models vision_transformer.py
	{"att_proj", "", LayoutPacked},                    // allenai/OLMo olmo/model.py
	{"linear_qkv", "", LayoutGrouped},                 // NVIDIA/Megatron-LM megatron/core/transformer/attention.py
	{"wqkv", "", ""},                                  // internlm2: grouped; pytorch-labs/gpt-fast: packed
	{"query_key_value", "", ""},                       // gpt_neox and bloom: interleaved; falcon; chatglm
}

// byModel says how the one array of queries, keys and values is laid out, by modeling_NAME.py of
// transformers or of the model itself.
var byModel = map[string]string{
	"gpt_neox": LayoutInterleaved, "gpt_neox_japanese": LayoutInterleaved,
	"bloom": LayoutInterleaved, "persimmon": LayoutInterleaved,
	// These unless heads share their keys.
	"falcon": LayoutInterleaved, "gpt_bigcode": LayoutInterleaved, "chatglm": LayoutInterleaved,
	"internlm2": LayoutGrouped, "codegen": layoutParts,
	"phi3": LayoutPacked, "phi4mm": LayoutPacked, "phi4_multimodal": LayoutPacked, "glm": LayoutPacked,
}

// layoutParts is queries, values and keys of four parts of the heads (modeling_codegen.py, mp_num).
const layoutParts = "in four parts of heads"

// layout is that of a model's one array; empty where its name tells.
func (c config) layout() string {
	switch {
	case c.Type == "falcon" && c.NewMode:
		return LayoutGrouped
	case c.multiQuery():
		return LayoutPacked
	}
	return byModel[c.Type]
}

// of is the layout of an array of a model.
func (p found) of(c config, o Options) (string, error) {
	layout := cmp.Or(o.Layout, p.layout)
	if o.Layout == "" && (p.pattern.key == "" || p.pattern.key == p.pattern.query) {
		layout = cmp.Or(c.layout(), layout)
		switch {
		case layout != "":
		case strings.Contains("."+p.prefix, ".gpt_neox."):
			layout = LayoutInterleaved
		case p.pattern.query == "qkv_proj" && o.KeyHeads > 0: // heads that share keys are not interleaved there
			layout = LayoutPacked
		}
	}
	switch layout {
	case "":
		return "", fmt.Errorf("%s may be laid out in several ways: say --layout interleaved (GPT-NeoX, BLOOM), "+
			"grouped (InternLM2, Falcon) or packed (Phi-3)", p.query)
	case layoutParts:
		return "", fmt.Errorf("%s of %s stands %s, which is not read: "+
			"save W_Q and W_K as q_proj.weight and k_proj.weight", p.query, c.Type, layout)
	}
	return layout, nil
}

// ending matches a name of a matrix: weight of PyTorch, kernel of Flax, or neither.
var ending = regexp.MustCompile(`(?s)^(.*?)(?:[._](weight)|[./](kernel))?$`)

// found is a layer as its arrays are named.
type found struct {
	pattern
	prefix     string // before the names
	query, key string // arrays
	transposed bool   // inputs × outputs
}

// search finds the layers among names, in the order of their numbers.
func search(files *tensor.Files) []found {
	var all []found
	bases := map[string]string{} // of a name without its ending
	for _, name := range files.Names() {
		if m := ending.FindStringSubmatch(name); m[1] != "" && (bases[m[1]] == "" || m[2]+m[3] != "") {
			bases[m[1]] = name
		}
	}
	for base, name := range bases {
		cut := strings.LastIndexAny(base, "./") + 1
		prefix, last := base[:cut], base[cut:]
		for _, p := range patterns {
			if last != p.query && name[cut:] != p.query {
				continue
			}
			f := found{pattern: p, prefix: prefix, query: name, key: name, transposed: strings.HasSuffix(name, "kernel")}
			if p.key != "" {
				f.key = bases[prefix+p.key]
			}
			all = append(all, f)
		}
	}
	latent := map[string]bool{}
	for _, f := range all {
		latent[f.prefix] = latent[f.prefix] || f.layout == LayoutLatent
	}
	all = slices.DeleteFunc(all, func(f found) bool { return latent[f.prefix] && f.layout != LayoutLatent })
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(natural(a.prefix, b.prefix), cmp.Compare(a.query, b.query))
	})
	return all
}

var number = regexp.MustCompile(`\d+`)

// natural compares names with numbers in them by the numbers.
func natural(a, b string) int {
	inA, inB := number.FindAllString(a, -1), number.FindAllString(b, -1)
	if c := cmp.Compare(number.ReplaceAllString(a, ""), number.ReplaceAllString(b, "")); c != 0 {
		return c
	}
	for i := range min(len(inA), len(inB)) {
		x, _ := strconv.Atoi(inA[i])
		y, _ := strconv.Atoi(inB[i])
		if x != y {
			return cmp.Compare(x, y)
		}
	}
	return cmp.Compare(a, b)
}

// titles name layers by their number, where that tells them apart.
func titles(all []found) []string {
	var numbers, prefixes []string
	for _, f := range all {
		prefixes = append(prefixes, strings.TrimSuffix(f.prefix, "."))
		numbers = append(numbers, number.FindString(f.prefix))
	}
	if once := slices.Compact(slices.Sorted(slices.Values(numbers))); len(once) == len(all) && once[0] != "" {
		return numbers
	}
	return prefixes
}

// rows are where the rows of W_Q and of W_K of a head begin in the matrices.
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
	return head * d, shared * d
}

// outputs is how many rows the matrix of queries has for so many heads.
func outputs(layout string, heads, keyHeads, d int) int {
	switch layout {
	case LayoutPacked, LayoutInterleaved, LayoutGrouped:
		return (heads + 2*keyHeads) * d
	}
	return heads * d
}
