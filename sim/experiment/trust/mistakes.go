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

// The mistakes of the controls, and what each makes of the gated quantity.
const (
	mistakenScale       = 1.01 // standard deviation of q
	mistakenCorrelation = 0.02 // of q_i and k_i
	mistakenCut         = 3    // where the normal distribution is cut, in σ
	stuckLane           = 5
	firstTwin           = 3
	secondTwin          = 7
)

// Moments of the standard normal cut at ±3, from mpmath 1.2.1: the variance
// before, and κ, m6, m8 after rescaling to variance 1.
const (
	cutVariance = 0.97333692466254147659
	cutKurtosis = 2.8288855636022559626
	cutM6       = 12.189791544836104026
	cutM8       = 66.009650062454909773
)

var controlTable = []Control{
	{
		Name: names.ControlScale, Gate: names.GateUnitVariance,
		Blind:    "the mean, and every correlation: a scale moves neither",
		quantity: names.ScoreVariance, order: 4, value: varianceOf, honest: honestVariance,
		open: func(d, pairs int) experiment.BlockFunc {
			draw := kernel.Pairs(distribution.Normal)
			return scoreBlock(d, pairs, func(s *stream.Lanes, d int, out *[stream.Width]float32) {
				draw(s, d, out)
				for i := range out {
					out[i] *= mistakenScale
				}
			})
		},
		mistaken: func(d int, n int64) (float64, float64) {
			s := normalScore(d)
			return s.Variance() * mistakenScale * mistakenScale, s.VarianceSE(n) * mistakenScale * mistakenScale
		},
	},
	{
		Name: "correlated-0.02", Gate: names.GateZeroMean,
		Blind:    "the variance: it grows by the factor 1 + 0.02² alone",
		quantity: names.ScoreMean, order: 4, value: meanOf, honest: honestMean,
		open: openCorrelated,
		mistaken: func(d int, n int64) (float64, float64) {
			const rho = mistakenCorrelation
			return rho * float64(d), math.Sqrt(float64(d) * (1 + rho*rho) / float64(n))
		},
	},
	{
		Name: "truncated-3", Gate: names.GateUnitVariance,
		Blind:    "the mean: the distribution stays symmetric",
		quantity: names.ScoreVariance, order: 4, value: varianceOf, honest: honestVariance,
		open: openTruncated,
		mistaken: func(d int, n int64) (float64, float64) {
			excess := (cutKurtosis*cutKurtosis - 3) / float64(d)
			scale := float64(d) * cutVariance * cutVariance
			return scale, scale * math.Sqrt(2/float64(n-1)+excess/float64(n))
		},
	},
	{
		Name: "truncated-3-rescaled", Gate: names.GateComponentKurtosis,
		Blind:    "mean and variance of q·k at every d_k: they depend on the components' mean and variance alone",
		quantity: names.ComponentKurtosis, order: 4, value: kurtosisOf, honest: honestHealth(names.ComponentKurtosis),
		open: openRescaled,
		mistaken: func(_ int, n int64) (float64, float64) {
			return cutKurtosis, componentOf(cutKurtosis, cutM6, cutM8).KurtosisSE(n)
		},
	},
	{
		Name: "lane-stuck", Gate: names.GateUnitVariance,
		Blind:    "every gate at d_k = 1, where nothing is repeated; the mean at every d_k",
		quantity: names.ScoreVariance, order: 4, value: varianceOf, honest: honestVariance,
		open:     openStuck,
		mistaken: stuckAt,
	},
	{
		Name: names.ControlTwins, Gate: names.GateLanes,
		Blind: "mean and variance of q·k at every d_k: each lane alone is as it should be, and only the true " +
			"error is larger than the stated one",
		quantity: names.LaneCorrelation, order: 2, value: meanOf, honest: honestHealth(names.LaneCorrelation),
		open:     openTwins,
		mistaken: twinsAt,
	},
	{
		Name: "exponent-0.49", Gate: names.GateUnitVariance,
		Blind:    "every gate at d_k = 1, where all powers agree; the mean at every d_k",
		quantity: names.ScaledVariance, params: result.Params{names.ParamExponent: scaledExponent}, order: 4,
		value: scaledOf, honest: honestScaled,
		open: func(d, pairs int) experiment.BlockFunc {
			return scoreBlock(d, pairs, kernel.Pairs(distribution.Normal))
		},
		mistaken: func(d int, n int64) (float64, float64) {
			s := normalScore(d)
			return scores.ScaledTheory(s.Variance(), scaledExponent),
				s.VarianceSE(n) / elementary.Pow(s.Variance(), 2*scaledExponent)
		},
	},
}

// scoreBlock reduces the scores of pairs, which are drawn sixteen at a time.
func scoreBlock(d, pairs int, draw func(*stream.Lanes, int, *[stream.Width]float32)) experiment.BlockFunc {
	drawn := make([]float64, pairs)
	return func(from *experiment.BlockStream) moments.Node {
		scores.SampleScores(&from.Lanes, d, draw, drawn)
		return moments.Node{Moments: []moments.Moments{moments.New(drawn, 4)}}
	}
}

