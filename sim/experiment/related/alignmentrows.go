package related

import (
	"fmt"
	"math"
	"strings"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// alignmentEstimates returns the moments of the aligned key's score, how often it is the
// greatest, and what each scaling gives the key.
func alignmentEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	addAligned(&f, c, n.Moments[0])
	pilot := c.Pilot()
	addFirst(&f, c, n, pilot)
	for i, s := range rows.Scalings(c) {
		for j, quantity := range alignedQuantities {
			column := 1 + i*alignedMeans + j
			r := c.MeanEstimate(quantity, n.Moments[column], s.Params())
			if want, kind := alignedTheory(c, s, quantity); kind != "" {
				r.Theory, r.TheoryKind = result.Number(want), kind
			}
			rows.AddMean(&f, s, r, experiment.NewPilotMean(pilot.Moments[column], r.N))
		}
	}
	return f
}

// addAligned adds what is known exactly: moments of the aligned key's score,
// and what the exponents make of its mean square.
func addAligned(f *experiment.CellEstimates, c experiment.Cell, m moments.Moments) {
	a := aligned(c)
	e, want, d := a.Moments(c.Distribution()), a.MeanSquare(c.Distribution()), float64(c.Dimension())
	errorOfError := e.ErrorOfError(m.N)
	mean := c.Estimate(names.ScoreMean, m.N, m.Mean, e.MeanSE(m.N))
	f.AddDegenerate(experiment.WithTheory(mean, e.Mean), e.ErrorOfMeanError(m.N))
	variance := c.Estimate(names.ScoreVariance, m.N, m.Variance(), e.VarianceSE(m.N))
	f.AddExactDegenerate(experiment.WithTheory(variance, e.Variance), errorOfError, e.VarianceSkew())

	square := float64(m.Mean*m.Mean) + m.Sum[2]/float64(m.N)
	se := e.SquareSE(m.N)
	f.AddDegenerate(experiment.WithTheory(c.Estimate(names.ScoreMeanSquare, m.N, square, se), want), errorOfError)
	for _, s := range rows.Scalings(c) {
		scale := float64(s.Factor * s.Factor)
		r := rows.NewEstimate(c, s, names.ScaledMeanSquare, m.N, square*scale, se*scale)
		f.AddDegenerate(experiment.WithTheory(r, want*scale), errorOfError)
	}
	if d > 1 {
		f.AddDegenerate(scores.UnitExponent(c, m.N, square, se, want), errorOfError)
	}
}

// addFirst adds the share of rows in which the aligned key's score is the
// greatest, with the exact interval of a binomial count, and its standard error unless the
// pilot lets expect few such rows, or few others.
func addFirst(f *experiment.CellEstimates, c experiment.Cell, n, pilot moments.Node) {
	r := c.Proportion(names.AlignedFirstShare, n.Counts[0], n.Moments[0].N)
	if few, _ := rows.HasFewEvents(pilot.Counts[0], pilot.Moments[0].N, r.N); few {
		r.SE = result.Absent()
	}
	switch l := c.Distribution(); {
	case l.Name() == names.DistributionNormal:
		r.Theory, r.TheoryKind = result.Number(alignedRow(c, rows.Scalings(c)).FirstProbability), names.TheoryQuadrature
	// two scores cannot be the same
	case aligned(c).Rho == 0 && !l.HasAtoms() && !(l.Name() == names.DistributionSphere && c.Dimension() == 1):
		r = experiment.WithTheory(r, 1/float64(rows.Keys(c)))
	}
	f.Estimates = append(f.Estimates, r)
}

// alignedRow is theory for normal components under the first of the scalings;
// which scaling it is has no part in which key is first.
func alignedRow(c experiment.Cell, scalings []rows.Scaling) theory.AlignedRow {
	a, factor := aligned(c), 1.0
	if len(scalings) > 0 {
		factor = scalings[0].Factor
	}
	return theory.AlignedSoftmax(rows.Keys(c), a.D, a.Rho, factor)
}

// alignedTheory returns what is known of a mean, of no kind if nothing is. Without
// alignment all keys are alike, and no exponent is needed to know what one gets.
func alignedTheory(c experiment.Cell, s rows.Scaling, quantity string) (float64, string) {
	normal := c.Distribution().Name() == names.DistributionNormal
	switch {
	case quantity == alignedQuantities[alignedWeight] && aligned(c).Rho == 0:
		return 1 / float64(rows.Keys(c)), names.TheoryExact
	case quantity == alignedQuantities[alignedWeight] && normal:
		return alignedRow(c, []rows.Scaling{s}).Weight, names.TheoryQuadrature
	case quantity == alignedQuantities[alignedTrace] && normal:
		return alignedRow(c, []rows.Scaling{s}).RelativeTrace, names.TheoryQuadrature
	}
	return math.NaN(), ""
}

