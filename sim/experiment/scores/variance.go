package scores

import (
	"fmt"
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Variance measures the moments of q·k.
var Variance = experiment.New(experiment.Experiment{
	Name:      names.ExperimentVariance,
	Axes:      []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, experiment.EstimatorAxis},
	Unit:      names.UnitPair,
	Probeable: true,
	Sampler: &experiment.Sampler{
		BlockUnits: func(c experiment.Cell) int64 { return selectByEstimator(c, PairUnits, gramPairs)(c) },
		Cost:       func(c experiment.Cell) float64 { return selectByEstimator(c, pairCost, gramCost)(c) },
		Columns: func(c experiment.Cell) []experiment.Column {
			return selectByEstimator(c, pairColumns, matrixColumns)(c)
		},
		Shape: func(c experiment.Cell) experiment.Shape {
			unknown := func(experiment.Cell) experiment.Shape { return experiment.Shape{} }
			return selectByEstimator(c, pairShape, unknown)(c)
		},
		Open: func(c experiment.Cell) experiment.BlockFunc {
			return selectByEstimator(c, openVariance, openGram)(c)
		},
		Headline: names.ScoreVariance,
		RelativeVariance: func(c experiment.Cell) float64 {
			if isGram(c) {
				return newGramTheory(c).RelativeVariance()
			}
			return 2 + theory.NewScore(c.Distribution(), c.Dimension()).Excess()
		},
	},
	Reader: experiment.Reader{
		Estimates: func(c experiment.Cell, n moments.Node) experiment.CellEstimates {
			return selectByEstimator(c, VarianceEstimates, gramEstimates)(c, n)
		},
		Finish: finishVariance,
	},
	Judge: experiment.Judge{
		Refuse: func(c experiment.Cell, gated bool) error {
			if err := refuseGram(c); err != nil {
				return err
			}
			return experiment.RefuseGate(c, gated)
		},
		Checks: varianceChecks,
	},
})

// The columns of a node: the scores S, and the mean of S² over each block of pairs or each matrix.
func pairColumns(experiment.Cell) []experiment.Column {
	return []experiment.Column{{Name: "score", Order: moments.MaxOrder},
		{Name: "block", Order: experiment.ErrorOrder, PerBlock: 1}}
}

func matrixColumns(c experiment.Cell) []experiment.Column {
	return []experiment.Column{{Name: "score", Order: 2},
		{Name: "matrix", Order: experiment.ErrorOrder, PerBlock: gramMatrices(c)}}
}

// finishVariance adds the curve Var(q·k) = d_k.
func finishVariance(sampled experiment.SampledCells, doc *result.Document) error {
	curve := experiment.NewCurve(sampled.Cells, experiment.Dimensions(sampled.Cells), names.TheoryExact,
		names.ScoreVariance, result.Params{}, func(d int) float64 { return float64(d) })
	doc.Curves = append(doc.Curves, curve)
	return nil
}

// selectByEstimator returns pairs or matrices, depending on the estimator of the cell.
func selectByEstimator[T any](c experiment.Cell, pairs, matrices T) T {
	if isGram(c) {
		return matrices
	}
	return pairs
}

// PairUnits returns the number of pairs of a block of a cell with the direct estimator.
func PairUnits(c experiment.Cell) int64 { return PairsPerBlock(c.Dimension()) }

func pairCost(c experiment.Cell) float64 { return float64(c.Dimension()) }

// PairsPerBlock returns the number of pairs of a block at d_k = d. For d ≥ 64 a block has about 2¹⁶
// components and at most 256 pairs. For smaller d it has about 2¹⁴ components and at most 1024
// pairs. These numbers of components are so large that seeding the lanes and merging the sums cost
// little. The limits of the pairs allow several workers to share a few thousand pairs.
func PairsPerBlock(d int) int64 {
	components, maxPairs := int64(1<<16), int64(256)
	if d < 64 {
		components, maxPairs = 1<<14, 1024
	}
	pairs := components / int64(d) / stream.Width * stream.Width
	return min(max(pairs, stream.Width), maxPairs)
}

