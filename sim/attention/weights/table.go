package weights

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// d and k return d_model and d_k, as the formulas name them.
func (s Shape) d() float64 { return float64(s.Model) }
func (s Shape) k() float64 { return float64(s.Key) }

// both gives W_Q and W_K the same variance.
func both(variance func(Shape) float64) func(Layer) (float64, float64) {
	return func(l Layer) (float64, float64) { return variance(l.Shape), variance(l.Shape) }
}

// each gives W_Q and W_K variances that count heads, of queries or of keys.
func each(variance func(s Shape, heads float64) float64) func(Layer) (float64, float64) {
	return func(l Layer) (float64, float64) {
		return variance(l.Shape, float64(l.Heads)), variance(l.Shape, float64(l.KeyHeads))
	}
}

func always(x float64) func(Shape) float64 { return func(Shape) float64 { return x } }

func fanIn(s Shape) float64 { return 1 / s.d() }

func twiceFanIn(s Shape) float64 { return 2 / s.d() }

func thirdFanIn(s Shape) float64 { return 1 / float64(3*s.d()) }

func glorotHead(s Shape) float64 { return 2 / (s.d() + s.k()) }

// glorotFused returns Glorot's variance for the heads in one matrix.
func glorotFused(s Shape, heads float64) float64 { return 2 / (s.d() + float64(heads*s.k())) }

// glorotPacked returns Glorot's variance for W_Q, W_K and W_V in one matrix.
func glorotPacked(l Layer) (query, key float64) {
	packed := glorotFused(l.Shape, float64(l.Heads+2*l.KeyHeads))
	return packed, packed
}

// glorotConvolution returns Glorot's variance for a kernel (D, heads, d) that is taken for one of a
// convolution.
func glorotConvolution(s Shape, heads float64) float64 { return 2 / float64(s.d()*(heads+s.k())) }

// byRoot returns the usual scale.
func byRoot(s Shape) float64 { return 1 / math.Sqrt(s.k()) }

// byKey returns the scale of μP.
func byKey(s Shape) float64 { return 1 / s.k() }

// small is the square of 0.02.
const small = 0.0004

// scheme returns a row of the table: the distribution of an entry, the variances of W_Q and W_K,
// and what q·k is multiplied by.
func scheme(
	init string, entry distribution.Distribution, variances func(Layer) (query, key float64), scale func(Shape) float64,
) Scheme {
	return Scheme{Initialisation: names.InitialisationOf(init), Distribution: entry, Variances: variances, Scale: scale}
}

var table = []Scheme{
	scheme("glorot-uniform", distribution.Uniform, both(glorotHead), byRoot),
	scheme("glorot-normal", distribution.Normal, both(glorotHead), byRoot),
	scheme(names.InitGlorotFused, distribution.Uniform, each(glorotFused), byRoot),
	scheme(names.InitTorchMHA, distribution.Uniform, glorotPacked, byRoot),
	scheme("he-normal", distribution.Normal, both(twiceFanIn), byRoot),
	scheme("he-uniform", distribution.Uniform, both(twiceFanIn), byRoot),
	scheme("he-fan-out", distribution.Normal, both(func(s Shape) float64 { return 2 / s.k() }), byRoot),
	scheme(names.InitLeCunNormal, distribution.Normal, both(fanIn), byRoot),
	{Initialisation: names.InitialisationOf("torch-linear"),
		Distribution: distribution.Uniform, Variances: both(thirdFanIn), Bias: thirdFanIn, Scale: byRoot},
	scheme(names.InitNormal002, distribution.Normal, both(always(small)), byRoot),
	scheme(names.InitTFTruncated002, distribution.TruncatedNormal,
		both(always(float64(small*distribution.TruncatedVariance))), byRoot),
	scheme("torch-truncated-0.02", distribution.Normal, both(always(small)), byRoot),
	scheme(names.InitT5, distribution.Normal,
		func(l Layer) (float64, float64) { return 1 / float64(l.d()*l.k()), fanIn(l.Shape) }, always(1)),
	scheme("orthogonal", distribution.Distribution{}, nil, byRoot),
	scheme(names.InitMuP, distribution.Normal, both(fanIn), byKey),
	scheme("mup-8", distribution.Normal, both(fanIn), func(s Shape) float64 { return 8 / s.k() }),
	scheme("mup-zero-query", distribution.Normal, func(l Layer) (float64, float64) { return 0, fanIn(l.Shape) }, byKey),
	scheme("keras", distribution.Uniform, each(glorotFused), byRoot),
	scheme("keras-before-2026", distribution.Uniform, each(glorotConvolution), byRoot),
	scheme("flax", distribution.TruncatedNormal, both(fanIn), byRoot),
	scheme("haiku", distribution.TruncatedNormal,
		both(func(s Shape) float64 { return distribution.TruncatedVariance / s.d() }), byRoot),
	scheme("neox-small", distribution.Normal, both(func(s Shape) float64 { return 2 / float64(5*s.d()) }), byRoot),
	{Initialisation: names.InitialisationOf(names.InitQKNorm),
		Distribution: distribution.Normal, Variances: both(fanIn), Scale: byRoot, Normalised: true},
	scheme(names.InitGemma2, distribution.Normal, both(always(small)), always(1.0/12)),
}
