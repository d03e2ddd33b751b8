package softmax

import (
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/gate"
	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// Freezing measures what softmax makes of logits that are drawn directly, as
// independent normal numbers of a standard deviation σ: attention in the limit
// of many dimensions, over keys and σ. Near σ = √(2 ln n) it freezes.
var Freezing = experiment.New(experiment.Experiment{
	Name: names.ExperimentFreezing,
	Axes: []experiment.Axis{rows.KeysAxis, sigmaAxis},
	Unit: names.UnitRow,
	Drawing: experiment.Drawing{
		BlockUnits: freezingUnits,
		Cost:       freezingCost,
		Columns:    freezingColumns,
		Pilot:      pilotFreezing,
		Windowed:   true,
		Contents:   func(c experiment.Cell) string { return rows.Contents(c, sigmas(c)) },
		Open:       openFreezing,
		Headline:   names.GradientSurvival,
		Floor:      softmaxFloor,
	},
	Reading: experiment.Reading{
		Rows: freezingFindings,
		Join: joinFreezing,
		Chosen: func(c experiment.Cell) (string, []any) {
			return rows.Chosen(names.GradientSurvival, sigmas(c), 1)
		},
	},
	Judging: experiment.Judging{Checks: freezingChecks},
})

// sigmaAxis is the standard deviation of a logit.
var sigmaAxis = experiment.NumberAxis(names.ParamSigma, 0, 1e6, "1").OnSameDraws("1")

// sigmas are the scalings of the cell's standard normal scores.
func sigmas(c experiment.Cell) []rows.Scaling {
	var all []rows.Scaling
	for _, v := range c.Shared[sigmaAxis.Name] {
		all = append(all, rows.Scaling{Axis: sigmaAxis.Name, Value: v, Factor: v.Number})
	}
	return all
}

// freezingUnits keeps a block at about 2¹⁸ drawn numbers.
func freezingUnits(c experiment.Cell) int64 {
	count := min(rows.MostBlockRows, (1<<18)/int64(rows.Keys(c)))
	return max(kernel.Width, count/kernel.Width*kernel.Width)
}

// freezingCost is a row's, in drawn components, as softmaxCost is.
func freezingCost(c experiment.Cell) float64 {
	return float64(rows.Keys(c)) + float64(float64(len(sigmas(c)))*float64(700+2*rows.Keys(c)))
}

func freezingColumns(c experiment.Cell) []experiment.Column {
	return rows.Columns(len(sigmas(c)), "row")
}

// openFreezing draws the rows of a block.
func openFreezing(c experiment.Cell) experiment.Block {
	tally := rows.NewTally(rows.Keys(c), sigmas(c), 1, c.Pilot())
	draw := drawFreezing(c, tally)
	return func(d *experiment.Draw) moments.Node {
		draw(d)
		return tally.Node(d.More)
	}
}

// pilotFreezing draws blocks for what can be learnt of the rows.
func pilotFreezing(c experiment.Cell, next func() *experiment.Draw) moments.Node {
	tally := rows.NewTally(rows.Keys(c), sigmas(c), 1, moments.Node{})
	return rows.Pilot(c, tally, next, drawFreezing(c, tally))
}

// drawFreezing draws standard normal scores without queries and keys into the tally, so
// that their rows have no gradients.
func drawFreezing(c experiment.Cell, tally *rows.Tally) func(*experiment.Draw) {
	draw := kernel.Vectors(law.Normal)
	scores := make([][kernel.Width]float32, rows.Keys(c))
	return func(d *experiment.Draw) {
		var peaks kernel.Peaks
		for range freezingUnits(c) / kernel.Width {
			draw(&d.Lanes, scores)
			kernel.FindPeaks(scores, &peaks)
			tally.Add(scores, &peaks, nil, nil)
		}
	}
}

// freezingFindings are what softmax makes of the rows at each σ, all with theory.
func freezingFindings(c experiment.Cell, n moments.Node) experiment.Findings {
	var f experiment.Findings
	pilot := c.Pilot()
	for i, s := range sigmas(c) {
		rows.AddRows(&f, c, s, rows.SumsOf(n, i, 1), rows.LearntOf(pilot, i, len(sigmas(c)), 1), theory.SoftmaxOf(rows.Keys(c), s.Factor), true, false)
	}
	return f
}

// freezingChecks are the gates on the means at each σ.
func freezingChecks(c experiment.Cell) []gate.Check {
	var checks []gate.Check
	for _, s := range sigmas(c) {
		checks = append(checks, rows.MeanChecks(c, s, theory.SoftmaxOf(rows.Keys(c), s.Factor), 1)...)
	}
	return checks
}

// joinFreezing adds the lines of theory over σ, their limits on either side, and
// the line of freezing over the number of keys.
func joinFreezing(cells []experiment.Cell, doc *result.Document) {
	name := cells[0].Experiment.Name
	line := result.Curve{Experiment: name, Quantity: names.FreezingSigma, Params: result.Params{}, Axis: rows.KeysAxis.Name, Kind: names.TheoryLimit}
	var keys []float64
	for _, c := range cells {
		keys = append(keys, float64(rows.Keys(c)))
		for _, q := range rows.MeanQuantities {
			if q.Theory == nil || q.Gradient {
				continue
			}
			doc.Curves = append(doc.Curves, sigmaCurve(c, q, theory.SoftmaxOf, func(float64) bool { return true }, names.TheoryQuadrature))
			for _, l := range softmaxLimits {
				curve := sigmaCurve(c, q, l.of, func(sigma float64) bool { return l.holds(rows.Keys(c), sigma) }, names.TheoryLimit)
				if curve.Params[names.ParamLimit] = l.name; len(curve.X) > 0 {
					doc.Curves = append(doc.Curves, curve)
				}
			}
		}
	}
	line.X = experiment.CurveWholes(keys, experiment.Smooth)
	for _, n := range line.X {
		line.Y = append(line.Y, result.Number(theory.FreezingSigma(int(n))))
	}
	doc.Curves = append(doc.Curves, line)
}

// softmaxLimits are the expansions of a Softmax, and where they are of use.
var softmaxLimits = []struct {
	name  string
	of    func(keys int, sigma float64) theory.Softmax
	holds func(keys int, sigma float64) bool
}{
	{names.LimitNarrow, theory.NarrowSoftmax, func(_ int, sigma float64) bool { return sigma <= 0.5 }},
	{names.LimitWide, theory.WideSoftmax, func(keys int, sigma float64) bool { return sigma >= 2*theory.FreezingSigma(keys) }},
}

// sigmaCurve is a line of theory over the cell's standard deviations.
func sigmaCurve(c experiment.Cell, q rows.MeanQuantity, of func(keys int, sigma float64) theory.Softmax, holds func(sigma float64) bool, kind string) result.Curve {
	curve := result.Curve{Experiment: c.Experiment.Name, Quantity: q.Name, Axis: sigmaAxis.Name, Kind: kind,
		Params: result.Params{rows.KeysAxis.Name: float64(rows.Keys(c))}}
	for _, s := range sigmas(c) {
		if holds(s.Factor) {
			curve.X = append(curve.X, result.Number(s.Factor))
			curve.Y = append(curve.Y, result.Number(q.Theory(of(rows.Keys(c), s.Factor))))
		}
	}
	return curve
}