// openProducts draws queries and keys that alternate in what fill draws, each key made of its
// query and of what was drawn for it.
func openProducts(
	d, pairs int, fill func(*stream.Lanes, [][stream.Width]float32), key func(q, z float64) float64,
) experiment.BlockFunc {
	draws := make([][stream.Width]float32, 2*d)
	return scoreBlock(d, pairs, func(s *stream.Lanes, _ int, out *[stream.Width]float32) {
		fill(s, draws)
		for lane := range out {
			var sum float64
			for i := 0; i < len(draws); i += 2 {
				q, z := float64(draws[i][lane]), float64(draws[i+1][lane])
				sum += float64(q * key(q, z))
			}
			out[lane] = float32(sum)
		}
	})
}

// openCorrelated draws keys that are correlated with their queries.
func openCorrelated(d, pairs int) experiment.BlockFunc {
	const rho = mistakenCorrelation
	rest := math.Sqrt(1 - rho*rho)
	key := func(q, z float64) float64 { return float64(rho*q) + float64(rest*z) }
	return openProducts(d, pairs, kernel.Vectors(distribution.Normal), key)
}

// cutNormal returns what fills each lane of dst with normal components within ±3: those
// beyond are passed over and the lane's next taken.
func cutNormal() func(s *stream.Lanes, dst [][stream.Width]float32) {
	fill, draws := kernel.Vectors(distribution.Normal), make([][stream.Width]float32, 64)
	return func(s *stream.Lanes, dst [][stream.Width]float32) {
		var have [stream.Width]int
		for slices.Min(have[:]) < len(dst) {
			fill(s, draws)
			for lane := range have {
				for j := 0; j < len(draws) && have[lane] < len(dst); j++ {
					if x := draws[j][lane]; x >= -mistakenCut && x <= mistakenCut {
						dst[have[lane]][lane] = x
						have[lane]++
					}
				}
			}
		}
	}
}

// openTruncated draws pairs of cut components.
func openTruncated(d, pairs int) experiment.BlockFunc {
	return openProducts(d, pairs, cutNormal(), func(_, z float64) float64 { return z })
}

// openRescaled reduces components, not scores: as many as the block has pairs.
func openRescaled(_, pairs int) experiment.BlockFunc {
	cut, scale := cutNormal(), 1/math.Sqrt(cutVariance)
	draws := make([][stream.Width]float32, pairs/stream.Width)
	x := make([]float64, 0, pairs)
	return func(d *experiment.BlockStream) moments.Node {
		cut(&d.Lanes, draws)
		x = flattened(x, draws)
		for i := range x {
			x[i] *= scale
		}
		return moments.Node{Moments: []moments.Moments{moments.New(x, 4)}}
	}
}

// openStuck draws pairs, of which one lane has d_k times the first product as its score.
func openStuck(d, pairs int) experiment.BlockFunc {
	draw := kernel.Pairs(distribution.Normal)
	single := new([stream.Width]float32)
	return scoreBlock(d, pairs, func(s *stream.Lanes, d int, out *[stream.Width]float32) {
		draw(s, d, out)
		draw(s, 1, single)
		out[stuckLane] = float32(d) * single[stuckLane]
	})
}

// stuckAt: fifteen lanes have Var S = d and Var S² = d²(2 + 6/d), the stuck
// one has S = d·q_1k_1 with Var S = d² and Var S² = 8d⁴.
func stuckAt(d int, n int64) (float64, float64) {
	x := float64(d)
	sound, stuck := float64(x*x)*(2+6/x), float64(8*float64(x*x)*float64(x*x))
	variance := (float64(15*x) + float64(x*x)) / stream.Width
	return variance, math.Sqrt((float64(15*sound) + stuck) / stream.Width / float64(n))
}

// openTwins draws components, of which two lanes have the same, and takes the products
// that health matches at random.
func openTwins(_, pairs int) experiment.BlockFunc {
	fill := kernel.Vectors(distribution.Normal)
	draws := make([][stream.Width]float32, 2*pairs/stream.Width) // eight products each
	reduce := productReducer(pairs)
	return func(d *experiment.BlockStream) moments.Node {
		fill(&d.Lanes, draws)
		for j := range draws {
			draws[j][secondTwin] = draws[j][firstTwin]
		}
		matched := reduce(func(emit func(a, b float32)) { lanePairs(draws, d.Rand(), emit) })
		return moments.Node{Moments: []moments.Moments{matched}}
	}
}

// twinsAt: of the 120 pairs of lanes one is equal, so products have the mean
// 1/120. A matching meets the equal pair with chance 1/15, which makes 1/8 of
// its m products squares of mean 1 and variance 2: the variance of their mean
// is (1/8)²(1/15)(14/15) between matchings and (1 + 1/120)/m within them.
func twinsAt(d int, n int64) (float64, float64) {
	m := float64(min(matchedDraws*stream.Width/2, scores.PairsPerBlock(d)))
	each := 14.0/(64*225) + (1+1.0/120)/m
	return 1.0 / 120, math.Sqrt(each * m / float64(n))
}
