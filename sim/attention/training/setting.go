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

// Threshold returns the loss, over that of uniform weights, at which a seed has learned the task.
// If all weights train, the same number of steps leaves a larger loss.
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
	TwoLayers          // another layer before it adds to the tokens
	Normalised         // queries and keys have mean square 1
	Additive           // Σ u·tanh(q + k) in place of q·k
	HalfRoot           // division by √(d_k/2) in place of d_k^p
	Fixed              // multiplication by √16/d_k in place of d_k^(−p), as in μP with the base d_k = 16
)

// Rule determines the logit: q·k is divided by d_k^Exponent, and the initial weights are multiplied
// by d_k^Gain.
type Rule struct {
	Variant  Variant
	Exponent float64
	Gain     float64
}

// fixedBase is the d_k at which the variant Fixed divides by √d_k.
const fixedBase = 16

// Scale returns the factor of scores for d components.
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

// power returns the p of the nearest rule of the form d_k^p, from which rates are predicted.
func (r Rule) power() float64 {
	switch r.Variant {
	case HalfRoot, Normalised, Additive:
		return 0.5
	case Fixed:
		return 1
	}
	return r.Exponent
}

// Setting determines, with data and initial weights, the result of training.
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

// The reference rates at d_k = 1, and the rates of all other weights.
const (
	descentRate      = 2.0
	adamRate         = 0.25
	otherDescentRate = 0.5
	otherAdamRate    = 0.015625
)

// ReferenceRate returns the center of the rates that are tried. At this rate the first step changes
// logits by the same amount for every rule and every d_k, in the leading power of d_k. If weights
// begin as d_k^g, a step of gradient descent changes logits by rate·d_k^(1+2g−2p), and a step of
// Adam by rate·d_k^(1+g−p).
func ReferenceRate(r Rule, d int, adam bool) float64 {
	rate := descentRate
	if adam {
		rate = adamRate
	}
	return rate * elementary.Pow(float64(d), RateSlope(r, adam))
}

// RateSlope returns the exponent of d_k in [ReferenceRate].
func RateSlope(r Rule, adam bool) float64 {
	if adam {
		return r.power() - 1 - r.Gain
	}
	return float64(2*r.power()) - 1 - float64(2*r.Gain)
}

// OtherRate returns the rate of all weights except W_Q and W_K, if these train.
func OtherRate(adam bool) float64 {
	if adam {
		return otherAdamRate
	}
	return otherDescentRate
}
