package modelconfig

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// resolver fills the Scores of one layer.
type resolver struct {
	config    *Config
	scores    *Scores
	layer     int
	dimension float64
}

// multiply adds a term.
func (r resolver) multiply(value float64, text string) {
	r.scores.Terms = append(r.scores.Terms, Term{value, text})
}

// open adds what keeps a single factor from saying it all.
func (r resolver) open(format string, args ...any) {
	r.scores.Open = append(r.scores.Open, fmt.Sprintf(format, args...))
}

// hasType reports whether a list of model types, between spaces, has one.
func hasType(list, modelType string) bool {
	return modelType != "" && slices.Contains(strings.Fields(list), modelType)
}

// family says how models of some types scale q·k, if not by the root of d_k. The code is
// src/transformers/models/TYPE/modeling_TYPE.py of huggingface/transformers unless a comment says
// otherwise.
type family struct {
	types string
	scale func(resolver)
}

// families are the types whose factor no key tells. A config's keys come first in all others.
var families = []family{
	{"t5 mt5 umt5 longt5 switch_transformers udop pop2piano pix2struct pix2struct_text_model pix2struct_vision_model gpt_neo dia " +
		"dia_encoder dia_decoder gemma3n gemma3n_text gemma4 gemma4_text gemma4_unified diffusion_gemma", unscaled},
	{"granite granitemoe granitemoehybrid granitemoeshared granite_swa granitemoe_swa granite4_vision", func(r resolver) {
		r.byKey("attention_multiplier", 1)
	}},
	{"gemma2 gemma3 gemma3_text vaultgemma t5gemma t5gemma2", func(r resolver) { r.byRootOf("query_pre_attn_scalar", 256) }},
	{"zamba zamba2", func(r resolver) { r.scores.Terms = append(r.scores.Terms, root(r.dimension/2)) }},
	{"inkling inkling_text", func(r resolver) { r.multiply(1/r.dimension, fmt.Sprintf("%g^(-1)", r.dimension)) }},
	{"cvt", cvt},
	{"deberta deberta-v2 sew-d", disentangled},
	{"swinv2 swin2sr", func(r resolver) {
		r.scores.Norm = "L2, to length 1, of each head"
		r.open("each head multiplies by exp(min(logit_scale, ln 100)), which its weights hold")
	}},
	{"timesfm timesfm2_5 videoprism_text_model", func(r resolver) {
		r.open("each component of q has a factor of its own, log2(e)·softplus of an array, over the root of d_k")
	}},
	{"muse_glimmer muse_glimmer_text", func(r resolver) {
		r.scores.Norm = "RMS of each head, without a gain"
		r.scores.Terms = append(r.scores.Terms, root(r.dimension))
		r.byKey("qk_scale_factor", 3.87)
	}},
	{"zaya", func(r resolver) {
		r.scores.Norm = "L2, to length √d_k, of each head"
		r.scores.Terms = append(r.scores.Terms, root(r.dimension))
		r.open("each head of keys multiplies by an array temp")
	}},
	// microsoft/Phi-3-small-8k-instruct, modeling_phi3_small.py
	{"phi3small", func(r resolver) {
		if !r.config.truth("mup_use_scaling", true) {
			r.scores.Terms = append(r.scores.Terms, root(r.dimension))
			return
		}
		r.multiply(1/r.dimension, fmt.Sprintf("%g^(-1)", r.dimension))
		r.byKey("mup_attn_multiplier", 1)
	}},
	// xai-org/grok-1, model.py
	{"grok-1 grok1 grok", func(r resolver) {
		r.byKey("attn_output_multiplier", 1/math.Sqrt(r.dimension))
		r.scores.Cap = 30
	}},
	// karpathy/nanochat, nanochat/gpt.py, at its export to transformers
	{"nanochat", func(r resolver) {
		r.scores.Norm = "RMS of each head after RoPE, without a gain"
		r.scores.Terms = append(r.scores.Terms, root(r.dimension))
	}},
}

// unscaled leaves q·k as it is.
func unscaled(resolver) {}

// byKey multiplies by a key's number, or by the default of transformers.
func (r resolver) byKey(key string, byDefault float64) {
	x, ok := r.config.number(key)
	if !ok {
		x, key = byDefault, key+" by default"
	}
	r.multiply(x, fmt.Sprintf("%.6g (%s)", x, key))
}