// finishAlignment adds the exponents between neighbouring dimensions, and the
// lines of theory.
func finishAlignment(sampled experiment.SampledCells, doc *result.Document) error {
	lines := experiment.GroupLines(sampled.Cells, func(c experiment.Cell) string {
		return fmt.Sprint(c.Distribution(), aligned(c).Rho, rows.Keys(c), rows.Scalings(c))
	})
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			doc.Estimates = append(doc.Estimates, exponentBetween(line[i-1], line[i], doc))
		}
		doc.Curves = append(doc.Curves, alignedCurves(line)...)
	}
	return nil
}

// exponentBetween is ½ the slope of ln E S² on ln d_k between two neighbouring
// dimensions: the exponent that keeps the size of the score from the one to the
// other. The two are drawn independently. It stands at their geometric mean.
func exponentBetween(a, b experiment.Cell, doc *result.Document) result.Estimate {
	low, high := float64(a.Dimension()), float64(b.Dimension())
	here := experiment.DimensionAxis.Name + "=" + a.Value(experiment.DimensionAxis.Name).String()
	between := a
	between.ID = strings.Replace(a.ID, here, here+".."+b.Value(experiment.DimensionAxis.Name).String(), 1)
	x, y := meanSquareOf(a, doc), meanSquareOf(b, doc)
	width := 2 * elementary.Log(high/low)
	value := elementary.Log(float64(y.Value/x.Value)) / width
	e, g := float64(x.SE/x.Theory), float64(y.SE/y.Theory)
	se := math.Sqrt(float64(e*e)+float64(g*g)) / width
	r := between.Estimate(names.LocalExponent, min(x.N, y.N), value, se,
		result.Params{experiment.DimensionAxis.Name: math.Sqrt(float64(low * high))})
	r = experiment.WithTheory(r, aligned(a).ExponentBetween(a.Distribution(), b.Dimension()))
	if x.Level.Present() && y.Level.Present() && max(e, g) <= experiment.MaxRelativeSE &&
		max(e, g) > experiment.DegenerateError {
		r = experiment.Interval(r)
	}
	return r
}

// meanSquareOf returns the estimate of the mean square of a cell.
func meanSquareOf(c experiment.Cell, doc *result.Document) result.Estimate {
	for r := range doc.Rows(c.Experiment.Name, names.ScoreMeanSquare, c.Params()) {
		return *r
	}
	return result.Estimate{Value: result.Absent(), SE: result.Absent(), Level: result.Absent()}
}

// alignedCurves returns the curves of theory through the cells of a line.
func alignedCurves(line []experiment.Cell) []result.Curve {
	c, l := line[0], line[0].Distribution()
	curve := func(quantity, kind string, s *rows.Scaling, y func(experiment.Cell) float64) result.Curve {
		params := result.Params{experiment.DistributionAxis.Name: c.Value(experiment.DistributionAxis.Name).Name,
			RhoAxis.Name: aligned(c).Rho, rows.KeysAxis.Name: float64(rows.Keys(c))}
		if s != nil {
			params[s.Axis] = s.Value.Any()
		}
		octave := experiment.SmoothPerOctave
		if kind == names.TheoryQuadrature {
			octave = experiment.SmoothPerOctave / 2
		}
		x := experiment.CurveDimensions(line, octave)
		return experiment.NewCurve(line, x, kind, quantity, params, func(d int) float64 { return y(c.AtDimension(d)) })
	}
	curves := []result.Curve{
		curve(names.ScoreMeanSquare, names.TheoryExact, nil,
			func(at experiment.Cell) float64 { return aligned(at).MeanSquare(l) }),
		curve(names.LocalExponent, names.TheoryExact, nil,
			func(at experiment.Cell) float64 { return aligned(at).LocalExponent(l) }),
	}
	for i := range rows.Scalings(c) {
		s := rows.Scalings(c)[i]
		curves = append(curves, curve(names.ScaledMeanSquare, names.TheoryExact, &s, func(at experiment.Cell) float64 {
			factor := rows.Scalings(at)[i].Factor
			return float64(aligned(at).MeanSquare(l) * float64(factor*factor))
		}))
		for _, quantity := range alignedQuantities {
			if _, kind := alignedTheory(c, s, quantity); kind != "" {
				curves = append(curves, curve(quantity, kind, &s, func(at experiment.Cell) float64 {
					want, _ := alignedTheory(at, rows.Scalings(at)[i], quantity)
					return want
				}))
			}
		}
	}
	return curves
}
