package related

import (
	"errors"
	"maps"
	"math"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Mismatch measures the mean and the variance of q·k for components that do not have mean 0 and
// variance 1, or that are not independent. Then Var(q·k) is not d_k, and a division by √d_k does
// not give variance 1. The components of a query are
//
//	q_i = μ_q + σ_q(√r_q g + √(1−r_q) a_i),
//
// where g and all a_i are independent numbers of the cell's distribution. Any two components then
// have the correlation r_q. The components of a key have the same form with μ_k, σ_k and r_k.
var Mismatch = experiment.New(experiment.Experiment{
	Name: names.ExperimentMismatch,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, QuerySDAxis, keySDAxis,
		queryMeanAxis, KeyMeanAxis, QueryCorrelationAxis, keyCorrelationAxis},
	Unit: names.UnitPair,
	Sampler: &experiment.Sampler{
		BlockUnits: scores.PairUnits,
		Cost:       func(c experiment.Cell) float64 { return float64(2 * c.Dimension()) },
		Columns: func(experiment.Cell) []experiment.Column {
			return []experiment.Column{{Name: "score", Order: 2}, {Name: "difference", Order: experiment.ErrorOrder}}
		},
		Open:             openMismatch,
		Headline:         names.ScoreVariance,
		Pilot:            experiment.NewPilot(mismatchPilotPairs),
		RelativeVariance: func(c experiment.Cell) float64 { return cellMismatch(c).Moments(c.Distribution()).M4 - 1 },
	},
	Reader: experiment.Reader{Estimates: mismatchEstimates, Finish: finishMismatch},
	Judge: experiment.Judge{
		Refuse: refuseMismatch,
		Checks: func(c experiment.Cell) []gate.Check {
			return newMomentChecks(c, cellMismatch(c).Moments(c.Distribution()))
		},
	},
})

// Limits of standard deviations, and of the absolute values of means.
const minSD, maxSD, maxMean = 1e-3, 1e3, 1e3

// The axes of the mean, the standard deviation and the correlation of the components of q and k.
// Other packages use the exported axes.
var (
	QuerySDAxis          = experiment.NumberAxis(names.ParamQuerySD, minSD, maxSD, "1").OmitDefault()
	keySDAxis            = experiment.NumberAxis(names.ParamKeySD, minSD, maxSD, "1").OmitDefault()
	queryMeanAxis        = experiment.NumberAxis(names.ParamQueryMean, -maxMean, maxMean, "0").OmitDefault()
	KeyMeanAxis          = experiment.NumberAxis(names.ParamKeyMean, -maxMean, maxMean, "0").OmitDefault()
	QueryCorrelationAxis = experiment.NumberAxis(names.ParamQueryCorrelation, 0, 1, "0").OmitDefault()
	keyCorrelationAxis   = experiment.NumberAxis(names.ParamKeyCorrelation, 0, 1, "0").OmitDefault()
)

// cellMismatch returns the parameters of the components of the cell's queries and keys.
func cellMismatch(c experiment.Cell) theory.Mismatch {
	newComponents := func(mean, sd, correlation experiment.Axis) theory.Components {
		return theory.Components{Mean: c.Value(mean.Name).Number, SD: c.Value(sd.Name).Number,
			Correlation: c.Value(correlation.Name).Number}
	}
	return theory.Mismatch{D: c.Dimension(), Q: newComponents(queryMeanAxis, QuerySDAxis, QueryCorrelationAxis),
		K: newComponents(KeyMeanAxis, keySDAxis, keyCorrelationAxis)}
}

// refuseMismatch refuses distributions without independent components. It also refuses gates on
// distributions with power-law tails, for which the limits on single products are not enough: the
// common part g of a vector changes a score by far more than a single product.
func refuseMismatch(c experiment.Cell, gated bool) error {
	if !c.Distribution().HasIndependentComponents() {
		return errors.New("the components of the sphere depend on each other; take another distribution")
	}
	return experiment.RefusePowerTail(c, gated)
}

