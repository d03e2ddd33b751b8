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

// Variance measures the moments of q·k over independent pairs.
var Variance = experiment.New(experiment.Experiment{
	Name:      names.ExperimentVariance,
	Axes:      []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, experiment.EstimatorAxis},
	Unit:      names.UnitPair,
	Probeable: true,
	Sampler: &experiment.Sampler{
		BlockUnits: func(c experiment.Cell) int64 { return byEstimator(c, PairUnits, gramPairs)(c) },
		Cost:       func(c experiment.Cell) float64 { return byEstimator(c, pairCost, gramCost)(c) },
		Columns:    func(c experiment.Cell) []experiment.Column { return byEstimator(c, pairColumns, matrixColumns) },
		Open:       func(c experiment.Cell) experiment.BlockFunc { return byEstimator(c, openVariance, openGram)(c) },
		Headline:   names.ScoreVariance,
		RelativeVariance: func(c experiment.Cell) float64 {
			if isGram(c) {
				return gramOf(c).RelativeVariance()
			}
			return 2 + theory.NewScore(c.Distribution(), c.Dimension()).Excess()
		},
	},
	Reader: experiment.Reader{
		Estimates: func(c experiment.Cell, n moments.Node) experiment.CellEstimates {
			return byEstimator(c, VarianceEstimates, gramEstimates)(c, n)
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

// The columns of a node: scores, and the mean of S² over each block of pairs, or over each matrix.
var (
	pairColumns = []experiment.Column{{Name: "score", Order: moments.MaxOrder},
		{Name: "block", Order: experiment.ErrorOrder}}
	matrixColumns = []experiment.Column{{Name: "score", Order: 2}, {Name: "matrix", Order: experiment.ErrorOrder}}
)

// finishVariance adds the line Var(q·k) = d_k.
func finishVariance(sampled experiment.SampledCells, doc *result.Document) error {
	line := experiment.NewCurve(sampled.Cells, experiment.Dimensions(sampled.Cells), names.TheoryExact, names.ScoreVariance,
		result.Params{}, func(d int) float64 { return float64(d) })
	doc.Curves = append(doc.Curves, line)
	return nil
}

// byEstimator is one thing for independent pairs, another for matrices.
func byEstimator[T any](c experiment.Cell, pairs, matrices T) T {
	if isGram(c) {
		return matrices
	}
	return pairs
}

// PairUnits returns how many pairs a block of the cell has.
func PairUnits(c experiment.Cell) int64 { return PairsPerBlock(c.Dimension()) }

func pairCost(c experiment.Cell) float64 { return float64(c.Dimension()) }

// PairsPerBlock keeps a block at about 2¹⁶ components, which outweigh the
// seeding of its lanes and the merging of its sums, but at no more than 256
// pairs, so that a thousand pairs can be shared out. Below d_k = 64 those would
// be too few components, and a block takes 2¹⁴ of them, at most 1024 pairs.
func PairsPerBlock(d int) int64 {
	components, maxPairs := int64(1<<16), int64(256)
	if d < 64 {
		components, maxPairs = 1<<14, 1024
	}
	pairs := components / int64(d) / stream.Width * stream.Width
	return min(max(pairs, stream.Width), maxPairs)
}

// openVariance draws the pairs of a block, sixteen at a time.
func openVariance(c experiment.Cell) experiment.BlockFunc {
	d, pairs := c.Dimension(), kernel.Pairs(c.Distribution())
	scores := make([]float64, PairsPerBlock(d))
	count := countDistribution(c)
	return func(draw *experiment.BlockStream) moments.Node {
		Draw(&draw.Lanes, d, pairs, scores)
		n := ScoreNode(scores, len(scores))
		count(&n, scores, draw.HasNext)
		return n
	}
}

// Draw fills to, of whole groups of sixteen, with the scores of pairs of dimension d.
func Draw(lanes *stream.Lanes, d int, pairs func(*stream.Lanes, int, *[stream.Width]float32), scores []float64) {
	var group [stream.Width]float32
	for ; len(scores) >= stream.Width; scores = scores[stream.Width:] {
		pairs(lanes, d, &group)
		for j, s := range group {
			scores[j] = float64(s)
		}
	}
}

// VarianceEstimates returns the moments of independent scores with their exact errors, the error
// of s² by the sample and by its blocks, and how their distribution stands to the normal and to
// their exact one.
func VarianceEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m, s := n.Moments[0], theory.NewScore(c.Distribution(), c.Dimension())
	errorOfError := s.ErrorOfError(m.N)
	var f experiment.CellEstimates
	mean := c.Estimate(names.ScoreMean, m.N, m.Mean, s.MeanSE(m.N))
	f.AddExact(experiment.WithTheory(mean, 0), math.Sqrt((s.Excess()+2)/float64(m.N))/2, 0)
	exactSE := s.VarianceSE(m.N)
	variance := c.Estimate(names.ScoreVariance, m.N, m.Variance(), exactSE)
	f.AddExact(experiment.WithTheory(variance, s.Variance()), errorOfError, s.VarianceSkew())
	if Varies(s) {
		ownSE := c.Estimate(names.ScoreVarianceSE, m.N, OwnVarianceSE(m), exactSE*errorOfError)
		f.AddDegenerate(experiment.WithTheory(ownSE, exactSE), errorOfError)
		addScatter(&f, c, m.N, n.Moments[1], s.SquareSE(m.N), s.Blocks(float64(m.N)/float64(n.Moments[1].N)))
	}
	skewness := c.Estimate(names.ScoreSkewness, m.N, m.Standardised(3), s.SkewnessSE(m.N))
	f.Add(experiment.WithTheory(skewness, skewnessTheory(c.Distribution())), errorOfError)
	kurtosis := c.Estimate(names.ScoreExcessKurtosis, m.N, m.Standardised(4)-3, s.KurtosisSE(m.N))
	addKurtosis(&f, experiment.WithTheory(kurtosis, s.Excess()), s, errorOfError)
	addNormality(&f, c, n)
	return f
}

// skewnessTheory is 0 for every symmetric distribution with a third moment; student-t
// has none for ν ≤ 3.
func skewnessTheory(l distribution.Distribution) float64 {
	if l.Name() == names.DistributionStudentT && l.Param() <= 3 {
		return math.Inf(1)
	}
	return 0
}

// Varies reports whether S² varies at all: at d = 1 a product of signs does not.
func Varies(s theory.Score) bool { return s.M4-1 > 1e-12 }

// OwnVarianceSE returns the standard error of s² by the sample's own kurtosis.
func OwnVarianceSE(m moments.Moments) float64 {
	n := float64(m.N)
	return m.Variance() * math.Sqrt(max(0, 2/(n-1)+(m.Standardised(4)-3)/n))
}

// addKurtosis gives the kurtosis an interval only where its bias, which is of
// order 1/n, is below a tenth of its standard error.
func addKurtosis(f *experiment.CellEstimates, r result.Estimate, s theory.Score, errorOfError float64) {
	if bias := math.Abs(s.KurtosisBias(r.N)); r.SE.Present() && errorOfError <= experiment.MaxErrorOfError &&
		bias > float64(r.SE)/10 {
		f.AddWithoutInterval(r, fmt.Sprintf("no interval: its bias, about %.2g, is not small against its standard error", bias))
		return
	}
	f.Add(r, errorOfError)
}

// varianceChecks returns the gates on mean, variance and, where its skewness allows, the sample's
// own standard error, which stands for the kurtosis, and the skewness: a sum of 2500 numbers whose
// distribution is exponential has 0.04.
func varianceChecks(c experiment.Cell) []gate.Check {
	checks := []gate.Check{MeanCheck(c, theoryOf(c)), VarianceCheck(c, theoryOf(c))}
	if s := theory.NewScore(c.Distribution(), c.Dimension()); !isGram(c) && s.ErrorSkew() <= maxErrorSkew/c.Tolerance {
		checks = append(checks, ErrorCheck(c, s),
			c.NewCheckWithin(names.GateSkewness, names.ScoreSkewness, 0, min(0.22, 4*c.Tolerance), s.SkewnessSE))
	}
	return checks
}

// MeanCheck wants |mean|/σ within the tolerance.
func MeanCheck(c experiment.Cell, s scoreTheory) gate.Check {
	return c.NewCheckWithin(names.GateZeroMean, names.ScoreMean, 0, c.Tolerance*math.Sqrt(s.Variance()), s.MeanSE)
}

// VarianceCheck wants s²/d_k within the tolerance of 1.
func VarianceCheck(c experiment.Cell, s scoreTheory) gate.Check {
	k := c.NewVarianceCheck(names.GateUnitVariance, names.ScoreVariance, s.Variance(), s.VarianceSkew(), s.VarianceSE)
	k.SingleProductTail = s.VarianceSingle
	return k
}

// errorTolerance returns how far the sample's own standard error of s² may be from the exact one,
// five times as far as the variance: at 5 % a nominal 95 % interval covers 94 to 96 %, and the
// kurtosis is known to 0.2. At most it is a quarter, with 86 to 98 %.
func errorTolerance(c experiment.Cell) float64 { return min(0.25, 5*c.Tolerance) }

// maxErrorSkew over the tolerance is the ErrorSkew above which no gate is put
// on the sample's own standard error. It averages fourth powers of scores,
// whose skewness asks for (ErrorSkew·z³/(6·0.3))² pairs before its limits hold;
// up to here that is about what the gate on the variance asks for by itself,
// (2+γ₂)(z+z_β)²/τ², at rates of 10⁻⁶ and some hundred gates. Scores that are
// nearly normal have an ErrorSkew of 7.
const maxErrorSkew = 0.12

// ErrorCheck holds the sample's own standard error of s² against the exact one.
func ErrorCheck(c experiment.Cell, s theory.Score) gate.Check {
	k := c.NewCheck(names.GateStandardError, names.ScoreVarianceSE)
	k.Tolerance = errorTolerance(c)
	k.Skew, k.EdgeSERatio = s.ErrorSkew(), gate.EdgeOfVariance(k.Tolerance)
	k.SingleProductTail = func(n int64, rise float64) float64 { return s.ErrorSingle(n, rise/s.VarianceSE(n)) }
	k.Expected = func(n int64) (float64, float64, [2]float64) {
		se := s.VarianceSE(n)
		return se, se * s.ErrorOfError(n), gate.BandAround(se, k.Tolerance*se)
	}
	return k
}
