package modelconfig

import "strings"

// The position of the norm whose output queries and keys are computed from.
const (
	NormBefore   = "before"   // before attention, in the same layer
	NormAfter    = "after"    // after the previous layer, or after the embedding
	NormResidual = "residual" // no norm: they are computed from the residual stream
)

// NormPlace returns one of the constants for the position of the norm before queries and keys,
// empty if the config does not tell.
func (c *Config) NormPlace() string {
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
	case c.isIn("no norm before attention"), strings.Contains(c.text("architecture"), "_rpn_"): // timm, ResPostBlock
		return NormResidual
	case c.isIn("norms after attention"):
		return NormAfter
	case c.isIn("root of d_k"):
		return NormBefore
	}
	return ""
}

// AddsOneToGain reports whether 1 is added to the stored gains of norms, as in Gemma, except for 3n
// and 4, and in LayerNorm1P of Nemotron.
func (c *Config) AddsOneToGain() bool {
	return c != nil && c.isIn("gain 1 + weight")
}

// SubtractsMean reports whether norms without a bias subtract the mean nevertheless; known is false
// if the config does not tell.
func (c *Config) SubtractsMean() (subtracts, known bool) {
	switch {
	case c == nil:
		return false, false
	case c.isIn("LayerNorm without a bias"):
		return true, true
	case c.has("rms_norm_eps") || c.isIn("RMSNorm by layer_norm_eps"):
		return false, true
	}
	subtracts = c.has("layer_norm_eps", "layer_norm_epsilon")
	return subtracts, subtracts
}

// Epsilon returns the number that norms add to the mean square, or 0 if the config does not tell.
func (c *Config) Epsilon() float64 {
	x, _ := c.field("epsilon")
	return x
}
