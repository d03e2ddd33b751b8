package weights

import (
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/names"
)

// modelWidth returns d_model, and keyWidth returns d_k, for formulas.
func (s Shape) modelWidth() float64 { return float64(s.Model) }
func (s Shape) keyWidth() float64   { return float64(s.Key) }

// sameVariance returns the same variance for W_Q and W_K.
func sameVariance(variance func(Shape) float64) func(Layer) (float64, float64) {
	return func(l Layer) (float64, float64) { return variance(l.Shape), variance(l.Shape) }
}

// varianceByHeads returns variances that depend on a number of heads: the number of query heads for
// W_Q, and the number of key heads for W_K.
func varianceByHeads(variance func(s Shape, heads float64) float64) func(Layer) (float64, float64) {
	return func(l Layer) (float64, float64) {
		return variance(l.Shape, float64(l.Heads)), variance(l.Shape, float64(l.KeyHeads))
	}
}

func constant(x float64) func(Shape) float64 { return func(Shape) float64 { return x } }

func fanIn(s Shape) float64 { return 1 / s.modelWidth() }

func twiceFanIn(s Shape) float64 { return 2 / s.modelWidth() }

func thirdFanIn(s Shape) float64 { return 1 / float64(3*s.modelWidth()) }

func glorotHead(s Shape) float64 { return 2 / (s.modelWidth() + s.keyWidth()) }

// glorotFused returns Glorot's variance if one matrix has the columns of all heads.
func glorotFused(s Shape, heads float64) float64 {
	return 2 / (s.modelWidth() + float64(heads*s.keyWidth()))
}

// glorotPacked returns Glorot's variance if one matrix has W_Q, W_K and W_V of all heads.
func glorotPacked(l Layer) (query, key float64) {
	packed := glorotFused(l.Shape, float64(l.Heads+2*l.KeyHeads))
	return packed, packed
}

// glorotConvolution returns Glorot's variance if a weight tensor of the shape (d_model, heads, d_k)
// is taken for the kernel of a convolution.
func glorotConvolution(s Shape, heads float64) float64 {
	return 2 / float64(s.modelWidth()*(heads+s.keyWidth()))
}

// rootScale returns the standard scale 1/√d_k.
func rootScale(s Shape) float64 { return 1 / math.Sqrt(s.keyWidth()) }

// dimensionScale returns the scale of μP, 1/d_k.
func dimensionScale(s Shape) float64 { return 1 / s.keyWidth() }

// variance002 is the variance 0.02².
const variance002 = 0.0004

// newScheme returns an entry of the table: the distribution of an entry, the variances of W_Q and
// W_K, and the factor of q·k.
func newScheme(
	init string, entry distribution.Distribution, variances func(Layer) (query, key float64), scale func(Shape) float64,
) Scheme {
	return Scheme{Initialisation: names.InitialisationOf(init), Distribution: entry, Variances: variances, Scale: scale}
}

var table = []Scheme{
	newScheme("glorot-uniform", distribution.Uniform, sameVariance(glorotHead), rootScale),
	newScheme("glorot-normal", distribution.Normal, sameVariance(glorotHead), rootScale),
	newScheme(names.InitGlorotFused, distribution.Uniform, varianceByHeads(glorotFused), rootScale),
	newScheme(names.InitTorchMHA, distribution.Uniform, glorotPacked, rootScale),
	newScheme("he-normal", distribution.Normal, sameVariance(twiceFanIn), rootScale),
	newScheme("he-uniform", distribution.Uniform, sameVariance(twiceFanIn), rootScale),
	newScheme("he-fan-out", distribution.Normal, sameVariance(func(s Shape) float64 { return 2 / s.keyWidth() }),
		rootScale),
	newScheme(names.InitLeCunNormal, distribution.Normal, sameVariance(fanIn), rootScale),
	{Initialisation: names.InitialisationOf("torch-linear"),
		Distribution: distribution.Uniform, Variances: sameVariance(thirdFanIn), Bias: thirdFanIn, Scale: rootScale},
	newScheme(names.InitNormal002, distribution.Normal, sameVariance(constant(variance002)), rootScale),
	newScheme(names.InitTFTruncated002, distribution.TruncatedNormal,
		sameVariance(constant(float64(variance002*distribution.TruncatedVariance))), rootScale),
	newScheme("torch-truncated-0.02", distribution.Normal, sameVariance(constant(variance002)), rootScale),
	newScheme(names.InitT5, distribution.Normal,
		func(l Layer) (float64, float64) { return 1 / float64(l.modelWidth()*l.keyWidth()), fanIn(l.Shape) },
		constant(1)),
	newScheme("orthogonal", distribution.Distribution{}, nil, rootScale),
	newScheme(names.InitMuP, distribution.Normal, sameVariance(fanIn), dimensionScale),
	newScheme("mup-8", distribution.Normal, sameVariance(fanIn), func(s Shape) float64 { return 8 / s.keyWidth() }),
	newScheme("mup-zero-query", distribution.Normal, func(l Layer) (float64, float64) { return 0, fanIn(l.Shape) },
		dimensionScale),
	newScheme("keras", distribution.Uniform, varianceByHeads(glorotFused), rootScale),
	newScheme("keras-before-2026", distribution.Uniform, varianceByHeads(glorotConvolution), rootScale),
	newScheme("flax", distribution.TruncatedNormal, sameVariance(fanIn), rootScale),
	newScheme("haiku", distribution.TruncatedNormal,
		sameVariance(func(s Shape) float64 { return distribution.TruncatedVariance / s.modelWidth() }), rootScale),
	newScheme("neox-small", distribution.Normal,
		sameVariance(func(s Shape) float64 { return 2 / float64(5*s.modelWidth()) }),
		rootScale),
	{Initialisation: names.InitialisationOf(names.InitQKNorm),
		Distribution: distribution.Normal, Variances: sameVariance(fanIn), Scale: rootScale, Normalised: true},
	newScheme(names.InitGemma2, distribution.Normal, sameVariance(constant(variance002)), constant(1.0/12)),
}
