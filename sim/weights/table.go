package weights

import (
	"math"

	"mcsim/sim/law"
	"mcsim/sim/names"
)

// D, K and H are the sizes that formulas are made of.
func (s Shape) d() float64 { return float64(s.Model) }
func (s Shape) k() float64 { return float64(s.Key) }
func (s Shape) h() float64 { return float64(s.Heads()) }

// both gives W_Q and W_K the same variance.
func both(variance func(Shape) float64) func(Shape) (float64, float64) {
	return func(s Shape) (float64, float64) { return variance(s), variance(s) }
}

func always(x float64) func(Shape) float64 { return func(Shape) float64 { return x } }

func fanIn(s Shape) float64 { return 1 / s.d() }

func twiceFanIn(s Shape) float64 { return 2 / s.d() }

func glorotHead(s Shape) float64 { return 2 / (s.d() + s.k()) }

func glorotFused(s Shape) float64 { return 2 / (s.d() + float64(s.h()*s.k())) }

// byRoot is the usual scale.
func byRoot(s Shape) float64 { return 1 / math.Sqrt(s.k()) }

// small is the square of 0.02.
const small = 0.0004

var table = []Scheme{
	{
		Initialisation: names.InitialisationOf(names.InitGlorotUniform),
		Law:            law.Uniform, Variances: both(glorotHead), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitGlorotNormal),
		Law:            law.Normal, Variances: both(glorotHead), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitGlorotFused),
		Law:            law.Uniform, Variances: both(glorotFused), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitTorchMHA),
		Law:            law.Uniform, Variances: both(func(s Shape) float64 { return 2 / (s.d() + float64(3*s.d())) }), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitHeNormal),
		Law:            law.Normal, Variances: both(twiceFanIn), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitHeUniform),
		Law:            law.Uniform, Variances: both(twiceFanIn), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitHeFanOut),
		Law:            law.Normal, Variances: both(func(s Shape) float64 { return 2 / s.k() }), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitLeCunNormal),
		Law:            law.Normal, Variances: both(fanIn), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitTorchLinear),
		Law:            law.Uniform, Variances: both(func(s Shape) float64 { return 1 / float64(3*s.d()) }),
		Bias:  func(s Shape) float64 { return 1 / float64(3*s.d()) },
		Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitNormal002),
		Law:            law.Normal, Variances: both(always(small)), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitTFTruncated002),
		Law:            law.TruncatedNormal, Variances: both(always(float64(small * law.TruncatedVariance))), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitTorchTruncated002),
		Law:            law.Normal, Variances: both(always(small)), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitT5),
		Law:            law.Normal, Variances: func(s Shape) (float64, float64) { return 1 / float64(s.d()*s.k()), fanIn(s) }, Scale: always(1),
	},
	{
		Initialisation: names.InitialisationOf(names.InitOrthogonal),
		Scale:          byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitMuP),
		Law:            law.Normal, Variances: both(fanIn), Scale: func(s Shape) float64 { return 1 / s.k() },
	},
	{
		Initialisation: names.InitialisationOf(names.InitMuP8),
		Law:            law.Normal, Variances: both(fanIn), Scale: func(s Shape) float64 { return 8 / s.k() },
	},
	{
		Initialisation: names.InitialisationOf(names.InitMuPZeroQuery),
		Law:            law.Normal, Variances: func(s Shape) (float64, float64) { return 0, fanIn(s) }, Scale: func(s Shape) float64 { return 1 / s.k() },
	},
	{
		Initialisation: names.InitialisationOf(names.InitKeras),
		Law:            law.Uniform, Variances: both(glorotFused), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitKerasBefore2026),
		Law:            law.Uniform, Variances: both(func(s Shape) float64 { return 2 / float64(s.d()*(s.h()+s.k())) }), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitFlax),
		Law:            law.TruncatedNormal, Variances: both(fanIn), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitHaiku),
		Law:            law.TruncatedNormal, Variances: both(func(s Shape) float64 { return law.TruncatedVariance / s.d() }), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitNeoXSmall),
		Law:            law.Normal, Variances: both(func(s Shape) float64 { return 2 / float64(5*s.d()) }), Scale: byRoot,
	},
	{
		Initialisation: names.InitialisationOf(names.InitQKNorm),
		Law:            law.Normal, Variances: both(fanIn), Scale: byRoot, Normalised: true,
	},
	{
		Initialisation: names.InitialisationOf(names.InitGemma2),
		Law:            law.Normal, Variances: both(always(small)), Scale: always(1.0 / 12),
	},
}