// byRootOf divides by the root of a key's number, or of the default of transformers.
func (r resolver) byRootOf(key string, byDefault float64) {
	x, ok := r.config.number(key)
	if !ok {
		x, key = byDefault, key+" by default"
	}
	term := root(x)
	term.Text += " (" + key + ")"
	r.scores.Terms = append(r.scores.Terms, term)
}

// cvt divides by the root of the width of a stage, not of a head.
func cvt(r resolver) {
	width := r.dimension
	if heads, all := r.config.numbers("num_heads"), r.config.numbers("embed_dim"); len(heads) == len(all) {
		for i := range all {
			if all[i]/heads[i] == r.dimension {
				width = all[i]
			}
		}
		if same := all; len(same) > 1 {
			r.open("the width of the stage is not told apart by d_k alone")
		}
	}
	r.scores.Terms = append(r.scores.Terms, root(width))
}

// disentangled divides by the root of d_k times the number of the summands of a score.
func disentangled(r resolver) {
	summands := 1.0
	types := r.config.text("pos_att_type")
	if list, ok := r.config.value("pos_att_type").([]any); ok {
		types = fmt.Sprint(list...)
	}
	for _, name := range []string{"c2p", "p2c"} {
		if strings.Contains(types, name) {
			summands++
			r.open("positions add a product of their own (%s)", name)
		}
	}
	r.scores.Terms = append(r.scores.Terms, root(float64(r.dimension*summands)))
}

// scale adds the factor of the family, or of a key, or the root of d_k.
func (r resolver) scale() {
	c := r.config
	for _, f := range families {
		if hasType(f.types, c.Type) {
			f.scale(r)
			return
		}
	}
	for _, key := range []string{"attention_multiplier", "softmax_scale", "attn_config.softmax_scale", "attn_output_multiplier"} {
		if x, ok := c.number(key); ok {
			r.multiply(x, fmt.Sprintf("%.6g (%s)", x, key))
			return
		}
	}
	switch {
	case c.has("query_pre_attn_scalar"):
		r.byRootOf("query_pre_attn_scalar", 0)
	case !c.truth("scale_attn_weights", true):
	case c.truth("mup_scale_qk_dot_by_d", false) || c.truth("scale_qk_dot_by_d", false):
		// cerebras/btlm-3b-8k-base, modeling_btlm.py
		r.multiply(1/r.dimension, fmt.Sprintf("%g^(-1)", r.dimension))
	default:
		r.scores.Terms = append(r.scores.Terms, root(r.dimension))
	}
}

// mscaleTypes multiply the scale by the square of mscale_all_dim's factor: multi-head latent
// attention after DeepSeek-V3.
const mscaleTypes = "deepseek_v2 deepseek_v3 deepseek_v32 kimi_k2 kimi_k25 glm4_moe_lite glm_moe_dsa youtu longcat_flash " +
	"minicpm3 mistral4 axk1 axk2"

// multipliers adds the factors that come on top of the scale.
func (r resolver) multipliers() {
	c := r.config
	if x, ok := c.number("key_multiplier"); ok && x != 1 {
		r.multiply(x, fmt.Sprintf("%.6g (key_multiplier)", x))
	}
	if x, ok := c.number("attention_in_multiplier"); ok && x != 1 {
		r.multiply(float64(x*x), fmt.Sprintf("%.6g² (attention_in_multiplier, on the tokens)", x))
	}
	if c.truth("scale_attn_by_inverse_layer_idx", false) && r.layer > 0 {
		r.multiply(1/float64(r.layer+1), fmt.Sprintf("1/%d (layer)", r.layer+1))
	}
	prefix := r.positions()
	m, ok := c.number(prefix + "mscale_all_dim")
	if !ok || m == 0 || !hasType(mscaleTypes, c.Type) && !c.has("qk_rope_head_dim") {
		return
	}
	factor, _ := c.number(prefix + "factor")
	term := mscale(factor, m)
	r.multiply(float64(term.Value*term.Value), "("+term.Text+")²")
	if hasType("deepseek_v2 glm_moe_dsa", c.Type) {
		r.open("versions of transformers up to 5.3 leave (%s)² out", term.Text)
	}
}

// extras fills in caps, norms, sinks and temperatures.
func (r resolver) extras() {
	c, s := r.config, r.scores
	r.cap()
	r.norm()
	r.position()
	if hasType("gpt_oss deepseek_v4 granite_swa granitemoe_swa openai_privacy_filter", c.Type) ||
		hasType("mimo_v2_flash", c.Type) && strings.HasPrefix(r.layerType(), "sliding") {
		s.Sink = "one more logit in each row, learned by head (array sinks)"
	}
	if hasType("longcat_flash kimi_k25", c.Type) {
		r.open("latent vectors are multiplied by the root of hidden_size over their width")
	}
	if hasType("reformer", c.Type) {
		r.open("keys are normalised queries")
	}
}

