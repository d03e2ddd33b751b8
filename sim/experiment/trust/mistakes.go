package trust

import (
	"math"
	"slices"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The sizes of the mistakes.
const (
	mistakenScale       = 1.01 // standard deviation of q
	mistakenCorrelation = 0.02 // correlation of q_i and k_i
	mistakenCut         = 3    // largest absolute value of a truncated component
	stuckLane           = 5    // lane whose score repeats its first product
	firstTwin           = 3    // lane that secondTwin copies
	secondTwin          = 7
)

// Moments of the standard normal distribution truncated at ±mistakenCut, from mpmath 1.2.1: the
// variance, and the fourth, sixth and eighth moments after rescaling to variance 1.
const (
	cutVariance = 0.97333692466254147659
	cutKurtosis = 2.8288855636022559626
	cutM6       = 12.189791544836104026
	cutM8       = 66.009650062454909773
)

// controlTable lists the controls.
var controlTable = []Control{
	{
		Name: names.ControlScale, Gate: names.GateUnitVariance,
		Blind:    "the mean, and every correlation: a scale moves neither",
		quantity: names.ScoreVariance, order: 4, compute: columnVariance, newHonestCheck: newHonestVarianceCheck,
		open: func(d, pairs int) experiment.BlockFunc {
			samplePairs := kernel.Pairs(distribution.Normal)
			return newScoreBlock(d, pairs, func(lanes *stream.Lanes, d int, out *[stream.Width]float32) {
				samplePairs(lanes, d, out)
				for i := range out {
					out[i] *= mistakenScale
				}
			})
		},
		mistakenTheory: func(d int, n int64) (float64, float64) {
			s := normalScore(d)
			return s.Variance() * mistakenScale * mistakenScale, s.VarianceSE(n) * mistakenScale * mistakenScale
		},
	},
	{
		Name: "correlated-0.02", Gate: names.GateZeroMean,
		Blind:    "the variance: it grows only by the factor 1 + 0.02²",
		quantity: names.ScoreMean, order: 4, compute: columnMean, newHonestCheck: newHonestMeanCheck,
		open: openCorrelated,
		mistakenTheory: func(d int, n int64) (float64, float64) {
			const rho = mistakenCorrelation
			return rho * float64(d), math.Sqrt(float64(d) * (1 + rho*rho) / float64(n))
		},
	},
	{
		Name: "truncated-3", Gate: names.GateUnitVariance,
		Blind:    "the mean: the distribution stays symmetric",
		quantity: names.ScoreVariance, order: 4, compute: columnVariance, newHonestCheck: newHonestVarianceCheck,
		open: openTruncated,
		mistakenTheory: func(d int, n int64) (float64, float64) {
			excess := (cutKurtosis*cutKurtosis - 3) / float64(d)
			variance := float64(d) * cutVariance * cutVariance
			return variance, variance * math.Sqrt(2/float64(n-1)+excess/float64(n))
		},
	},
	{
		Name: "truncated-3-rescaled", Gate: names.GateComponentKurtosis,
		Blind:    "mean and variance of q·k at every d_k: they depend only on the components' mean and variance",
		quantity: names.ComponentKurtosis, order: 4, compute: columnKurtosis,
		newHonestCheck: honestHealthCheck(names.ComponentKurtosis),
		open:           openRescaled,
		mistakenTheory: func(_ int, n int64) (float64, float64) {
			return cutKurtosis, newComponent(cutKurtosis, cutM6, cutM8).KurtosisSE(n)
		},
	},
	{
		Name: "lane-stuck", Gate: names.GateUnitVariance,
		Blind:    "every gate at d_k = 1, where nothing is repeated; the mean at every d_k",
		quantity: names.ScoreVariance, order: 4, compute: columnVariance, newHonestCheck: newHonestVarianceCheck,
		open:           openStuck,
		mistakenTheory: stuckTheory,
	},
	{
		Name: names.ControlTwins, Gate: names.GateLanes,
		Blind: "mean and variance of q·k at every d_k: each lane by itself is correct, and only the true " +
			"error is larger than the stated one",
		quantity: names.LaneCorrelation, order: 2, compute: columnMean,
		newHonestCheck: honestHealthCheck(names.LaneCorrelation),
		open:           openTwins,
		mistakenTheory: twinsTheory,
	},
	{
		Name: "exponent-0.49", Gate: names.GateUnitVariance,
		Blind:    "every gate at d_k = 1, where all powers agree; the mean at every d_k",
		quantity: names.ScaledVariance, params: result.Params{names.ParamExponent: scaledExponent}, order: 4,
		compute: scaledColumnVariance, newHonestCheck: newHonestScaledCheck,
		open: func(d, pairs int) experiment.BlockFunc {
			return newScoreBlock(d, pairs, kernel.Pairs(distribution.Normal))
		},
		mistakenTheory: func(d int, n int64) (float64, float64) {
			s := normalScore(d)
			return scores.ScaledTheory(s.Variance(), scaledExponent),
				s.VarianceSE(n) / elementary.Pow(s.Variance(), 2*scaledExponent)
		},
	},
}

// newScoreBlock returns a function that samples a block of scores with samplePairs, sixteen at a
// time. The node has their moments.
func newScoreBlock(d, pairs int, samplePairs func(*stream.Lanes, int, *[stream.Width]float32)) experiment.BlockFunc {
	values := make([]float64, pairs)
	return func(b *experiment.BlockStream) moments.Node {
		scores.SampleScores(&b.Lanes, d, samplePairs, values)
		return moments.Node{Moments: []moments.Moments{moments.New(values, 4)}}
	}
}

// openProducts returns a function that samples a block of scores. fillVectors samples a component q
// of the query and a number z in alternation, and keyComponent computes the component of the key
// from them.
func openProducts(
	d, pairs int, fillVectors func(*stream.Lanes, [][stream.Width]float32), keyComponent func(q, z float64) float64,
) experiment.BlockFunc {
	vectors := make([][stream.Width]float32, 2*d)
	return newScoreBlock(d, pairs, func(lanes *stream.Lanes, _ int, out *[stream.Width]float32) {
		fillVectors(lanes, vectors)
		for lane := range out {
			var sum float64
			for i := 0; i < len(vectors); i += 2 {
				q, z := float64(vectors[i][lane]), float64(vectors[i+1][lane])
				sum += float64(q * keyComponent(q, z))
			}
			out[lane] = float32(sum)
		}
	})
}

// openCorrelated returns a function that samples pairs of correlated queries and keys.
func openCorrelated(d, pairs int) experiment.BlockFunc {
	const rho = mistakenCorrelation
	noiseFactor := math.Sqrt(1 - rho*rho)
	keyComponent := func(q, z float64) float64 { return float64(rho*q) + float64(noiseFactor*z) }
	return openProducts(d, pairs, kernel.Vectors(distribution.Normal), keyComponent)
}

// newCutSampler returns a function that fills each lane of dst with truncated normal components. It
// samples normal components and skips those outside ±mistakenCut.
func newCutSampler() func(lanes *stream.Lanes, dst [][stream.Width]float32) {
	const batchSize = 64 // number of components that are sampled at a time
	fillNormal, candidates := kernel.Vectors(distribution.Normal), make([][stream.Width]float32, batchSize)
	return func(lanes *stream.Lanes, dst [][stream.Width]float32) {
		var filled [stream.Width]int
		for slices.Min(filled[:]) < len(dst) {
			fillNormal(lanes, candidates)
			for lane := range filled {
				for j := 0; j < len(candidates) && filled[lane] < len(dst); j++ {
					if x := candidates[j][lane]; x >= -mistakenCut && x <= mistakenCut {
						dst[filled[lane]][lane] = x
						filled[lane]++
					}
				}
			}
		}
	}
}

// openTruncated returns a function that samples pairs of vectors with truncated components.
func openTruncated(d, pairs int) experiment.BlockFunc {
	return openProducts(d, pairs, newCutSampler(), func(_, z float64) float64 { return z })
}

// openRescaled returns a function that samples truncated components, rescaled to variance 1,
// instead of scores: one component for each pair of the block.
func openRescaled(_, pairs int) experiment.BlockFunc {
	sampleCut, scale := newCutSampler(), 1/math.Sqrt(cutVariance)
	vectors := make([][stream.Width]float32, pairs/stream.Width)
	x := make([]float64, 0, pairs)
	return func(b *experiment.BlockStream) moments.Node {
		sampleCut(&b.Lanes, vectors)
		x = flatten(x, vectors)
		for i := range x {
			x[i] *= scale
		}
		return moments.Node{Moments: []moments.Moments{moments.New(x, 4)}}
	}
}

// openStuck returns a function that samples pairs. The score of one lane is d_k times the product
// of two components, as if the lane repeated its first product.
func openStuck(d, pairs int) experiment.BlockFunc {
	samplePairs := kernel.Pairs(distribution.Normal)
	firstProducts := new([stream.Width]float32)
	return newScoreBlock(d, pairs, func(lanes *stream.Lanes, d int, out *[stream.Width]float32) {
		samplePairs(lanes, d, out)
		samplePairs(lanes, 1, firstProducts)
		out[stuckLane] = float32(d) * firstProducts[stuckLane]
	})
}

// stuckTheory returns the variance of the scores S and its standard error. Fifteen lanes have
// Var S = d and Var S² = d²(2 + 6/d). The stuck lane has S = d·q_1k_1, so that Var S = d² and
// Var S² = 8d⁴.
func stuckTheory(d int, n int64) (variance, se float64) {
	x := float64(d)
	correctSquareVariance, stuckSquareVariance := float64(x*x)*(2+6/x), float64(8*float64(x*x)*float64(x*x))
	variance = (float64(15*x) + float64(x*x)) / stream.Width
	return variance, math.Sqrt((float64(15*correctSquareVariance) + stuckSquareVariance) / stream.Width / float64(n))
}

// openTwins returns a function that samples components of which two lanes are equal. The node has
// the moments of the products of random pairs of lanes, as in the experiment health.
func openTwins(_, pairs int) experiment.BlockFunc {
	fillVectors := kernel.Vectors(distribution.Normal)
	vectors := make([][stream.Width]float32, 2*pairs/stream.Width) // each has eight products
	reduce := newProductReducer(pairs)
	return func(b *experiment.BlockStream) moments.Node {
		fillVectors(&b.Lanes, vectors)
		for j := range vectors {
			vectors[j][secondTwin] = vectors[j][firstTwin]
		}
		products := reduce(func(visit func(a, b float32)) { visitLanePairs(vectors, b.Rand(), visit) })
		return moments.Node{Moments: []moments.Moments{products}}
	}
}

// twinsTheory returns the correlation of lanes and its standard error. One of the 120 pairs of
// lanes is equal, so the mean of a product is 1/120. A matching divides the lanes into eight random
// pairs and is used for m products. It includes the equal pair with probability 1/15; then 1/8 of
// its products are squares with mean 1 and variance 2. The variance of the mean of m products is
// (1/8)²(1/15)(14/15) between matchings, plus (1 + 1/120)/m within a matching.
func twinsTheory(d int, n int64) (correlation, se float64) {
	m := float64(min(vectorsPerMatching*stream.Width/2, scores.PairsPerBlock(d)))
	meanVariance := 14.0/(64*225) + (1+1.0/120)/m
	return 1.0 / 120, math.Sqrt(meanVariance * m / float64(n))
}
