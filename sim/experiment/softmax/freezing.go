package softmax

import (
	"fmt"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Freezing measures the softmax of n logits that are independent normal numbers with the standard
// deviation σ. This is attention in the limit of many dimensions. Near σ = √(2 ln n) it freezes:
// one key gets most of the weight.
var Freezing = experiment.New(experiment.Experiment{
	Name: names.ExperimentFreezing,
	Axes: []experiment.Axis{rows.KeysAxis, sigmaAxis},
	Unit: names.UnitRow,
	Sampler: rows.WithFineBins(experiment.Sampler{
		BlockUnits: freezingBlockUnits,
		Cost: func(c experiment.Cell) float64 { // as in rowCost, but without products and gradients
			return float64(rows.Keys(c)) + float64(float64(len(sigmas(c)))*float64(700+2*rows.Keys(c)))
		},
		Columns:  func(c experiment.Cell) []experiment.Column { return rows.Columns(c, len(sigmas(c))) },
		Shape:    func(c experiment.Cell) experiment.Shape { return rows.Shape(c, len(sigmas(c))) },
		Headline: names.RelativeTrace,
		MinUnits: minRows,
		Contents: func(c experiment.Cell) string { return fmt.Sprint(sigmas(c)) },
	}, newFreezingSampler),
	Reader: experiment.Reader{
		Estimates:        freezingEstimates,
		Finish:           finishFreezing,
		HeadlineEstimate: rows.SelectHeadline(names.RelativeTrace, sigmas, 1),
	},
	Judge: experiment.Judge{
		Checks: func(c experiment.Cell) []gate.Check { return rows.NewChecks(c, sigmas(c), freezingTheory) },
	},
})

// sigmaAxis is the standard deviation of a logit.
var sigmaAxis = experiment.NumberAxis(names.ParamSigma, 0, 1e6, "1").AsShared("1")

// sigmas returns the scalings of the cell's standard normal scores.
func sigmas(c experiment.Cell) []rows.Scaling {
	return names.Map(c.Shared[sigmaAxis.Name], func(v experiment.AxisValue) rows.Scaling {
		return rows.Scaling{Axis: sigmaAxis.Name, Value: v, Factor: v.Number}
	})
}

// freezingBlockUnits returns the number of rows of a block, which has at most about 2¹⁸ scores.
func freezingBlockUnits(c experiment.Cell) int64 {
	return rows.BlockUnits(c, float64(rows.Keys(c)), rows.MaxBlockRows, 1<<18)
}

// newFreezingSampler implements [rows.Opener] of rows of standard normal scores. These rows have
// neither queries and keys nor gradients by them.
func newFreezingSampler(c experiment.Cell, pilot moments.Node) (rows.Collector, func(*experiment.BlockStream)) {
	tally := rows.NewTally(rows.Keys(c), sigmas(c), 1, pilot)
	sampleVectors := kernel.Vectors(distribution.Normal)
	scores := make([][kernel.Width]float32, rows.Keys(c))
	return tally, func(b *experiment.BlockStream) {
		var peaks kernel.Peaks
		for range freezingBlockUnits(c) / kernel.Width {
			sampleVectors(&b.Lanes, scores)
			kernel.FindPeaks(scores, &peaks)
			tally.Add(scores, &peaks, nil, nil)
		}
	}
}

// freezingTheory implements [rows.Theory] with the factor of the scaling as σ.
func freezingTheory(c experiment.Cell, s rows.Scaling) (theory.Softmax, bool) {
	return theory.NewSoftmax(rows.Keys(c), s.Factor), true
}

func freezingEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	return rows.Estimates(c, n, sigmas(c), freezingTheory, false)
}

// finishFreezing adds the curves of theory as functions of σ, their limits for small and large σ,
// and the σ at which softmax freezes as a function of the number of keys.
func finishFreezing(sampled experiment.SampledCells, doc *result.Document) error {
	name := sampled.Cells[0].Experiment.Name
	freezingCurve := result.Curve{Experiment: name, Quantity: names.FreezingSigma, Params: result.Params{},
		Axis: rows.KeysAxis.Name, Kind: names.TheoryLimit}
	var keys []float64
	for _, c := range sampled.Cells {
		keys = append(keys, float64(rows.Keys(c)))
		for _, q := range rows.Quantities {
			if q.Theory == nil || q.Gradient {
				continue
			}
			doc.Curves = append(doc.Curves, sigmaCurve(c, q, exactSoftmax))
			for _, limit := range softmaxLimits {
				if curve := sigmaCurve(c, q, limit); len(curve.X) > 0 {
					doc.Curves = append(doc.Curves, curve)
				}
			}
		}
	}
	freezingCurve.X = experiment.CurveWholes(keys, experiment.SmoothPerOctave)
	doc.Curves = append(doc.Curves,
		experiment.FillCurve(freezingCurve, func(n float64) float64 { return theory.FreezingSigma(int(n)) }))
	return nil
}

// sigmaTheory is a theory of softmax as a function of σ and the range of σ in which it is valid.
type sigmaTheory struct {
	limit   string // name of the limit; empty if the theory is valid everywhere
	softmax func(keys int, sigma float64) theory.Softmax
	isValid func(keys int, sigma float64) bool // nil if limit is empty
}

var exactSoftmax = sigmaTheory{softmax: theory.NewSoftmax}

// softmaxLimits are the expansions of softmax for small and large σ.
var softmaxLimits = []sigmaTheory{
	{
		limit:   "narrow",
		softmax: theory.NarrowSoftmax,
		isValid: func(_ int, sigma float64) bool { return sigma <= 0.5 },
	},
	{
		limit:   "wide",
		softmax: theory.WideSoftmax,
		isValid: func(keys int, sigma float64) bool { return sigma >= 2*theory.FreezingSigma(keys) },
	},
}

// sigmaCurve returns the curve of a quantity by a theory at the σ of the cell for which the theory
// is valid.
func sigmaCurve(c experiment.Cell, q rows.Quantity, t sigmaTheory) result.Curve {
	keys := rows.Keys(c)
	curve := result.Curve{Experiment: c.Experiment.Name, Quantity: q.Name, Axis: sigmaAxis.Name,
		Params: result.Params{rows.KeysAxis.Name: float64(keys)}, Kind: names.TheoryQuadrature}
	if t.limit != "" {
		curve.Params["limit"], curve.Kind = t.limit, names.TheoryLimit
	}
	for _, s := range sigmas(c) {
		if t.limit == "" || t.isValid(keys, s.Factor) {
			curve.X = append(curve.X, result.Number(s.Factor))
		}
	}
	return experiment.FillCurve(curve, func(sigma float64) float64 { return q.Theory(t.softmax(keys, sigma)) })
}
