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
	mistakenCut         = 3    // where the normal distribution is cut, in σ
	stuckLane           = 5
	firstTwin           = 3
	secondTwin          = 7
)

// Moments of the standard normal distribution truncated at ±3, from mpmath 1.2.1: the variance, and
// κ, m6 and m8 after rescaling to variance 1.
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
			return newScoreBlock(d, pairs, func(s *stream.Lanes, d int, out *[stream.Width]float32) {
				samplePairs(s, d, out)
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
		Blind:    "the variance: it grows by the factor 1 + 0.02² alone",
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
			scale := float64(d) * cutVariance * cutVariance
			return scale, scale * math.Sqrt(2/float64(n-1)+excess/float64(n))
		},
	},
	{
		Name: "truncated-3-rescaled", Gate: names.GateComponentKurtosis,
		Blind:    "mean and variance of q·k at every d_k: they depend on the components' mean and variance alone",
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
		Blind: "mean and variance of q·k at every d_k: each lane alone is as it should be, and only the true " +
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

// newScoreBlock returns a function that samples one block of scores, sixteen at a time, and
// returns their moments.
func newScoreBlock(d, pairs int, samplePairs func(*stream.Lanes, int, *[stream.Width]float32)) experiment.BlockFunc {
	values := make([]float64, pairs)
	return func(block *experiment.BlockStream) moments.Node {
		scores.SampleScores(&block.Lanes, d, samplePairs, values)
		return moments.Node{Moments: []moments.Moments{moments.New(values, 4)}}
	}
}

// openProducts samples scores of queries and keys, whose components alternate in the vectors that
// fill samples. key computes a component of the key from that of the query and the sampled number
// z.
func openProducts(
	d, pairs int, fill func(*stream.Lanes, [][stream.Width]float32), key func(q, z float64) float64,
) experiment.BlockFunc {
	vectors := make([][stream.Width]float32, 2*d)
	return newScoreBlock(d, pairs, func(s *stream.Lanes, _ int, out *[stream.Width]float32) {
		fill(s, vectors)
		for lane := range out {
			var sum float64
			for i := 0; i < len(vectors); i += 2 {
				q, z := float64(vectors[i][lane]), float64(vectors[i+1][lane])
				sum += float64(q * key(q, z))
			}
			out[lane] = float32(sum)
		}
	})
}

// openCorrelated samples keys that are correlated with their queries.
func openCorrelated(d, pairs int) experiment.BlockFunc {
	const rho = mistakenCorrelation
	noiseFactor := math.Sqrt(1 - rho*rho)
	key := func(q, z float64) float64 { return float64(rho*q) + float64(noiseFactor*z) }
	return openProducts(d, pairs, kernel.Vectors(distribution.Normal), key)
}

// newCutSampler returns a function that fills each lane of dst with normal components within ±3.
// It skips components outside and takes the next of the lane.
func newCutSampler() func(s *stream.Lanes, dst [][stream.Width]float32) {
	fill, candidates := kernel.Vectors(distribution.Normal), make([][stream.Width]float32, 64)
	return func(s *stream.Lanes, dst [][stream.Width]float32) {
		var filled [stream.Width]int
		for slices.Min(filled[:]) < len(dst) {
			fill(s, candidates)
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

// openTruncated samples pairs of truncated components.
func openTruncated(d, pairs int) experiment.BlockFunc {
	return openProducts(d, pairs, newCutSampler(), func(_, z float64) float64 { return z })
}

// openRescaled returns the moments of truncated and rescaled components instead of scores, one
// component for each pair of the block.
func openRescaled(_, pairs int) experiment.BlockFunc {
	sampleCut, scale := newCutSampler(), 1/math.Sqrt(cutVariance)
	vectors := make([][stream.Width]float32, pairs/stream.Width)
	x := make([]float64, 0, pairs)
	return func(d *experiment.BlockStream) moments.Node {
		sampleCut(&d.Lanes, vectors)
		x = flatten(x, vectors)
		for i := range x {
			x[i] *= scale
		}
		return moments.Node{Moments: []moments.Moments{moments.New(x, 4)}}
	}
}

// openStuck samples pairs, in which the score of one lane is d_k times its first product.
func openStuck(d, pairs int) experiment.BlockFunc {
	samplePairs := kernel.Pairs(distribution.Normal)
	firstProducts := new([stream.Width]float32)
	return newScoreBlock(d, pairs, func(s *stream.Lanes, d int, out *[stream.Width]float32) {
		samplePairs(s, d, out)
		samplePairs(s, 1, firstProducts)
		out[stuckLane] = float32(d) * firstProducts[stuckLane]
	})
}

// stuckTheory returns the variance of the score and its standard error. Fifteen lanes have Var S =
// d and Var S² = d²(2 + 6/d); the stuck one has S = d·q_1k_1 with Var S = d² and Var S² = 8d⁴.
func stuckTheory(d int, n int64) (float64, float64) {
	x := float64(d)
	soundSquare, stuckSquare := float64(x*x)*(2+6/x), float64(8*float64(x*x)*float64(x*x))
	variance := (float64(15*x) + float64(x*x)) / stream.Width
	return variance, math.Sqrt((float64(15*soundSquare) + stuckSquare) / stream.Width / float64(n))
}

// openTwins samples components of which two lanes are equal, and takes the products of the
// experiment health on randomly matched lanes.
func openTwins(_, pairs int) experiment.BlockFunc {
	fill := kernel.Vectors(distribution.Normal)
	vectors := make([][stream.Width]float32, 2*pairs/stream.Width) // each has eight products
	reduce := newProductReducer(pairs)
	return func(d *experiment.BlockStream) moments.Node {
		fill(&d.Lanes, vectors)
		for j := range vectors {
			vectors[j][secondTwin] = vectors[j][firstTwin]
		}
		matched := reduce(func(visit func(a, b float32)) { visitLanePairs(vectors, d.Rand(), visit) })
		return moments.Node{Moments: []moments.Moments{matched}}
	}
}

// twinsTheory returns the correlation of lanes and its standard error. One of the 120 pairs of
// lanes is equal, so products have the mean 1/120. A matching includes the equal pair with
// probability 1/15. Then 1/8 of its m products are squares of mean 1 and variance 2: the variance
// of their mean is (1/8)²(1/15)(14/15) between matchings and (1 + 1/120)/m within them.
func twinsTheory(d int, n int64) (float64, float64) {
	m := float64(min(vectorsPerMatching*stream.Width/2, scores.PairsPerBlock(d)))
	meanVariance := 14.0/(64*225) + (1+1.0/120)/m
	return 1.0 / 120, math.Sqrt(meanVariance * m / float64(n))
}
