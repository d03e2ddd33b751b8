package modelconfig

import "strings"

// Positions of the norm from whose output queries and keys are computed.
const (
	NormBefore   = "before"   // before attention, in the same layer
	NormAfter    = "after"    // after the previous layer, or after the embedding
	NormResidual = "residual" // no norm: they are computed from the residual stream
)

// NormPosition returns NormBefore, NormAfter or NormResidual, or an empty string if the config does
// not tell the position of the norm.
func (c *Config) NormPosition() string {
	if c == nil {
		return ""
	}
	for _, key := range keys()["norm before attention"] {
		if c.value(key) == nil {
			continue
		}
		if c.boolean(key, true) {
			return NormBefore
		}
		return NormAfter
	}
	switch {
	case c.isInGroup("no norm before attention"):
		return NormResidual
	case strings.Contains(c.text("architecture"), "_rpn_"): // ResPostBlock of timm
		return NormResidual
	case c.isInGroup("norms after attention"):
		return NormAfter
	case c.isInGroup("root of d_k"):
		return NormBefore
	}
	return ""
}

// AddsOneToGain reports whether 1 is added to the stored gains of norms. The models that do this
// are Nemotron, with LayerNorm1P, and Gemma, except for Gemma 3n and Gemma 4.
func (c *Config) AddsOneToGain() bool {
	return c != nil && c.isInGroup("gain 1 + weight")
}

// SubtractsMean reports whether norms without a bias subtract the mean, as LayerNorm does and
// RMSNorm does not. known is false if the config does not tell.
func (c *Config) SubtractsMean() (subtracts, known bool) {
	switch {
	case c == nil:
		return false, false
	case c.isInGroup("LayerNorm without a bias"):
		return true, true
	case c.has("rms_norm_eps") || c.isInGroup("RMSNorm by layer_norm_eps"):
		return false, true
	}
	subtracts = c.has("layer_norm_eps", "layer_norm_epsilon") // otherwise the norm is not known
	return subtracts, subtracts
}

// Context returns the largest number of tokens of a text, or 0 if the config does not tell.
func (c *Config) Context() int {
	const maxContext = 1 << 30
	n, _ := c.value("max_position_embeddings").(float64)
	if !(n >= 2 && n <= maxContext) {
		return 0
	}
	return int(n)
}

// Epsilon returns the number that norms add to the mean square, or 0 if the config does not tell.
func (c *Config) Epsilon() float64 {
	x, _ := c.field("epsilon")
	return x
}