// openMismatch returns the function that samples the pairs of a block. For each pair it samples a
// second key, whose score is used only in the difference from the first: half of the squared
// difference estimates the variance over the keys of one query, which determines the softmax.
func openMismatch(c experiment.Cell) experiment.BlockFunc {
	newVector := func() [][kernel.Width]float32 { return make([][kernel.Width]float32, c.Dimension()) }
	sampler := &scoreSampler{Mismatch: cellMismatch(c), sampleVectors: kernel.Vectors(c.Distribution()),
		ones: kernel.Ones(c.Dimension()), a: newVector(), b: newVector()}
	n := int(scores.PairUnits(c))
	firstScores, halfSquares := make([]float64, n), make([]float64, n)
	return func(b *experiment.BlockStream) moments.Node {
		for i := 0; i < n; i += kernel.Width {
			sampler.sample(&b.Lanes, firstScores[i:i+kernel.Width], halfSquares[i:i+kernel.Width])
		}
		return moments.Node{Moments: []moments.Moments{moments.New(firstScores, 2),
			moments.New(halfSquares, experiment.ErrorOrder)}}
	}
}

// scoreSampler computes scores from sums over components. With q_i = u + s·a_i and k_i = v + t·b_i,
// where u and v are the shifts of the query and the key, the score is
// d·uv + s·v·Σa + u·t·Σb + s·t·Σab.
type scoreSampler struct {
	theory.Mismatch
	sampleVectors func(*stream.Lanes, [][kernel.Width]float32)
	ones, a, b    [][kernel.Width]float32
	common        [1][kernel.Width]float32 // g
}

// sampleShifts returns the shifts μ + σ√r·g of sixteen vectors, for which it samples g.
func (m *scoreSampler) sampleShifts(lanes *stream.Lanes, components theory.Components) (shifts [kernel.Width]float64) {
	if components.Correlation > 0 {
		m.sampleVectors(lanes, m.common[:])
	}
	scale := float64(components.SD * math.Sqrt(components.Correlation))
	for lane := range shifts {
		shifts[lane] = components.Mean
		if components.Correlation > 0 {
			shifts[lane] += float64(scale * float64(m.common[0][lane]))
		}
	}
	return shifts
}

// sample samples sixteen queries with two keys each. It writes the scores of the first keys, and
// half of the squared differences between the scores of both keys.
func (m *scoreSampler) sample(lanes *stream.Lanes, firstScores, halfSquares []float64) {
	var sumA [1][kernel.Width]float32
	m.sampleVectors(lanes, m.a)
	u := m.sampleShifts(lanes, m.Q)
	kernel.Dots(m.a, m.ones, sumA[:])
	m.sampleScores(lanes, &u, &sumA[0], firstScores)
	secondScores := halfSquares // overwritten below
	m.sampleScores(lanes, &u, &sumA[0], secondScores)
	for lane, s := range firstScores {
		difference := s - secondScores[lane]
		halfSquares[lane] = float64(difference*difference) / 2
	}
}

// sampleScores samples a key for each query and writes the scores. u has the shifts of the queries.
func (m *scoreSampler) sampleScores(lanes *stream.Lanes, u *[kernel.Width]float64, sumA *[kernel.Width]float32,
	dst []float64) {
	var sumB, sumAB [1][kernel.Width]float32
	m.sampleVectors(lanes, m.b)
	v := m.sampleShifts(lanes, m.K)
	kernel.Dots(m.b, m.ones, sumB[:])
	kernel.Dots(m.a, m.b, sumAB[:])
	d := float64(m.D)
	s, t := float64(m.Q.SD*math.Sqrt(1-m.Q.Correlation)), float64(m.K.SD*math.Sqrt(1-m.K.Correlation))
	for lane := range dst {
		dst[lane] = float64(float64(d*u[lane])*v[lane]) + float64(float64(s*v[lane])*float64(sumA[lane])) +
			float64(float64(t*u[lane])*float64(sumB[0][lane])) + float64(float64(s*t)*float64(sumAB[0][lane]))
	}
}

