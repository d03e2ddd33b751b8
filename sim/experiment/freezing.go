package experiment

import (
	"fmt"

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
var Freezing = &Experiment{
	Name: names.ExperimentFreezing,
	Axes: []Axis{keysAxis, sigmaAxis},
	Unit: names.UnitRow,

	BlockUnits: freezingUnits,
	Cost:       freezingCost,
	Columns:    freezingColumns,
	Kept:       func(c Cell) string { return keptScalings(c.sigmas()) },
	Open:       openFreezing,
	Headline:   names.GradientSurvival,
	Relative:   pilotOnly,
	Floor:      softmaxFloor,
	Refuse:     func(Cell, bool) error { return nil },
	Rows:       freezingFindings,
	Join:       joinFreezing,
	Checks:     freezingChecks,
}

// mostSigma bounds the standard deviation of a logit.
const mostSigma = 1e6

var sigmaAxis = Axis{
	Name: names.ParamSigma, Shared: true, Default: []string{"1"}, Probe: "1",
	Range: fmt.Sprintf("0..%g", mostSigma),
	Parse: func(text string) (Value, error) {
		x, err := Number(text)
		if err == nil && !(x >= 0 && x <= mostSigma) {
			err = fmt.Errorf("%s is not in 0..%g", text, mostSigma)
		}
		return Value{Number: x}, err
	},
}

// sigmas are the scalings of the cell's standard normal scores.
func (c Cell) sigmas() []scaling {
	var all []scaling
	for _, v := range c.Shared[sigmaAxis.Name] {
		all = append(all, scaling{sigmaAxis.Name, v, v.Number})
	}
	return all
}

// freezingUnits keeps a block at about 2¹⁸ drawn numbers.
func freezingUnits(c Cell) int64 {
	rows := min(mostBlockRows, (1<<18)/int64(c.keys()))
	return max(kernel.Width, rows/kernel.Width*kernel.Width)
}

// freezingCost is a row's, in drawn components, as softmaxCost is.
func freezingCost(c Cell) float64 {
	return float64(c.keys()) + float64(float64(len(c.sigmas()))*float64(700+2*c.keys()))
}

func freezingColumns(c Cell) []Column { return rowColumns(len(c.sigmas()), "row") }

func openFreezing(c Cell) Block {
	draw := kernel.Vectors(law.Normal)
	scores := make([][kernel.Width]float32, c.keys())
	tally := newRowTally(c.keys(), c.sigmas(), 1)
	return func(d *Draw) moments.Node {
		var peaks kernel.Peaks
		for range freezingUnits(c) / kernel.Width {
			draw(&d.Lanes, scores)
			kernel.FindPeaks(scores, &peaks)
			tally.add(scores, &peaks, nil, nil)
		}
		return tally.node()
	}
}

func freezingFindings(c Cell, n moments.Node) Findings {
	var f Findings
	for i, s := range c.sigmas() {
		f.addRows(c, s, scalingNode(n, i, 1), theory.SoftmaxOf(c.keys(), s.factor), true, false)
	}
	return f
}

func freezingChecks(cells []Cell) []gate.Check {
	var checks []gate.Check
	for _, c := range cells {
		if !c.Gated {
			continue
		}
		for _, s := range c.sigmas() {
			checks = append(checks, c.meanChecks(s, theory.SoftmaxOf(c.keys(), s.factor), 1)...)
		}
	}
	return checks
}

// joinFreezing adds the lines of theory over σ, their limits on either side, and
// the line of freezing over the number of keys.
func joinFreezing(cells []Cell, doc *result.Document) {
	name := cells[0].Experiment.Name
	line := result.Curve{Experiment: name, Quantity: names.FreezingSigma, Params: result.Params{}, Axis: keysAxis.Name, Kind: names.TheoryLimit}
	for _, c := range cells {
		line.X = append(line.X, result.Number(c.keys()))
		line.Y = append(line.Y, result.Number(theory.FreezingSigma(c.keys())))
		for _, q := range meanQuantities {
			if q.theory == nil || q.gradient {
				continue
			}
			doc.Curves = append(doc.Curves, c.sigmaCurve(q, theory.SoftmaxOf, func(float64) bool { return true }, names.TheoryQuadrature))
			for _, l := range softmaxLimits {
				curve := c.sigmaCurve(q, l.of, func(sigma float64) bool { return l.holds(c.keys(), sigma) }, names.TheoryLimit)
				if curve.Params[names.ParamLimit] = l.name; len(curve.X) > 0 {
					doc.Curves = append(doc.Curves, curve)
				}
			}
		}
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
func (c Cell) sigmaCurve(q meanQuantity, of func(keys int, sigma float64) theory.Softmax, holds func(sigma float64) bool, kind string) result.Curve {
	curve := result.Curve{Experiment: c.Experiment.Name, Quantity: q.name, Axis: sigmaAxis.Name, Kind: kind,
		Params: result.Params{keysAxis.Name: float64(c.keys())}}
	for _, s := range c.sigmas() {
		if holds(s.factor) {
			curve.X = append(curve.X, result.Number(s.factor))
			curve.Y = append(curve.Y, result.Number(q.theory(of(c.keys(), s.factor))))
		}
	}
	return curve
}
