package training

import (
	"math"

	"mcsim/sim/base/elementary"
)

// What is fixed beforehand, for every rule alike.
const (
	TokenSize = 16 // numbers of a token, no more than the smallest d_k
	ValueSize = TokenSize / 2
	Keys      = 8  // tokens of a sequence, without the one that asks
	Sequences = 32 // that a seed learns from, all of them in each step
	// Epsilon is that of Adam.
	Epsilon = 1e-8
)

// Threshold returns the loss, over that of uniform weights, at which a seed has learnt. Where values
// have to be learnt too, as many steps leave more.
func Threshold(allWeights bool) float64 {
	if allWeights {
		return 0.3
	}
	return 0.05
}

// A Variant is what changes beside the scale.
type Variant int

// The variants. Each changes one thing.
const (
	Plain      Variant = iota
	Copying            // keys are positions, the same in every sequence
	TwoLayers          // a layer before it writes on the tokens
	Normalised         // queries and keys have mean square 1
	Additive           // Σ u·tanh(q + k) in place of q·k
	HalfRoot           // √(d_k/2) in place of d_k^p
	Fixed              // √16/d_k in place of d_k^p, as μP has it with its base at d_k = 16
)

// Rule turns q·k into a logit: it is divided by d_k^Exponent, and the initial weights are
// multiplied by d_k^Gain.
type Rule struct {
	Variant  Variant
	Exponent float64
	Gain     float64
}

// fixedBase is the d_k at which the variant Fixed divides by √d_k.
const fixedBase = 16

// Scale returns what a score is multiplied by.
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

// power returns the p of the nearest rule of the form d_k^p, for what is expected of rates.
func (r Rule) power() float64 {
	switch r.Variant {
	case HalfRoot, Normalised, Additive:
		return 0.5
	case Fixed:
		return 1
	}
	return r.Exponent
}

// Setting is all that decides what becomes of given data and initial weights.
type Setting struct {
	Rule       Rule
	Dimension  int // d_k
	Adam       bool
	AllWeights bool    // all weights train, not W_Q and W_K alone
	Rate       float64 // of W_Q and W_K
	OtherRate  float64 // of all other weights
	Steps      int
	Epsilon    float64 // of Adam
}

// The rates that stand for an octave of 0 at d_k = 1, and those of all other weights.
const (
	descentRate      = 2.0
	adamRate         = 0.25
	otherDescentRate = 0.5
	otherAdamRate    = 0.015625
)

// ReferenceRate returns the rate about which rates are tried: that at which the first step changes
// logits as much for every rule and every d_k, in the leading power of d_k. A step of
// gradient descent changes them by rate·d_k^(1+2g−2p), one of Adam by rate·d_k^(1+g−p),
// where weights begin as d_k^g.
func ReferenceRate(r Rule, d int, adam bool) float64 {
	rate := descentRate
	if adam {
		rate = adamRate
	}
	return rate * elementary.Pow(float64(d), RateSlope(r, adam))
}

// RateSlope returns the power of d_k with which [Reference] goes.
func RateSlope(r Rule, adam bool) float64 {
	if adam {
		return r.power() - 1 - r.Gain
	}
	return float64(2*r.power()) - 1 - float64(2*r.Gain)
}

// OtherRate returns the rate of all weights but W_Q and W_K, where they train.
func OtherRate(adam bool) float64 {
	if adam {
		return otherAdamRate
	}
	return otherDescentRate
}
