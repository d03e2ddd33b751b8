package modelconfig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/elementary"
)

// ropePrefix finds the object that describes the rotary position encoding of a layer:
// rope_parameters of transformers 5, which may have an object for each type of layer, or
// rope_scaling of earlier versions. It returns the prefix of the object's keys, such as
// "rope_scaling.", or empty if there is none.
func (r resolver) ropePrefix() string {
	for _, key := range []string{"rope_parameters", "rope_scaling"} {
		object, ok := r.config.value(key).(map[string]any)
		if !ok {
			continue
		}
		layerType := r.layerType()
		if _, nested := object[layerType].(map[string]any); nested {
			return key + "." + layerType + "."
		}
		if _, nested := object["full_attention"].(map[string]any); nested {
			return key + ".full_attention."
		}
		return key + "."
	}
	return ""
}

// layerType returns the element of layer_types for the layer, empty if there is none.
func (r resolver) layerType() string {
	types, _ := r.config.value("layer_types").([]any)
	if r.layer >= len(types) {
		return ""
	}
	name, _ := types[r.layer].(string)
	return name
}

// addRope adds the factor of the position encoding: cos and sin are multiplied by a number that
// affects both q and k (transformers, modeling_rope_utils.py).
func (r resolver) addRope() {
	prefix := r.ropePrefix()
	if prefix == "" {
		return
	}
	if r.config.isAny("olmo3 gemma3 gemma3_text") && strings.HasPrefix(r.layerType(), "sliding") {
		// Layers with a window do not use the scaling (ml-explore/mlx-lm, mlx_lm/models/olmo3.py).
		r.config.markRead(prefix)
		if r.config.Type == "olmo3" {
			r.addOpen("transformers 5.3 scales positions in layers with a window too, " +
				"which OLMo 3 was not trained with")
		}
		return
	}
	kind := r.config.text(prefix + "rope_type")
	if kind == "" {
		kind = r.config.text(prefix + "type")
	}
	if r.config.isAny("phi3 phimoe phi4mm phi4_multimodal") && (kind == "su" || kind == "yarn") {
		kind = "longrope"
	}
	if r.config.Type == "deepseek_v4" {
		kind = "default" // configuration_deepseek_v4.py: its YaRN leaves cos and sin as they are
	}
	var factor Term
	switch kind {
	case "yarn", "deepseek_yarn", "telechat3-yarn":
		factor = r.yarn(prefix)
	case "longrope", "su":
		factor = r.longrope(prefix)
	default:
		if slices.Contains([]string{"", "default", "linear", "dynamic", "ntk", "llama3", "mrope", "proportional"},
			kind) {
			r.config.markRead(prefix)
		}
		return
	}
	r.config.markRead(prefix)
	if math.Abs(factor.Value-1) < 1e-9 {
		return
	}
	if fraction := r.rotatedFraction(); fraction < 1 {
		r.addOpen("%s multiplies q·k by (%s)² = %.4g, but only in the rotated %.3g of the components",
			kind, factor.Text, factor.Value*factor.Value, fraction)
		return
	}
	r.multiply(float64(factor.Value*factor.Value), "(%s)²", factor.Text)
}

// rotatedFraction returns the fraction of the components of a head that are rotated.
func (r resolver) rotatedFraction() float64 {
	c := r.config
	if unrotated, ok := c.number("qk_nope_head_dim"); ok {
		return 1 - unrotated/r.dimension
	}
	if components, ok := c.number("rotary_dim"); ok {
		return components / r.dimension
	}
	fraction, ok := c.number(r.ropePrefix()+"partial_rotary_factor", "partial_rotary_factor", "rotary_pct", "rope_pct")
	if !ok {
		return 1
	}
	return fraction
}

// yarn returns the factor of cos and sin of YaRN (Peng et al. 2023, 3.4): 0.1 m ln f + 1 with
// m = mscale. If the config has both keys, this is divided by the same expression with
// m = mscale_all_dim.
func (r resolver) yarn(prefix string) Term {
	c := r.config
	if x, ok := c.number(prefix + "attention_factor"); ok {
		return Term{x, fmt.Sprintf("%.6g", x)}
	}
	factor, ok := c.number(prefix + "factor")
	if !ok {
		factor = r.extension(prefix)
	}
	numeratorScale, hasNumerator := c.number(prefix + "mscale")
	denominatorScale, hasDenominator := c.number(prefix + "mscale_all_dim")
	if !hasNumerator || !hasDenominator || numeratorScale == 0 || denominatorScale == 0 {
		return mscale(factor, 1)
	}
	numerator, denominator := mscale(factor, numeratorScale), mscale(factor, denominatorScale)
	return Term{numerator.Value / denominator.Value, "(" + numerator.Text + ") / (" + denominator.Text + ")"}
}

// mscale returns 0.1·m·ln factor + 1, and 1 for a factor up to 1.
func mscale(factor, m float64) Term {
	if factor <= 1 {
		return Term{1, "1"}
	}
	return Term{float64(0.1*m*elementary.Log(factor)) + 1, fmt.Sprintf("1 + %.4g ln %.6g", 0.1*m, factor)}
}

// longrope returns the factor of cos and sin of LongRoPE (Ding et al. 2024): √(1 + ln f/ln n), with
// n the number of tokens of the original training and f the length of texts over n.
func (r resolver) longrope(prefix string) Term {
	c := r.config
	if x, ok := c.number(prefix+"long_mscale", prefix+"attention_factor"); ok {
		if short, ok := c.number(prefix + "short_mscale"); ok && short != x {
			r.addOpen("texts within the original length take short_mscale = %g", short)
		}
		return Term{x, fmt.Sprintf("%.6g", x)}
	}
	factor, ok := c.number(prefix + "factor")
	if extension := r.extension(prefix); !ok || c.has("original_max_position_embeddings") {
		factor = extension
	}
	original, _ := c.number("original_max_position_embeddings", prefix+"original_max_position_embeddings",
		"max_position_embeddings")
	if factor <= 1 || original <= 1 {
		return Term{1, "1"}
	}
	value := math.Sqrt(1 + elementary.Log(factor)/elementary.Log(original))
	return Term{value, fmt.Sprintf("√(1 + ln %.6g/ln %.6g)", factor, original)}
}

// extension returns the length of texts over that of the original training.
func (r resolver) extension(prefix string) float64 {
	longest, _ := r.config.number("max_position_embeddings")
	original, ok := r.config.number("original_max_position_embeddings", prefix+"original_max_position_embeddings")
	if !ok || original == 0 {
		return 1
	}
	return longest / original
}
