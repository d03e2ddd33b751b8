package modelconfig

import "strings"

// Where the norm stands whose output queries and keys are made of.
const (
	NormBefore   = "before"   // attention, in the layer itself
	NormAfter    = "after"    // the layer before, or after the embedding
	NormResidual = "residual" // nowhere: the stream itself goes in
)

// NormPlace returns where the norm stands that queries and keys are made of: one of the constants,
// or empty if the config does not tell.
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

// AddsOneToGain reports whether gains are stored less 1, as in Gemma but for 3n and 4, and in the
// LayerNorm1P of Nemotron.
func (c *Config) AddsOneToGain() bool {
	return c != nil && c.isIn("gain 1 + weight")
}

// SubtractsMean reports whether norms without a bias take the mean off all the same; known is false
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

// Epsilon returns what norms add to the mean square; 0 if the config does not tell.
func (c *Config) Epsilon() float64 {
	x, _ := c.field("epsilon")
	return x
}