// openVariance returns the function that samples the pairs of a block, sixteen at a time.
func openVariance(c experiment.Cell) experiment.BlockFunc {
	d, samplePairs := c.Dimension(), kernel.Pairs(c.Distribution())
	scores := make([]float64, PairsPerBlock(d))
	addCounts := newScoreCounter(c)
	return func(b *experiment.BlockStream) moments.Node {
		SampleScores(&b.Lanes, d, samplePairs, scores)
		n := ScoreNode(scores, len(scores))
		addCounts(&n, scores, b.HasNext)
		return n
	}
}

// SampleScores fills scores with the products q·k of pairs of dimension d. The length of scores
// must be a multiple of sixteen. samplePairs is a result of [kernel.Pairs].
func SampleScores(lanes *stream.Lanes, d int, samplePairs func(*stream.Lanes, int, *[stream.Width]float32),
	scores []float64) {
	var group [stream.Width]float32
	for ; len(scores) >= stream.Width; scores = scores[stream.Width:] {
		samplePairs(lanes, d, &group)
		for j, s := range group {
			scores[j] = float64(s)
		}
	}
}

// VarianceEstimates returns the moments of independent scores with exact standard errors, the
// standard error of the variance s² from the sample and from the scatter of blocks, and the
// comparisons of the scores' distribution with the normal and with the exact distribution.
func VarianceEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m, s := n.Moments[0], theory.NewScore(c.Distribution(), c.Dimension())
	errorOfError, blocks := s.ErrorOfError(m.N), n.Moments[1]
	var f experiment.CellEstimates
	mean := c.Estimate(names.ScoreMean, m.N, m.Mean, s.MeanSE(m.N))
	errorOfMeanError := math.Sqrt((s.Excess()+2)/float64(m.N)) / 2 // see [experiment.ErrorOfMeanError]
	f.AddExact(experiment.WithTheory(mean, 0), errorOfMeanError, 0)
	exactSE := s.VarianceSE(m.N)
	variance := c.Estimate(names.ScoreVariance, m.N, m.Variance(), exactSE)
	f.AddExact(experiment.WithTheory(variance, s.Variance()), errorOfError, s.VarianceSkew())
	if SquareVaries(s) {
		ownSE := c.Estimate(names.ScoreVarianceSE, m.N, OwnVarianceSE(m), exactSE*errorOfError)
		f.AddDegenerate(experiment.WithTheory(ownSE, exactSE), errorOfError)
		scoresPerBlock := float64(m.N) / float64(blocks.N)
		addScatter(&f, c, m.N, blocks, s.SquareSE(m.N), s.BlockCumulants(scoresPerBlock))
	}
	skewness := c.Estimate(names.ScoreSkewness, m.N, m.Standardised(3), s.SkewnessSE(m.N))
	f.Add(experiment.WithTheory(skewness, skewnessTheory(c.Distribution())), errorOfError)
	kurtosis := c.Estimate(names.ScoreExcessKurtosis, m.N, m.Standardised(4)-3, s.KurtosisSE(m.N))
	addKurtosis(&f, experiment.WithTheory(kurtosis, s.Excess()), s, errorOfError)
	addNormality(&f, c, n)
	return f
}

// skewnessTheory returns 0, since all distributions are symmetric, or infinity if the third moment
// does not exist (student-t with ν ≤ 3).
func skewnessTheory(dist distribution.Distribution) float64 {
	if dist.Name() == names.DistributionStudentT && dist.Param() <= 3 {
		return math.Inf(1)
	}
	return 0
}

// SquareVaries reports whether the square of a score varies. It is constant if a score is the
// product of two signs.
func SquareVaries(s theory.Score) bool { return s.M4-1 > 1e-12 }

// OwnVarianceSE returns the standard error of s² from the kurtosis of the sample.
func OwnVarianceSE(m moments.Moments) float64 {
	n := float64(m.N)
	return m.Variance() * math.Sqrt(max(0, 2/(n-1)+(m.Standardised(4)-3)/n))
}

// addKurtosis adds the excess kurtosis r. It has an interval only if its bias, which is of order
// 1/n, is at most a tenth of its standard error.
func addKurtosis(f *experiment.CellEstimates, r result.Estimate, s theory.Score, errorOfError float64) {
	bias := math.Abs(s.KurtosisBias(r.N))
	hasKnownError := r.SE.Present() && errorOfError <= experiment.MaxErrorOfError
	if hasKnownError && bias > float64(r.SE)/10 {
		f.AddWithoutInterval(r, fmt.Sprintf("no interval: its bias, about %.2g, is not small against its "+
			"standard error", bias))
		return
	}
	f.Add(r, errorOfError)
}

