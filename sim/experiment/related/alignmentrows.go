package related

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"mcsim/sim/attention/reach"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// alignmentEstimates returns the moments of the score of the aligned key, the proportion of rows in
// which this score is the largest, and the means of the aligned quantities under each scaling.
func alignmentEstimates(c experiment.Cell, n moments.Node) experiment.CellEstimates {
	var f experiment.CellEstimates
	addScoreMoments(&f, c, n.Moments[0])
	pilot := c.Pilot()
	addFirstProportion(&f, c, n, pilot)
	for i, s := range rows.Scalings(c) {
		for j, quantity := range alignedQuantities {
			column := 1 + i*alignedQuantityCount + j
			r := c.MeanEstimate(quantity, n.Moments[column], s.Params())
			if expected, kind := meanTheory(c, s, quantity); kind != "" {
				r.Theory, r.TheoryKind = result.Number(expected), kind
			}
			rows.AddMean(&f, s, r, experiment.NewPilotMean(pilot.Moments[column], r.N))
		}
	}
	return f
}

// addScoreMoments adds the moments of the score of the aligned key, and its mean square under each
// scaling. Their theory is exact.
func addScoreMoments(f *experiment.CellEstimates, c experiment.Cell, m moments.Moments) {
	a := alignedKey(c)
	e, expected := a.Moments(c.Distribution()), a.MeanSquare(c.Distribution())
	errorOfError := e.ErrorOfError(m.N)
	mean := c.Estimate(names.ScoreMean, m.N, m.Mean, e.MeanSE(m.N))
	f.AddDegenerate(experiment.WithTheory(mean, e.Mean), e.ErrorOfMeanError(m.N))
	variance := c.Estimate(names.ScoreVariance, m.N, m.Variance(), e.VarianceSE(m.N))
	f.AddExactDegenerate(experiment.WithTheory(variance, e.Variance), errorOfError, e.VarianceSkew())

	square := float64(m.Mean*m.Mean) + m.Sum[2]/float64(m.N)
	se := e.SquareSE(m.N)
	f.AddDegenerate(experiment.WithTheory(c.Estimate(names.ScoreMeanSquare, m.N, square, se), expected), errorOfError)
	for _, s := range factorScalings(c) {
		scale := float64(s.Factor * s.Factor)
		r := c.Estimate(names.ScaledMeanSquare, m.N, square*scale, se*scale, s.Params())
		f.AddDegenerate(experiment.WithTheory(r, expected*scale), errorOfError)
	}
	if c.Dimension() > 1 {
		f.AddDegenerate(scores.UnitExponent(c, m.N, square, se, expected), errorOfError)
	}
}

// addFirstProportion adds the proportion of rows in which the score of the aligned key is the
// largest, with the exact interval of a binomial count. It has no standard error if the pilot
// predicts that there are few such rows, or few others.
func addFirstProportion(f *experiment.CellEstimates, c experiment.Cell, n, pilot moments.Node) {
	r := c.Proportion(names.AlignedFirstShare, n.Counts[0], n.Moments[0].N)
	if hasFew, _ := rows.HasFewEvents(pilot.Counts[0], pilot.Moments[0].N, r.N); hasFew {
		r.SE = result.Absent()
	}
	dist := c.Distribution()
	isSign := dist.Name() == names.DistributionSphere && c.Dimension() == 1
	canTie := dist.HasAtoms() || isSign
	switch {
	case dist.Name() == names.DistributionNormal:
		r.Theory, r.TheoryKind = result.Number(rowTheory(c, factorScalings(c)).FirstProbability), names.TheoryQuadrature
	case alignedKey(c).Rho == 0 && !canTie: // by symmetry every key is first with the same probability
		r = experiment.WithTheory(r, 1/float64(rows.Keys(c)))
	}
	f.Estimates = append(f.Estimates, r)
}

// rowTheory returns the theory for normal components under the first of the scalings, or under the
// factor 1 if there are no scalings. The probability that the aligned key has the largest score
// does not depend on the scaling.
func rowTheory(c experiment.Cell, scalings []rows.Scaling) theory.AlignedRow {
	a, factor := alignedKey(c), 1.0
	if len(scalings) > 0 {
		factor = scalings[0].Factor
	}
	return theory.AlignedSoftmax(rows.Keys(c), a.D, a.Rho, factor)
}

