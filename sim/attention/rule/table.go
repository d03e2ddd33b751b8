package rule

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

var table = []*definition{
	power,
	halfRoot,
	temperature,
	learned,
	logKeys,
	rope,
	yarn,
	cosine,
	keyNormalised,
	qkNorm,
	softCap,
	additive,
}

// Bounds of parameters that are factors. Values outside would not overflow, but they are surely
// mistakes.
const minScale, maxScale = 1e-6, 1e6

var power = &definition{
	Entry:    names.EntryOf(names.GroupRule, names.RulePower),
	param:    parameter{name: "p", lo: -4, hi: 4, defaultValue: 0.5},
	factor:   func(p, d, _ float64) float64 { return elementary.Pow(d, -p) },
	variance: func(p float64, s Setting) Theory { return newExact(elementary.Pow(float64(s.D), 1-2*p)) },
	slope:    func(p float64) Theory { return newExact(1 - 2*p) },
}

var halfRoot = &definition{
	Entry:    names.EntryOf(names.GroupRule, names.RuleHalfRoot),
	factor:   func(_, d, _ float64) float64 { return 1 / math.Sqrt(d/2) },
	variance: func(float64, Setting) Theory { return newExact(2) },
	slope:    zeroSlope,
}

var temperature = &definition{
	Entry:    names.EntryOf(names.GroupRule, names.RuleTemperature),
	param:    parameter{name: "T", lo: minScale, hi: maxScale, defaultValue: 8},
	factor:   func(t, _, _ float64) float64 { return 1 / t },
	variance: func(t float64, s Setting) Theory { return newExact(float64(s.D) / float64(t*t)) },
	slope:    func(float64) Theory { return newExact(1) },
}

// learned is a scale that a layer learns. Its parameter is a constant, as the scale is after
// training.
var learned = &definition{
	Entry:    names.EntryOf(names.GroupRule, names.RuleLearned),
	param:    parameter{name: "c", lo: minScale, hi: maxScale, defaultValue: 2},
	factor:   func(c, d, _ float64) float64 { return c / math.Sqrt(d) },
	variance: func(c float64, _ Setting) Theory { return newExact(float64(c * c)) },
	slope:    zeroSlope,
}

var logKeys = &definition{
	Entry:  names.EntryOf(names.GroupRule, names.RuleLogKeys),
	param:  parameter{name: "s", lo: minScale, hi: maxScale, defaultValue: 1},
	factor: func(s, d, n float64) float64 { return float64(s*elementary.Log(n)) / math.Sqrt(d) },
	variance: func(s float64, setting Setting) Theory {
		x := float64(s * elementary.Log(float64(setting.Keys)))
		return newExact(float64(x * x))
	},
	slope: zeroSlope,
}

// rope has the same variance as power(1/2), because the components of a rotated key are
// uncorrelated and have the same variances as before the rotation.
var rope = &definition{
	Entry:             names.EntryOf(names.GroupRule, names.RuleRoPE),
	hasConstantSquare: Setting.isSign,
	isUnbounded:       true,
	logit:             func(_ float64, p *Pair) float64 { return p.RotatedScore / math.Sqrt(float64(p.D)) },
	variance:          func(float64, Setting) Theory { return newExact(1) },
	slope:             zeroSlope,
}

// yarn has the square of YaRN's factor, which multiplies the rotated query and the rotated key.
var yarn = &definition{
	Entry:    names.EntryOf(names.GroupRule, names.RuleYaRN),
	param:    parameter{name: "s", lo: 1, hi: maxScale, defaultValue: 32},
	factor:   func(s, d, _ float64) float64 { return YaRN(s) / math.Sqrt(d) },
	variance: func(s float64, _ Setting) Theory { return newExact(float64(YaRN(s) * YaRN(s))) },
	slope:    zeroSlope,
}

// YaRN returns the factor of logits for a context that is s ≥ 1 times as long as in training.
func YaRN(s float64) float64 {
	root := 1 + float64(0.1*elementary.Log(s))
	return float64(root * root)
}