// maxSkewnessTolerance limits the tolerance 4τ of the gate on the skewness, where τ is the
// tolerance of the cell. For τ = 1 % the tolerance is 0.04, the skewness of a sum of 2500
// exponential numbers. It reaches the limit at τ = 5.5 %.
const maxSkewnessTolerance = 0.22

// varianceChecks returns the gates on the mean and the variance. If the skewness of fourth powers
// of the scores is small enough, there are also gates on the skewness and on the standard error of
// the variance from the sample. The latter tests the kurtosis.
func varianceChecks(c experiment.Cell) []gate.Check {
	checks := []gate.Check{NewMeanCheck(c, newTheory(c)), NewVarianceCheck(c, newTheory(c))}
	s := theory.NewScore(c.Distribution(), c.Dimension())
	isTooSkewed := !(s.VarianceSESkew() <= maxSESkew/c.Tolerance) // also if it is NaN, since a moment is infinite
	if isGram(c) || isTooSkewed {
		return checks
	}
	skewnessTolerance := min(maxSkewnessTolerance, 4*c.Tolerance)
	return append(checks, NewErrorCheck(c, s),
		c.NewCheckWithin(names.GateSkewness, names.ScoreSkewness, 0, skewnessTolerance, s.SkewnessSE))
}

// NewMeanCheck returns the gate that requires |mean|/σ ≤ tolerance.
func NewMeanCheck(c experiment.Cell, s scoreTheory) gate.Check {
	return c.NewCheckWithin(names.GateZeroMean, names.ScoreMean, 0, c.Tolerance*math.Sqrt(s.Variance()), s.MeanSE)
}

// NewVarianceCheck returns the gate that requires |s²/d_k − 1| ≤ tolerance.
func NewVarianceCheck(c experiment.Cell, s scoreTheory) gate.Check {
	check := c.NewVarianceCheck(names.GateUnitVariance, names.ScoreVariance, s.Variance(), s.VarianceSkew(),
		s.VarianceSE)
	check.SingleProductTail = s.VarianceSingleProductTail
	return check
}

// errorTolerance returns the relative tolerance of the standard error of s² from the sample: five
// times the tolerance of the variance, but at most a quarter. If the standard error is within 5 %,
// a nominal 95 % interval covers 94 % to 96 %, and the kurtosis is known to 0.2. If it is within a
// quarter, the interval covers 86 % to 98 %.
func errorTolerance(c experiment.Cell) float64 { return min(0.25, 5*c.Tolerance) }

// maxSESkew/τ is the largest VarianceSESkew with which the standard error of s² from the sample has
// a gate, where τ is the tolerance of the cell. This standard error averages fourth powers of
// scores, whose skewness slows the convergence to a normal distribution. Its gate requires
// (VarianceSESkew·z³/(6·0.3))² pairs, where z is the quantile of the error rates, and 0.3 the
// largest relative error of the normal tail ([gate.NormalError]) at a tolerance of 5 %. At the
// limit this is about as many pairs as the gate on the variance requires, (2+γ₂)(z+z_β)²/τ², at
// rates of 10⁻⁶ and some hundred gates. Nearly normal scores have a VarianceSESkew of 7.
const maxSESkew = 0.12

// NewErrorCheck returns the gate that requires the standard error of s² from the sample within its
// relative tolerance of the exact standard error.
func NewErrorCheck(c experiment.Cell, s theory.Score) gate.Check {
	check := c.NewCheck(names.GateStandardError, names.ScoreVarianceSE)
	check.Tolerance = errorTolerance(c)
	check.Skew, check.EdgeSERatio = s.VarianceSESkew(), gate.VarianceEdgeSERatio(check.Tolerance)
	check.SingleProductTail = func(n int64, rise float64) float64 {
		return s.SESingleProductTail(n, rise/s.VarianceSE(n))
	}
	check.Expected = func(n int64) (float64, float64, [2]float64) {
		se := s.VarianceSE(n)
		return se, se * s.ErrorOfError(n), gate.BandAround(se, check.Tolerance*se)
	}
	return check
}