// factorScalings returns the scalings that multiply scores by a factor.
func factorScalings(c experiment.Cell) []rows.Scaling {
	return slices.DeleteFunc(rows.Scalings(c), func(s rows.Scaling) bool { _, ok := s.LogitRule(); return ok })
}

// reachBound returns the largest logit under a scaling if it is the logit of the aligned key and if
// the weight of this key is known by quadrature: with ρ = 1 and normal components.
func reachBound(c experiment.Cell, s rows.Scaling) (float64, bool) {
	bound, ok := s.NormalisedBound(c.Dimension())
	isAligned := alignedKey(c).Rho == 1 && c.Distribution().Name() == names.DistributionNormal
	return bound, ok && isAligned && bound <= reach.MaxLogit
}

// newReachChecks returns the gates on the reach: the weight of the aligned key is within the relative
// tolerance of its value by quadrature. It is also within the tolerance of [reach.Bound], if their
// difference is at most half of the tolerance.
func newReachChecks(c experiment.Cell) (checks []gate.Check) {
	for _, s := range rows.Scalings(c) {
		bound, ok := reachBound(c, s)
		if !ok {
			continue
		}
		others, d := rows.Keys(c)-1, c.Dimension()
		exact, sigma := reach.Moments(others, d, bound, bound), bound/math.Sqrt(float64(d))
		rowSD, _ := exact.SDAndSkewness()
		halfWidth := float64(c.Tolerance * exact[0])
		if difference := math.Abs(reach.Bound(others, bound, sigma) - exact[0]); difference <= halfWidth/2 {
			halfWidth -= difference
		}
		checks = append(checks, rows.MeanGate{Name: "reach by quadrature", Quantity: names.AlignedWeight,
			Params: s.Params(), Expected: exact[0], HalfWidth: halfWidth, RowSD: rowSD}.NewCheck(c))
	}
	return checks
}

// meanTheory returns the expected value of the mean of an aligned quantity and the kind of theory,
// which is empty if the expected value is not known. Without alignment all keys have the same
// distribution, so the expected weight is 1/n for any distribution and scaling.
func meanTheory(c experiment.Cell, s rows.Scaling, quantity string) (expected float64, kind string) {
	isNormal := c.Distribution().Name() == names.DistributionNormal
	_, hasLogitRule := s.LogitRule()
	bound, hasReach := reachBound(c, s)
	switch {
	case quantity == alignedQuantities[alignedWeight] && alignedKey(c).Rho == 0:
		return 1 / float64(rows.Keys(c)), names.TheoryExact
	case quantity == alignedQuantities[alignedWeight] && hasReach:
		return reach.Moments(rows.Keys(c)-1, c.Dimension(), bound, bound)[0], names.TheoryQuadrature
	case hasLogitRule:
		return math.NaN(), ""
	case quantity == alignedQuantities[alignedWeight] && isNormal:
		return rowTheory(c, []rows.Scaling{s}).Weight, names.TheoryQuadrature
	case quantity == alignedQuantities[alignedTrace] && isNormal:
		return rowTheory(c, []rows.Scaling{s}).RelativeTrace, names.TheoryQuadrature
	}
	return math.NaN(), ""
}

// finishAlignment adds the local exponents between neighbouring dimensions, and the curves of
// theory.
func finishAlignment(sampled experiment.SampledCells, doc *result.Document) error {
	lines := experiment.GroupLines(sampled.Cells, func(c experiment.Cell) string {
		return fmt.Sprint(c.Distribution(), alignedKey(c).Rho, rows.Keys(c), rows.Scalings(c))
	})
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			doc.Estimates = append(doc.Estimates, newLocalExponent(line[i-1], line[i], doc))
		}
		doc.Curves = append(doc.Curves, newAlignmentCurves(line)...)
	}
	return nil
}

