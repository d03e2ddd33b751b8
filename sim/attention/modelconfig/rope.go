package modelconfig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/base/elementary"
)

// ropePrefix returns the prefix of the keys that describe the rotary position encoding of a layer,
// such as "rope_scaling.", or an empty string if the config has no such object. transformers 5
// writes the object rope_parameters, which may have an object for each type of layer, and earlier
// versions write rope_scaling.
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

// layerType returns the element of layer_types for the layer, or an empty string if there is none.
func (r resolver) layerType() string {
	types, _ := r.config.value("layer_types").([]any)
	if r.layer >= len(types) {
		return ""
	}
	name, _ := types[r.layer].(string)
	return name
}

// addRope adds the factor of the position encoding. transformers (modeling_rope_utils.py)
// multiplies cos and sin by a number, which therefore multiplies both q and k.
func (r resolver) addRope() {
	prefix := r.ropePrefix()
	if prefix == "" {
		return
	}
	if r.config.isOneOf("olmo3 gemma3 gemma3_text") && strings.HasPrefix(r.layerType(), "sliding") {
		// Layers with a window do not use the scaling (ml-explore/mlx-lm, mlx_lm/models/olmo3.py).
		r.config.markRead(prefix)
		if r.config.Type == "olmo3" {
			r.addUnresolved("transformers 5.3 scales positions in layers with a window too, " +
				"which OLMo 3 was not trained with")
		}
		return
	}
	ropeType := r.config.text(prefix + "rope_type")
	if ropeType == "" {
		ropeType = r.config.text(prefix + "type")
	}
	isPhi := r.config.isOneOf("phi3 phimoe phi4mm phi4_multimodal")
	if isPhi && (ropeType == "su" || ropeType == "yarn") {
		ropeType = "longrope"
	}
	if r.config.Type == "deepseek_v4" {
		ropeType = "default" // configuration_deepseek_v4.py: this YaRN leaves cos and sin as they are
	}
	var factor Term
	switch ropeType {
	case "yarn", "deepseek_yarn", "telechat3-yarn":
		factor = r.yarn(prefix)
	case "longrope", "su":
		factor = r.longrope(prefix)
	default:
		if slices.Contains([]string{"", "default", "linear", "dynamic", "ntk", "llama3", "mrope", "proportional"},
			ropeType) {
			r.config.markRead(prefix)
		}
		return
	}
	r.config.markRead(prefix)
	if math.Abs(factor.Value-1) < 1e-9 { // 1 up to rounding
		return
	}
	if fraction := r.rotatedFraction(); fraction < 1 {
		r.addUnresolved("%s multiplies q·k by (%s)² = %.4g, but only in the rotated %.3g of the components",
			ropeType, factor.Text, factor.Value*factor.Value, fraction)
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

// yarn returns the factor of cos and sin in YaRN (Peng et al. 2023, 3.4), which is 0.1 m ln f + 1
// for texts that are f times as long as in the original training. m is 1 unless the config has both
// mscale and mscale_all_dim. Then the factor is the quotient of this expression with m = mscale and
// with m = mscale_all_dim.
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

// mscale returns 0.1·m·ln factor + 1, or 1 if the factor is at most 1.
func mscale(factor, m float64) Term {
	if factor <= 1 {
		return Term{1, "1"}
	}
	return Term{float64(0.1*m*elementary.Log(factor)) + 1, fmt.Sprintf("1 + %.4g ln %.6g", 0.1*m, factor)}
}

// longrope returns the factor of cos and sin in LongRoPE (Ding et al. 2024), which is
// √(1 + ln f/ln n). The original training had texts of n tokens, and texts are now f times as long.
func (r resolver) longrope(prefix string) Term {
	c := r.config
	if x, ok := c.number(prefix+"long_mscale", prefix+"attention_factor"); ok {
		if short, ok := c.number(prefix + "short_mscale"); ok && short != x {
			r.addUnresolved("texts within the original length take short_mscale = %g", short)
		}
		return Term{x, fmt.Sprintf("%.6g", x)}
	}
	factor, hasFactor := c.number(prefix + "factor")
	extension := r.extension(prefix)
	if !hasFactor || c.has("original_max_position_embeddings") {
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

// extension returns the ratio of the length of texts to the length of texts in the original
// training.
func (r resolver) extension(prefix string) float64 {
	longest, _ := r.config.number("max_position_embeddings")
	original, ok := r.config.number("original_max_position_embeddings", prefix+"original_max_position_embeddings")
	if !ok || original == 0 {
		return 1
	}
	return longest / original
}
