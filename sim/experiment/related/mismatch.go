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

// Mismatch measures the mean and the variance of q·k where the components do
// not have mean 0 and variance 1, or are not independent. Then Var(q·k) is not
// d_k, and dividing by √d_k does not leave 1:
//
//	q_i = μ_q + σ_q(√r_q g + √(1−r_q) a_i), and k_i likewise,
//
// with g and all a_i independent and of the distribution, so that any two components of
// q have the correlation r_q.
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
		Pilot:            experiment.NewPilot(mismatchPilot),
		RelativeVariance: func(c experiment.Cell) float64 { return mismatch(c).Moments(c.Distribution()).M4 - 1 },
	},
	Reader: experiment.Reader{Estimates: mismatchEstimates, Finish: finishMismatch},
	Judge: experiment.Judge{
		Refuse: refuseMismatch,
		Checks: func(c experiment.Cell) []gate.Check { return exactChecks(c, mismatch(c).Moments(c.Distribution())) },
	},
})

// Bounds of standard deviations, and of means' sizes.
const minSD, maxSD, maxMean = 1e-3, 1e3, 1e3

// The axes of what the components of q and k have in place of mean 0, standard deviation
// 1 and independence; the exported ones are those that a document of another package
// asks for by name.
var (
	QuerySDAxis          = experiment.NumberAxis(names.ParamQuerySD, minSD, maxSD, "1").OmitDefault()
	keySDAxis            = experiment.NumberAxis(names.ParamKeySD, minSD, maxSD, "1").OmitDefault()
	queryMeanAxis        = experiment.NumberAxis(names.ParamQueryMean, -maxMean, maxMean, "0").OmitDefault()
	KeyMeanAxis          = experiment.NumberAxis(names.ParamKeyMean, -maxMean, maxMean, "0").OmitDefault()
	QueryCorrelationAxis = experiment.NumberAxis(names.ParamQueryCorrelation, 0, 1, "0").OmitDefault()
	keyCorrelationAxis   = experiment.NumberAxis(names.ParamKeyCorrelation, 0, 1, "0").OmitDefault()
)

// mismatch returns what the cell's components are.
func mismatch(c experiment.Cell) theory.Mismatch {
	components := func(mean, sd, correlation experiment.Axis) theory.Components {
		return theory.Components{Mean: c.Value(mean.Name).Number, SD: c.Value(sd.Name).Number,
			Correlation: c.Value(correlation.Name).Number}
	}
	return theory.Mismatch{D: c.Dimension(), Q: components(queryMeanAxis, QuerySDAxis, QueryCorrelationAxis),
		K: components(KeyMeanAxis, keySDAxis, keyCorrelationAxis)}
}

// refuseMismatch refuses distributions without independent components, and gates on distributions
// whose tails fall like a power: a component that all others share moves a score by far more than a
// product does.
func refuseMismatch(c experiment.Cell, gated bool) error {
	if !c.Distribution().HasIndependentComponents() {
		return errors.New("the components of the sphere depend on each other already; take another distribution")
	}
	return experiment.RefusePowerTail(c, gated)
}

// openMismatch draws a query and two keys, in every lane. The score of the
// second key is compared with that of the first alone: what both have in common
// no softmax can see.
func openMismatch(c experiment.Cell) experiment.BlockFunc {
	vector := func() [][kernel.Width]float32 { return make([][kernel.Width]float32, c.Dimension()) }
	pairs := &mismatched{Mismatch: mismatch(c), vectors: kernel.Vectors(c.Distribution()),
		ones: kernel.Ones(c.Dimension()), a: vector(), b: vector()}
	n := int(scores.PairUnits(c))
	first, halfSquares := make([]float64, n), make([]float64, n)
	return func(draw *experiment.BlockStream) moments.Node {
		for i := 0; i < n; i += kernel.Width {
			pairs.draw(&draw.Lanes, first[i:i+kernel.Width], halfSquares[i:i+kernel.Width])
		}
		return moments.Node{Moments: []moments.Moments{moments.New(first, 2),
			moments.New(halfSquares, experiment.ErrorOrder)}}
	}
}

// mismatched makes scores of components of a distribution from sums over them: with
// q_i = u + s·a_i, k_i = v + t·b_i the score is d·uv + s·v·Σa + u·t·Σb + s·t·Σab.
type mismatched struct {
	theory.Mismatch
	vectors    func(*stream.Lanes, [][kernel.Width]float32)
	ones, a, b [][kernel.Width]float32
	common     [1][kernel.Width]float32
}