var cosine = &definition{
	Entry:             names.EntryOf(names.GroupRule, names.RuleCosine),
	hasConstantSquare: Setting.hasOneDirection,
	param:             parameter{name: "s", lo: minScale, hi: maxScale, defaultValue: 10},
	logit:             func(s float64, p *Pair) float64 { return float64(s * p.cosine()) },
	variance: func(s float64, setting Setting) Theory {
		p := setting.directionProbability()
		return newExact(float64(float64(s*s)*p*p) / float64(setting.D))
	},
	slope: func(float64) Theory { return newExact(-1) },
}

var keyNormalised = &definition{
	Entry:             names.EntryOf(names.GroupRule, names.RuleKeyNormalised),
	hasConstantSquare: Setting.isSign,
	isUnbounded:       true,
	logit:             func(_ float64, p *Pair) float64 { return ratioOrZero(p.Score, math.Sqrt(p.KeySquare)) },
	variance:          func(_ float64, s Setting) Theory { return newExact(s.directionProbability()) },
	slope:             zeroSlope,
}

// qkNorm applies RMSNorm to q and to k, head by head, and divides by √d_k. Its parameter g is the
// product of the gains of both norms. With LayerNorm, which also subtracts the mean, the variance
// would be d_k/(d_k − 1) times as large.
var qkNorm = &definition{
	Entry:             names.EntryOf(names.GroupRule, names.RuleQKNorm),
	hasConstantSquare: Setting.hasOneDirection,
	param:             parameter{name: "g", lo: minScale, hi: maxScale, defaultValue: 1},
	logit: func(g float64, p *Pair) float64 {
		return float64(float64(g*p.cosine()) * math.Sqrt(float64(p.D)))
	},
	variance: func(g float64, s Setting) Theory {
		return newExact(float64(g*g) * s.directionProbability() * s.directionProbability())
	},
	slope: zeroSlope,
}

var softCap = &definition{
	Entry:             names.EntryOf(names.GroupRule, names.RuleSoftCap),
	hasConstantSquare: Setting.isSign,
	param:             parameter{name: "c", lo: minScale, hi: maxScale, defaultValue: 50},
	logit: func(c float64, p *Pair) float64 {
		return float64(c * elementary.Tanh(p.Score/float64(c*math.Sqrt(float64(p.D)))))
	},
	variance: softCapVariance,
	slope:    func(float64) Theory { return newLimit(0) },
}

// MaxHidden is the largest number d_a of hidden units.
const MaxHidden = 4096

// additive computes Σ w_i·tanh(h_i) over d_a hidden units with h = W_q·q + W_k·k. The weights are
// sampled by Glorot's uniform rule: entries of W_q and W_k have the variance 2/(d_k + d_a), and
// entries of w have the variance 2/(d_a + 1). For many components each h_i is then nearly normal
// with the variance 4d_k/(d_k + d_a).
var additive = &definition{
	Entry: names.EntryOf(names.GroupRule, names.RuleAdditive),
	param: parameter{name: "d_a", lo: 1, hi: MaxHidden, isInteger: true, isImplicit: true},
	variance: func(x float64, s Setting) Theory {
		d := float64(s.D)
		a := hiddenUnits(x, d) // d_a
		return newLimit(float64(2*a/(a+1)) * meanTanhSquare(math.Sqrt(4*d/(d+a))))
	},
	slope: func(float64) Theory { return newLimit(0) },
}

// hiddenUnits returns d_a for the parameter x, in which 0 means d_a = d.
func hiddenUnits(x, d float64) float64 {
	if x == 0 {
		return d
	}
	return x
}

// cosine returns the cosine of the angle between q and k, or 0 if one of them is 0.
func (p *Pair) cosine() float64 {
	return ratioOrZero(p.Score, math.Sqrt(float64(p.QuerySquare*p.KeySquare)))
}

// ratioOrZero returns x/y, or 0 if y is 0.
func ratioOrZero(x, y float64) float64 {
	if y == 0 {
		return 0
	}
	return x / y
}