// cap fills in a soft cap by tanh.
func (r resolver) cap() {
	c := r.config
	if x, ok := c.number("attn_logit_softcapping", "attn_config.attn_logit_softcapping", "attn_logit_softcap", "attention_logit_cap"); ok {
		r.scores.Cap = x
		return
	}
	_, stated := c.values["attn_logit_softcapping"] // null means that there is none
	if hasType("gemma2 vaultgemma t5gemma videoprism videoprism_vision_model", c.Type) && !stated {
		r.scores.Cap = 50 // default of transformers
	}
}

// position fills in a temperature that depends on the position.
func (r resolver) position() {
	c := r.config
	number := func(byDefault float64, keys ...string) float64 {
		if x, ok := c.number(keys...); ok {
			return x
		}
		return byDefault
	}
	prefix := r.positions()
	switch beta, ok := c.number(prefix + "llama_4_scaling_beta"); {
	case ok:
		r.scores.Position = fmt.Sprintf("q times 1 + %g ln(1 + ⌊position/%g⌋)", beta,
			number(0, prefix+"original_max_position_embeddings"))
	case hasType("llama4 llama4_text", c.Type) && c.truth("attn_temperature_tuning", true) && r.withoutPositions():
		r.scores.Position = fmt.Sprintf("q times 1 + %g ln(1 + ⌊(position + 1)/%g⌋)", number(0.1, "attn_scale"), number(8192, "floor_scale"))
	case c.truth("use_logn_attn", false):
		r.scores.Position = "q times max(1, ln position/ln seq_length), at inference"
	case c.has("log_scaling_n_floor"):
		r.scores.Position = fmt.Sprintf("q times 1 + %g ln max(1, position/%g) in layers without a window",
			number(0.1, "log_scaling_alpha"), number(0, "log_scaling_n_floor"))
	case c.has("attn_temperature_len"):
		r.scores.Position = fmt.Sprintf("logits times log2(position)/log2(%g) beyond it", number(0, "attn_temperature_len"))
	}
}

// withoutPositions reports whether a layer of Llama 4 has no RoPE.
func (r resolver) withoutPositions() bool {
	if layers := r.config.numbers("no_rope_layers"); r.layer < len(layers) {
		return layers[r.layer] == 0
	}
	interval, ok := r.config.number("no_rope_layer_interval")
	if !ok {
		interval = 4
	}
	return (r.layer+1)%int(math.Max(1, interval)) == 0
}

// norms are the norms of queries and keys that a type has whatever its keys say.
var norms = []struct{ types, text string }{
	{"gemma3 gemma3_text qwen3_next qwen3_5 qwen3_5_moe t5gemma2", "RMS of each head, with gain 1 + weight"},
	{"qwen3 qwen3_moe qwen3_vl qwen3_vl_text qwen3_vl_moe qwen3_omni_moe gemma3n gemma3n_text gemma4 gemma4_text exaone4 exaone_moe " +
		"apertus lfm2 lfm2_moe dots1 afmoe inkling inkling_text laguna mellum hy_v3 doge hunyuan_v1_dense hunyuan_v1_moe step3p7",
		"RMS of each head, with gain weight"},
	{"olmo2 olmo3 olmoe flex_olmo minimax_m2", "RMS over all heads together, with gain weight"},
	{"chameleon", "LayerNorm of each head"},
	{"deepseek_v4", "RMS of each head of queries, without a gain, and of the key"},
}

// norm fills in the norm of queries and keys.
func (r resolver) norm() {
	c := r.config
	for _, n := range norms {
		if hasType(n.types, c.Type) {
			r.scores.Norm = n.text
		}
	}
	for _, key := range []string{"use_qk_norm", "qk_layernorm", "qk_norm", "attn_config.qk_ln", "attn_config.qk_gn", "qk_ln"} {
		if !c.truth(key, hasType("persimmon fuyu", c.Type) && key == "qk_layernorm") || r.scores.Norm != "" {
			continue
		}
		r.scores.Norm = "by " + key
	}
	if x, ok := c.number("clip_qkv", "attn_config.clip_qkv"); ok {
		r.scores.Norm = strings.TrimPrefix(fmt.Sprintf("%s; components cut off at ±%g", r.scores.Norm, x), "; ")
	}
}