// shifts draws what the components of sixteen vectors have in common, u.
func (m *mismatched) shifts(lanes *stream.Lanes, components theory.Components) (u [kernel.Width]float64) {
	if components.Correlation > 0 {
		m.vectors(lanes, m.common[:])
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

// draw writes sixteen scores, and half the squares of their differences from
// those of other keys of the same queries.
func (m *mismatched) draw(lanes *stream.Lanes, first, halfSquares []float64) {
	var sumA [1][kernel.Width]float32
	m.vectors(lanes, m.a)
	u := m.shifts(lanes, m.Q)
	kernel.Dots(m.a, m.ones, sumA[:])
	m.score(lanes, &u, &sumA[0], first)
	m.score(lanes, &u, &sumA[0], halfSquares)
	for lane, s := range first {
		difference := s - halfSquares[lane]
		halfSquares[lane] = float64(difference*difference) / 2
	}
}

// score draws a key for each query and writes the scores.
func (m *mismatched) score(lanes *stream.Lanes, u *[kernel.Width]float64, sumA *[kernel.Width]float32, dst []float64) {
	var sumB, sumAB [1][kernel.Width]float32
	m.vectors(lanes, m.b)
	v := m.shifts(lanes, m.K)
	kernel.Dots(m.b, m.ones, sumB[:])
	kernel.Dots(m.a, m.b, sumAB[:])
	d := float64(m.D)
	s, t := float64(m.Q.SD*math.Sqrt(1-m.Q.Correlation)), float64(m.K.SD*math.Sqrt(1-m.K.Correlation))
	for lane := range dst {
		dst[lane] = float64(float64(d*u[lane])*v[lane]) + float64(float64(s*v[lane])*float64(sumA[lane])) +
			float64(float64(t*u[lane])*float64(sumB[0][lane])) + float64(float64(s*t)*float64(sumAB[0][lane]))
	}
}

// mismatchEstimates are mean and variance of the scores with their exact errors, the variance
// over d_k, the exponent that would make it 1, and the part of the variance that the keys
// of one query do not have in common.
func mismatchEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	m := mismatch(c)
	e, d := m.Moments(c.Distribution()), float64(c.Dimension())
	first, halfSquares := n.Moments[0], n.Moments[1]
	errorOfError, variance, se := e.ErrorOfError(first.N), first.Variance(), e.VarianceSE(first.N)
	var f experiment.CellEstimates
	addExact := func(r result.Estimate) { f.AddExactDegenerate(r, errorOfError, e.VarianceSkew()) }
	mean := c.Estimate(names.ScoreMean, first.N, first.Mean, e.MeanSE(first.N))
	f.Add(experiment.WithTheory(mean, e.Mean), e.ErrorOfMeanError(first.N))
	addExact(experiment.WithTheory(c.Estimate(names.ScoreVariance, first.N, variance, se), e.Variance))
	half := result.Params{names.ParamExponent: 0.5}
	addExact(experiment.WithTheory(c.Estimate(names.ScaledVariance, first.N, variance/d, se/d, half), e.Variance/d))
	if d > 1 {
		addExact(scores.UnitExponent(c, first.N, variance, se, e.Variance))
	}
	r := experiment.WithTheory(c.MeanEstimate(names.KeyVariance, halfSquares), m.KeyVariance())
	known := experiment.NewPilotMean(c.Pilot().Moments[1], halfSquares.N)
	known.ErrorOfError = max(known.ErrorOfError, rows.ErrorOfMissingMoments(c.Distribution()))
	f.AddWithSampleError(r, known, experiment.MaxOwnErrorOfError)
	return f
}

// mismatchPilot is how many pairs say whether the others will know the error of the
// variance over the keys of a query.
const mismatchPilot = 4096

// finishMismatch adds the lines of theory over d_k, one for each way in which
// components are mismatched.
func finishMismatch(sampled experiment.SampledCells, doc *result.Document) error {
	alike := func(c experiment.Cell) theory.Mismatch { // whatever the distribution
		m := mismatch(c)
		m.D = 0
		return m
	}
	for _, line := range experiment.GroupLines(sampled.Cells, alike) {
		m, params := mismatch(line[0]), maps.Clone(line[0].Params())
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

// exactChecks: the mean of a score within the tolerance of its standard deviation from what it
// should be, and the variance within the tolerance of its size. What does not vary has no check. No
// distribution with power-law tails comes here, and so nothing is asked of single products.
func exactChecks(c experiment.Cell, e theory.ExactMoments) []gate.Check {
	if e.Variance == 0 {
		return nil
	}
	mean := c.NewCheckWithin("mean of a score", names.ScoreMean, e.Mean, c.Tolerance*math.Sqrt(e.Variance), e.MeanSE)
	mean.Skew = e.M3
	if e.IsDegenerate() {
		return []gate.Check{mean}
	}
	variance := c.NewVarianceCheck("variance of a score", names.ScoreVariance, e.Variance, e.VarianceSkew(), e.VarianceSE)
	return []gate.Check{mean, variance}
}
