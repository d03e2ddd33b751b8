package modelconfig

import (
	_ "embed"
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
func (r resolver) multiply(value float64, format string, args ...any) {
	r.scores.Terms = append(r.scores.Terms, Term{value, fmt.Sprintf(format, args...)})
}

// divideByRoot adds the term x^(-1/2), with a remark such as the key of x.
func (r resolver) divideByRoot(x float64, remark string) {
	r.multiply(1/math.Sqrt(x), "%.6g^(-1/2)%s", x, remark)
}

// addUnresolved adds a reason why a single factor does not describe the logits, or an ambiguity.
func (r resolver) addUnresolved(format string, args ...any) {
	r.scores.Unresolved = append(r.scores.Unresolved, fmt.Sprintf(format, args...))
}

// numberOr returns the number of a key, or the default if the key is not set. source says which of
// them it is: "KEY" or "KEY by default".
func (c *Config) numberOr(key string, defaultValue float64) (x float64, source string) {
	if x, ok := c.number(key); ok {
		return x, key
	}
	return defaultValue, key + " by default"
}

// family describes a group of types.txt whose models do not just divide q·k by √d_k.
type family struct {
	group         string
	dividesByRoot bool           // divides by √d_k
	key           string         // key of a factor; empty if there is none
	defaultValue  float64        // value of the factor if the key is not set
	cap           float64        // soft cap; 0 means none
	unresolved    string         // reason why a single factor does not describe the logits
	custom        func(resolver) // any other rule
}

// families lists all families. A comment names the source if it is not transformers.
var families = []family{
	{group: "unscaled"},
	{group: "granite", key: "attention_multiplier", defaultValue: 1},
	{group: "gemma", custom: func(r resolver) {
		x, source := r.config.numberOr("query_pre_attn_scalar", 256)
		r.divideByRoot(x, " ("+source+")")
	}},
	{group: "zamba", custom: func(r resolver) { r.divideByRoot(r.dimension/2, "") }},
	{group: "inkling", custom: resolver.divideByDimension},
	{group: "muse_glimmer", dividesByRoot: true, key: "qk_scale_factor", defaultValue: 3.87},
	{group: "cvt", custom: divideByStageWidth},
	{group: "disentangled", custom: divideBySummands},
	// microsoft/Phi-3-small-8k-instruct, modeling_phi3_small.py
	{group: "phi3small", custom: divideAsMuP},
	// xai-org/grok-1, model.py
	{group: "grok", key: "attn_output_multiplier", defaultValue: 0.08838834764831845 /* 1/√128 */, cap: 30},
	{group: "swinv2", unresolved: "each head multiplies the cosine by exp(min(logit_scale, ln 100)) of its weights"},
	{group: "zaya", dividesByRoot: true, unresolved: "each head of keys multiplies by its weight temp"},
	{group: "per component", unresolved: "each component of q has a factor of its own: a softplus of weights, " +
		"times constants over the root of d_k"},
	{group: "reformer", dividesByRoot: true,
		unresolved: "layers with hashing divide the keys, which are their queries, " +
			"by their root mean square"},
	{group: "no softmax of q·k over tokens", dividesByRoot: true,
		unresolved: "some or all layers attend over channels, or without softmax"},
	{group: "scaled latents", dividesByRoot: true,
		unresolved: "latent vectors are multiplied by the root of hidden_size over their width"},
}

// apply adds the terms and remarks of the family.
func (f family) apply(r resolver) {
	if f.dividesByRoot {
		r.divideByRoot(r.dimension, "")
	}
	if f.key != "" {
		r.multiplyByKey(f.key, f.defaultValue)
	}
	if f.custom != nil {
		f.custom(r)
	}
	if f.unresolved != "" {
		r.addUnresolved("%s", f.unresolved)
	}
	r.scores.Cap = f.cap
}

func (r resolver) divideByDimension() { r.multiply(1/r.dimension, "1/%g", r.dimension) }

// multiplyByKey multiplies by the number of a key, or by the default.
func (r resolver) multiplyByKey(key string, defaultValue float64) {
	x, source := r.config.numberOr(key, defaultValue)
	r.multiply(x, "%.6g (%s)", x, source)
}

// divideByStageWidth divides by the root of the width of a stage, not of a head.
func divideByStageWidth(r resolver) {
	heads, widths := r.config.numbers("num_heads"), r.config.numbers("embed_dim")
	matches := map[float64]bool{}
	for i := range min(len(heads), len(widths)) {
		if widths[i] == float64(heads[i]*r.dimension) {
			matches[widths[i]] = true
		}
	}
	if len(matches) != 1 {
		r.addUnresolved("a stage divides by the root of its width, which d_k = %g does not tell", r.dimension)
		return
	}
	for width := range matches {
		r.divideByRoot(width, " (embed_dim)")
	}
}

// divideBySummands divides by √(d_k·n) in disentangled attention, whose scores are the sum of n
// products: q·k, and a product for each element of pos_att_type, such as c2p.
func divideBySummands(r resolver) {
	terms := strings.FieldsFunc(strings.ToLower(r.config.text("pos_att_type")), func(c rune) bool { return c == '|' })
	if list, ok := r.config.value("pos_att_type").([]any); ok {
		terms = strings.Fields(strings.Trim(fmt.Sprint(list), "[]"))
	} else if r.config.Type == "sew-d" && len(terms) == 0 {
		terms = []string{"c2p", "p2c"}
	}
	if r.config.Type != "deberta" {
		terms = slices.DeleteFunc(terms, func(term string) bool { return term != "c2p" && term != "p2c" })
	}
	r.divideByRoot(float64(r.dimension*float64(1+len(terms))), "")
	if len(terms) > 0 {
		r.addUnresolved("positions add products of their own (%s)", strings.Join(terms, ", "))
	}
}

// divideAsMuP divides by d_k as in μP, unless mup_use_scaling is off.
func divideAsMuP(r resolver) {
	if !r.config.boolean("mup_use_scaling", true) {
		r.divideByRoot(r.dimension, "")
		return
	}
	r.divideByDimension()
	r.multiplyByKey("mup_attn_multiplier", 1)
}

// addScale adds the factor of the model's family or of a key of the config, or otherwise 1/√d_k.
func (r resolver) addScale() {
	c := r.config
	if c.isInGroup("added") || strings.HasPrefix(c.text("position_embedding_type"), "relative_key") {
		r.addUnresolved("positions, or a learned mask, add to q·k")
	}
	for _, f := range families {
		if c.isInGroup(f.group) {
			f.apply(r)
			return
		}
	}
	for _, key := range keys()["scale"] {
		if c.has(key) {
			r.multiplyByKey(key, 0)
			return
		}
	}
	switch x, isSet := c.number("query_pre_attn_scalar"); {
	case isSet:
		r.divideByRoot(x, " (query_pre_attn_scalar)")
	case !c.boolean("scale_attn_weights", true): // the factor is 1
	case c.boolean("mup_scale_qk_dot_by_d", false) || c.boolean("scale_qk_dot_by_d", false):
		// cerebras/btlm-3b-8k-base, modeling_btlm.py
		r.divideByDimension()
	default:
		r.divideByRoot(r.dimension, "")
		r.scores.Assumed = !c.isKnown()
	}
}

// addMultipliers adds further factors after the scale.
func (r resolver) addMultipliers() {
	c := r.config
	if x, ok := c.number("key_multiplier"); ok && x != 1 {
		r.multiply(x, "%.6g (key_multiplier)", x)
	}
	if x, ok := c.number("attention_in_multiplier"); ok && x != 1 {
		r.multiply(float64(x*x), "%.6g² (attention_in_multiplier, on the tokens)", x)
	}
	if c.boolean("scale_attn_by_inverse_layer_idx", false) && r.layer > 0 {
		r.multiply(1/float64(r.layer+1), "1/%d (layer)", r.layer+1)
	}
	prefix := r.ropePrefix()
	m, _ := c.number(prefix + "mscale_all_dim")
	if m == 0 || !c.isInGroup("mscale") {
		return
	}
	factor, _ := c.number(prefix + "factor")
	term := mscale(factor, m)
	r.multiply(float64(term.Value*term.Value), "(%s)²", term.Text)
	if c.isOneOf("deepseek_v2 glm_moe_dsa") {
		r.addUnresolved("transformers up to 5.3 leaves (%s)² out, DeepSeek's own code does not", term.Text)
	}
}

// addExtras sets caps, norms, temperatures and sinks.
func (r resolver) addExtras() {
	r.setCap()
	r.setNorm()
	r.setPosition()
	isSliding := strings.HasPrefix(r.layerType(), "sliding")
	hasSinks := r.config.isInGroup("sinks") || isSliding && r.config.Type == "mimo_v2_flash"
	if hasSinks {
		r.scores.Sink = "one more logit in each row, learned by head (sinks)"
	}
}

// setCap sets the soft cap. Gemma 3 and T5Gemma 2 have the key but do not use it.
func (r resolver) setCap() {
	c := r.config
	x, hasCap := c.field("cap")
	if c.isInGroup("cap is not applied") {
		return
	}
	// If the key is present and null, there is no cap.
	_, hasKey := c.values["attn_logit_softcapping"]
	if !hasKey && c.isInGroup("cap 50 by default") {
		x, hasCap = 50, true
	}
	if hasCap {
		r.scores.Cap = x
	}
}

// setPosition sets a temperature that depends on the position.
func (r resolver) setPosition() {
	c, prefix := r.config, r.ropePrefix()
	beta, hasBeta := c.number(prefix + "llama_4_scaling_beta")
	switch {
	case hasBeta:
		original, _ := c.number(prefix+"original_max_position_embeddings", "max_position_embeddings")
		r.scores.Position = fmt.Sprintf("q times 1 + %g ln(1 + ⌊position/%g⌋)", beta, original)
	case c.isOneOf("llama4 llama4_text") && c.boolean("attn_temperature_tuning", true) && r.isWithoutRotation():
		scale, _ := c.numberOr("attn_scale", 0.1)
		floor, _ := c.numberOr("floor_scale", 8192)
		r.scores.Position = fmt.Sprintf("q times 1 + %g ln(1 + ⌊(position + 1)/%g⌋)", scale, floor)
	case c.boolean("use_logn_attn", false):
		r.scores.Position = "q times ln(position)/ln(seq_length) beyond seq_length, at inference"
	case c.has("log_scaling_n_floor") && !strings.Contains(r.layerType(), "sliding"):
		alpha, _ := c.numberOr("log_scaling_alpha", 0.1)
		floor, _ := c.number("log_scaling_n_floor")
		r.scores.Position = fmt.Sprintf("q times 1 + %g ln max(1, (position + 1)/%g)", alpha, floor)
	case c.has("attn_temperature_len"):
		length, _ := c.number("attn_temperature_len")
		r.scores.Position = fmt.Sprintf("logits times log2(position)/log2(%g) beyond position %g", length, length)
	}
	if c.isOneOf("llama4 llama4_text") { // layers with RoPE do not use these keys
		c.read["attn_temperature_tuning"], c.read["attn_scale"], c.read["floor_scale"] = true, true, true
	}
}

// isWithoutRotation reports whether a layer of Llama 4 has no RoPE.
func (r resolver) isWithoutRotation() bool {
	if layers := r.config.numbers("no_rope_layers"); r.layer < len(layers) {
		return layers[r.layer] == 0
	}
	interval, _ := r.config.numberOr("no_rope_layer_interval", 4)
	return (r.layer+1)%int(math.Max(1, interval)) == 0
}

// setNorm sets the norm of queries and keys, and a limit of their components.
func (r resolver) setNorm() {
	c := r.config
	usesNormByDefault := c.isOneOf("llama4 llama4_text persimmon fuyu")
	if c.isOneOf("llama4 llama4_text") && r.isWithoutRotation() {
		c.read["use_qk_norm"] = true // the key concerns only layers with RoPE
		return
	}
	for _, group := range types() {
		// The title is "norm: NORM" or "norm: NORM if KEY".
		title, isNorm := strings.CutPrefix(group.title, "norm: ")
		if !isNorm || !slices.Contains(group.items, c.Type) {
			continue
		}
		norm, key, hasKey := strings.Cut(title, " if ")
		if !hasKey || c.boolean(key, usesNormByDefault) {
			r.scores.Norm = norm
		}
	}
	for _, key := range keys()["norm of queries and keys"] {
		if x := c.value(key); r.scores.Norm == "" && x != nil && x != false {
			r.scores.Norm = fmt.Sprintf("%s = %v", key, x)
		}
	}
	if x, ok := c.field("limit of components"); ok {
		r.scores.Norm = strings.TrimPrefix(fmt.Sprintf("%s; %s%g", r.scores.Norm, limitPrefix, x), "; ")
	}
}