// mismatchEstimates returns the mean and the variance of the scores with exact standard errors, the
// variance divided by d_k, the exponent of the scale that would make the variance 1, and the
// variance over the keys of one query.
func mismatchEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m := cellMismatch(c)
	e, d := m.Moments(c.Distribution()), float64(c.Dimension())
	scoreMoments, halfSquares := n.Moments[0], n.Moments[1]
	errorOfError, variance, se := e.ErrorOfError(scoreMoments.N), scoreMoments.Variance(), e.VarianceSE(scoreMoments.N)
	var f experiment.CellEstimates
	addVariance := func(r result.Estimate) { f.AddExactDegenerate(r, errorOfError, e.VarianceSkew()) }
	mean := c.Estimate(names.ScoreMean, scoreMoments.N, scoreMoments.Mean, e.MeanSE(scoreMoments.N))
	f.Add(experiment.WithTheory(mean, e.Mean), e.ErrorOfMeanError(scoreMoments.N))
	addVariance(experiment.WithTheory(c.Estimate(names.ScoreVariance, scoreMoments.N, variance, se), e.Variance))
	rootExponent := result.Params{names.ParamExponent: 0.5}
	scaled := c.Estimate(names.ScaledVariance, scoreMoments.N, variance/d, se/d, rootExponent)
	addVariance(experiment.WithTheory(scaled, e.Variance/d))
	if d > 1 {
		addVariance(scores.UnitExponent(c, scoreMoments.N, variance, se, e.Variance))
	}
	r := experiment.WithTheory(c.MeanEstimate(names.KeyVariance, halfSquares), m.KeyVariance())
	predicted := experiment.NewPilotMean(c.Pilot().Moments[1], halfSquares.N)
	predicted.ErrorOfError = max(predicted.ErrorOfError, rows.ErrorOfMissingMoments(c.Distribution()))
	f.AddWithSampleError(r, predicted, experiment.MaxOwnErrorOfError)
	return f
}

// mismatchPilotPairs is the number of pairs of the pilot, which predicts how well the standard
// error of the variance over the keys of a query will be known.
const mismatchPilotPairs = 4096

// finishMismatch adds the curves of the variance as a function of d_k by theory, one for each
// mismatch.
func finishMismatch(sampled experiment.SampledCells, doc *result.Document) error {
	lineKey := func(c experiment.Cell) theory.Mismatch { // the same for all distributions and d_k
		m := cellMismatch(c)
		m.D = 0
		return m
	}
	for _, line := range experiment.GroupLines(sampled.Cells, lineKey) {
		m, params := cellMismatch(line[0]), maps.Clone(line[0].Params())
		delete(params, experiment.DistributionAxis.Name)
		delete(params, experiment.DimensionAxis.Name)
		x := experiment.CurveDimensions(line, experiment.SmoothPerOctave)
		variance := func(d int) float64 {
			m.D = d
			return m.Variance()
		}
		doc.Curves = append(doc.Curves,
			experiment.NewCurve(line, x, names.TheoryExact, names.ScoreVariance, params, variance))
	}
	return nil
}

// newMomentChecks returns the gates on the mean and the variance of a score with the moments e. The
// mean must be within the tolerance times the standard deviation of the score, and the variance
// within the relative tolerance. A constant score has no gates. The gates need no
// SingleProductTail, since gates on distributions with power-law tails are refused.
func newMomentChecks(c experiment.Cell, e theory.ExactMoments) []gate.Check {
	if e.Variance == 0 {
		return nil
	}
	mean := c.NewCheckWithin("mean of a score", names.ScoreMean, e.Mean, c.Tolerance*math.Sqrt(e.Variance), e.MeanSE)
	mean.Skew = e.M3
	if e.IsDegenerate() {
		return []gate.Check{mean}
	}
	variance := c.NewVarianceCheck("variance of a score", names.ScoreVariance, e.Variance, e.VarianceSkew(),
		e.VarianceSE)
	return []gate.Check{mean, variance}
}
