package training

import (
	"math"

	"mcsim/sim/base/elementary"
)

// Sizes and constants that are the same for every rule.
const (
	TokenSize = 16 // numbers of a token, at most the smallest d_k
	ValueSize = TokenSize / 2
	Keys      = 8  // tokens of a sequence without the question
	Sequences = 32 // sequences of a seed, all used in each step
	// Epsilon is the ε of Adam.
	Epsilon = 1e-8
)

// Threshold returns the relative loss at which a seed has learned the task. A relative loss is
// divided by the loss of uniform attention weights. The threshold is larger if all weights train,
// because the same number of steps then leaves a larger loss.
func Threshold(allWeights bool) float64 {
	if allWeights {
		return 0.3
	}
	return 0.05
}

// Variant is a change of the model or the task, other than the scale.
type Variant int

// The variants. Each makes one change.
const (
	Plain      Variant = iota
	Copying            // keys are positions, the same in every sequence
	TwoLayers          // a first attention layer adds its output to the tokens
	Normalised         // queries and keys have mean square 1
	Additive           // Σ u·tanh(q + k) in place of q·k
	HalfRoot           // division by √(d_k/2) in place of d_k^p
	Fixed              // √16/d_k in place of d_k^(−p), as in μP with the fixed base d_k = 16
	SoftCap            // logits are bent by Cap·tanh(x/Cap)
)

// Rule determines the scale of scores and the size of the initial weights.
type Rule struct {
	Variant      Variant
	Exponent     float64 // p: q·k is divided by d_k^p, except in some variants
	GainExponent float64 // g: initial W_Q and W_K are multiplied by d_k^g
	Cap          float64 // bound of logits in the variant SoftCap
}

// fixedBase is the d_k for which the variant Fixed has the usual scale 1/√d_k.
const fixedBase = 16

// Scale returns the factor of scores for d_k = d.
func (r Rule) Scale(d int) float64 {
	switch r.Variant {
	case HalfRoot:
		return 1 / math.Sqrt(float64(d)/2)
	case Fixed:
		return math.Sqrt(fixedBase) / float64(d)
	case Additive:
		return 1
	}
	return 1 / elementary.Pow(float64(d), r.Exponent)
}

// power returns the p of the rule d_k^(−p) that is most similar to r, for RateSlope.
func (r Rule) power() float64 {
	switch r.Variant {
	case HalfRoot, Normalised, Additive:
		return 0.5
	case Fixed:
		return 1
	}
	return r.Exponent
}

// Setting describes one training. Data determine the initial weights.
type Setting struct {
	Rule       Rule
	Dimension  int // d_k
	Adam       bool
	AllWeights bool    // all weights train, not only W_Q and W_K
	Rate       float64 // learning rate of W_Q and W_K
	OtherRate  float64 // learning rate of all other weights
	Steps      int
	Epsilon    float64 // ε of Adam
}

// The reference rates of W_Q and W_K at d_k = 1, and the rates of all other weights.
const (
	descentRate      = 2.0
	adamRate         = 0.25
	otherDescentRate = 0.5
	otherAdamRate    = 0.015625
)

// ReferenceRate returns the rate around which a search for the best rate of W_Q and W_K is centred.
// With the p and g of the rule, the first step of gradient descent changes logits by about
// rate·d_k^(1+2g−2p), and the first step of Adam by about rate·d_k^(1+g−p). At the reference rate
// this change does not depend on d_k.
func ReferenceRate(r Rule, d int, adam bool) float64 {
	rate := descentRate
	if adam {
		rate = adamRate
	}
	return rate * elementary.Pow(float64(d), RateSlope(r, adam))
}

// RateSlope returns the exponent of d_k in ReferenceRate.
func RateSlope(r Rule, adam bool) float64 {
	if adam {
		return r.power() - 1 - r.GainExponent
	}
	return float64(2*r.power()) - 1 - float64(2*r.GainExponent)
}

// OtherRate returns the rate of all weights except W_Q and W_K, if all weights train.
func OtherRate(adam bool) float64 {
	if adam {
		return otherAdamRate
	}
	return otherDescentRate
}
