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
// not give variance 1:
//
//	q_i = μ_q + σ_q(√r_q g + √(1−r_q) a_i),
//
// and the same for k, where g and all a_i are independent and have the distribution, so any two
// components of q have the correlation r_q.
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

// Bounds of standard deviations, and of the absolute value of means.
const minSD, maxSD, maxMean = 1e-3, 1e3, 1e3

// The axes of the mean, the standard deviation and the correlation of the components of q and k.
// The exported axes are those that documents of other packages use.
var (
	QuerySDAxis          = experiment.NumberAxis(names.ParamQuerySD, minSD, maxSD, "1").OmitDefault()
	keySDAxis            = experiment.NumberAxis(names.ParamKeySD, minSD, maxSD, "1").OmitDefault()
	queryMeanAxis        = experiment.NumberAxis(names.ParamQueryMean, -maxMean, maxMean, "0").OmitDefault()
	KeyMeanAxis          = experiment.NumberAxis(names.ParamKeyMean, -maxMean, maxMean, "0").OmitDefault()
	QueryCorrelationAxis = experiment.NumberAxis(names.ParamQueryCorrelation, 0, 1, "0").OmitDefault()
	keyCorrelationAxis   = experiment.NumberAxis(names.ParamKeyCorrelation, 0, 1, "0").OmitDefault()
)

// cellMismatch returns the parameters of the cell's components.
func cellMismatch(c experiment.Cell) theory.Mismatch {
	newComponents := func(mean, sd, correlation experiment.Axis) theory.Components {
		return theory.Components{Mean: c.Value(mean.Name).Number, SD: c.Value(sd.Name).Number,
			Correlation: c.Value(correlation.Name).Number}
	}
	return theory.Mismatch{D: c.Dimension(), Q: newComponents(queryMeanAxis, QuerySDAxis, QueryCorrelationAxis),
		K: newComponents(KeyMeanAxis, keySDAxis, keyCorrelationAxis)}
}

// refuseMismatch refuses distributions without independent components, and gates on distributions
// with power-law tails: the shared component of a vector changes a score by far more than a single
// product does.
func refuseMismatch(c experiment.Cell, gated bool) error {
	if !c.Distribution().HasIndependentComponents() {
		return errors.New("the components of the sphere depend on each other; take another distribution")
	}
	return experiment.RefusePowerTail(c, gated)
}

// openMismatch samples a query and two keys in every lane. The score of the second key is used
// only in the difference of the two, since softmax ignores what both have in common.
func openMismatch(c experiment.Cell) experiment.BlockFunc {
	newVector := func() [][kernel.Width]float32 { return make([][kernel.Width]float32, c.Dimension()) }
	sampler := &scoreSampler{Mismatch: cellMismatch(c), sampleVectors: kernel.Vectors(c.Distribution()),
		ones: kernel.Ones(c.Dimension()), a: newVector(), b: newVector()}
	n := int(scores.PairUnits(c))
	first, halfSquares := make([]float64, n), make([]float64, n)
	return func(d *experiment.BlockStream) moments.Node {
		for i := 0; i < n; i += kernel.Width {
			sampler.sample(&d.Lanes, first[i:i+kernel.Width], halfSquares[i:i+kernel.Width])
		}
		return moments.Node{Moments: []moments.Moments{moments.New(first, 2),
			moments.New(halfSquares, experiment.ErrorOrder)}}
	}
}

// scoreSampler computes scores from sums over components: with q_i = u + s·a_i and k_i = v + t·b_i
// the score is d·uv + s·v·Σa + u·t·Σb + s·t·Σab.
type scoreSampler struct {
	theory.Mismatch
	sampleVectors func(*stream.Lanes, [][kernel.Width]float32)
	ones, a, b    [][kernel.Width]float32
	common        [1][kernel.Width]float32
}

// sampleShifts samples u, the common part of the components of sixteen vectors.
func (m *scoreSampler) sampleShifts(lanes *stream.Lanes, components theory.Components) (u [kernel.Width]float64) {
	if components.Correlation > 0 {
		m.sampleVectors(lanes, m.common[:])
	}
	scale := float64(components.SD * math.Sqrt(components.Correlation))
	for lane := range u {
		u[lane] = components.Mean
		if components.Correlation > 0 {
			u[lane] += float64(scale * float64(m.common[0][lane]))
		}
	}
	return u
}

// sample writes sixteen scores, and half the squared differences from the scores of other keys
// with the same queries.
func (m *scoreSampler) sample(lanes *stream.Lanes, first, halfSquares []float64) {
	var sumA [1][kernel.Width]float32
	m.sampleVectors(lanes, m.a)
	u := m.sampleShifts(lanes, m.Q)
	kernel.Dots(m.a, m.ones, sumA[:])
	m.sampleScores(lanes, &u, &sumA[0], first)
	m.sampleScores(lanes, &u, &sumA[0], halfSquares)
	for lane, s := range first {
		difference := s - halfSquares[lane]
		halfSquares[lane] = float64(difference*difference) / 2
	}
}

// sampleScores samples a key for each query and writes the scores.
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

// mismatchEstimates returns mean and variance of the scores with their exact errors, the variance
// divided by d_k, the exponent that would make it 1, and the variance over the keys of one query.
func mismatchEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m := cellMismatch(c)
	e, d := m.Moments(c.Distribution()), float64(c.Dimension())
	first, halfSquares := n.Moments[0], n.Moments[1]
	errorOfError, variance, se := e.ErrorOfError(first.N), first.Variance(), e.VarianceSE(first.N)
	var f experiment.CellEstimates
	addVariance := func(r result.Estimate) { f.AddExactDegenerate(r, errorOfError, e.VarianceSkew()) }
	mean := c.Estimate(names.ScoreMean, first.N, first.Mean, e.MeanSE(first.N))
	f.Add(experiment.WithTheory(mean, e.Mean), e.ErrorOfMeanError(first.N))
	addVariance(experiment.WithTheory(c.Estimate(names.ScoreVariance, first.N, variance, se), e.Variance))
	rootExponent := result.Params{names.ParamExponent: 0.5}
	scaled := c.Estimate(names.ScaledVariance, first.N, variance/d, se/d, rootExponent)
	addVariance(experiment.WithTheory(scaled, e.Variance/d))
	if d > 1 {
		addVariance(scores.UnitExponent(c, first.N, variance, se, e.Variance))
	}
	r := experiment.WithTheory(c.MeanEstimate(names.KeyVariance, halfSquares), m.KeyVariance())
	predicted := experiment.NewPilotMean(c.Pilot().Moments[1], halfSquares.N)
	predicted.ErrorOfError = max(predicted.ErrorOfError, rows.ErrorOfMissingMoments(c.Distribution()))
	f.AddWithSampleError(r, predicted, experiment.MaxOwnErrorOfError)
	return f
}

// mismatchPilotPairs is the number of pairs of the pilot, which determines whether the standard
// error of the variance over the keys of a query will be known.
const mismatchPilotPairs = 4096

// finishMismatch adds the curves of theory over d_k, one for each mismatch.
func finishMismatch(sampled experiment.SampledCells, doc *result.Document) error {
	lineKey := func(c experiment.Cell) theory.Mismatch { // for any distribution and d_k
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

// newMomentChecks returns the gates on a score: its mean is within the tolerance times its
// standard deviation, and its variance within the relative tolerance. A constant has no gate.
// Distributions with power-law tails are refused before, so no single-product tail is needed.
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