// newLocalExponent returns half of the slope of ln E S² as a function of ln d_k between two cells
// with neighbouring d_k. With this exponent of the scale, the scores of both cells have the same
// size. The d_k of the estimate is the geometric mean of the two d_k.
func newLocalExponent(lowCell, highCell experiment.Cell, doc *result.Document) result.Estimate {
	axis := experiment.DimensionAxis.Name
	aggregate := lowCell
	lowText := axis + "=" + lowCell.Value(axis).String()
	aggregate.ID = strings.Replace(lowCell.ID, lowText, lowText+".."+highCell.Value(axis).String(), 1)

	dLow, dHigh := float64(lowCell.Dimension()), float64(highCell.Dimension())
	low, high := findMeanSquare(lowCell, doc), findMeanSquare(highCell, doc)
	twoLogRatio := 2 * elementary.Log(dHigh/dLow)
	value := elementary.Log(float64(high.Value/low.Value)) / twoLogRatio
	lowRelativeSE, highRelativeSE := float64(low.SE/low.Theory), float64(high.SE/high.Theory)
	se := math.Sqrt(float64(lowRelativeSE*lowRelativeSE)+float64(highRelativeSE*highRelativeSE)) / twoLogRatio
	r := aggregate.Estimate(names.LocalExponent, min(low.N, high.N), value, se,
		result.Params{axis: math.Sqrt(float64(dLow * dHigh))})
	r = experiment.WithTheory(r, alignedKey(lowCell).ExponentBetween(lowCell.Distribution(), highCell.Dimension()))
	haveIntervals := low.Level.Present() && high.Level.Present()
	maxSE := max(lowRelativeSE, highRelativeSE)
	if haveIntervals && maxSE <= experiment.MaxRelativeSE && maxSE > experiment.DegenerateError {
		r = experiment.Interval(r)
	}
	return r
}

// findMeanSquare returns the estimate of the mean square of a cell, or an estimate without a value.
func findMeanSquare(c experiment.Cell, doc *result.Document) result.Estimate {
	for r := range doc.Rows(c.Experiment.Name, names.ScoreMeanSquare, c.Params()) {
		return *r
	}
	return result.Estimate{Value: result.Absent(), SE: result.Absent(), Level: result.Absent()}
}

// newAlignmentCurves returns the curves of theory through the cells of a line.
func newAlignmentCurves(line []experiment.Cell) []result.Curve {
	c, dist := line[0], line[0].Distribution()
	newCurve := func(quantity, kind string, s *rows.Scaling, y func(experiment.Cell) float64) result.Curve {
		params := result.Params{experiment.DistributionAxis.Name: c.Value(experiment.DistributionAxis.Name).Name,
			RhoAxis.Name: alignedKey(c).Rho, rows.KeysAxis.Name: float64(rows.Keys(c))}
		if s != nil {
			params[s.Axis] = s.Value.Any()
		}
		perOctave := experiment.SmoothPerOctave
		if kind == names.TheoryQuadrature {
			perOctave = experiment.SmoothPerOctave / 2
		}
		x := experiment.CurveDimensions(line, perOctave)
		return experiment.NewCurve(line, x, kind, quantity, params, func(d int) float64 { return y(c.AtDimension(d)) })
	}
	curves := []result.Curve{
		newCurve(names.ScoreMeanSquare, names.TheoryExact, nil,
			func(cell experiment.Cell) float64 { return alignedKey(cell).MeanSquare(dist) }),
		newCurve(names.LocalExponent, names.TheoryExact, nil,
			func(cell experiment.Cell) float64 { return alignedKey(cell).LocalExponent(dist) }),
	}
	for i, s := range rows.Scalings(c) {
		scaledMeanSquare := func(cell experiment.Cell) float64 {
			factor := rows.Scalings(cell)[i].Factor
			return float64(alignedKey(cell).MeanSquare(dist) * float64(factor*factor))
		}
		if _, hasLogitRule := s.LogitRule(); !hasLogitRule {
			curves = append(curves, newCurve(names.ScaledMeanSquare, names.TheoryExact, &s, scaledMeanSquare))
		}
		for _, quantity := range alignedQuantities {
			_, kind := meanTheory(c, s, quantity)
			if kind == "" {
				continue
			}
			mean := func(cell experiment.Cell) float64 {
				expected, _ := meanTheory(cell, rows.Scalings(cell)[i], quantity)
				return expected
			}
			curves = append(curves, newCurve(quantity, kind, &s, mean))
		}
	}
	return curves
}
