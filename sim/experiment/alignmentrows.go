package experiment

import (
	"math"
	"strings"

	"mcsim/sim/elementary"
	"mcsim/sim/law"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

func alignmentFindings(c Cell, n moments.Node) Findings {
	var f Findings
	f.addAligned(c, n.Moments[0])
	f.addFirst(c, n.Counts[0], n.Moments[0].N)
	for i, s := range c.scalings() {
		columns := n.Moments[1+i*alignedMeans:]
		for j, quantity := range alignedQuantities {
			f.addAlignedMean(c, s, quantity, columns[j])
		}
	}
	return f
}

// addAligned adds what is known exactly: moments of the aligned key's score,
// and what the exponents make of its mean square.
func (f *Findings) addAligned(c Cell, m moments.Moments) {
	a := c.aligned()
	e, want, d := a.Exact(c.Law()), a.MeanSquare(c.Law()), float64(c.Dimension())
	sure := e.ErrorOfError(m.N)
	f.addSteady(exact(c.row(names.ScoreMean, m.N, m.Mean, e.MeanSE(m.N)), e.Mean), e.ErrorOfMeanError(m.N))
	f.addSteady(exact(c.row(names.ScoreVariance, m.N, m.Variance(), e.VarianceSE(m.N)), e.Variance), sure)

	square := float64(m.Mean*m.Mean) + m.Sum[2]/float64(m.N)
	se := e.SquareSE(m.N)
	f.addSteady(exact(c.row(names.ScoreMeanSquare, m.N, square, se), want), sure)
	for _, s := range c.scalings() {
		scale := float64(s.factor * s.factor)
		f.addSteady(exact(c.scaled(s, names.ScaledMeanSquare, m.N, square*scale, se*scale), want*scale), sure)
	}
	if d > 1 {
		f.addSteady(powerOfOne(c, names.UnitExponent, m.N, square, se, want), sure)
	}
}

// addFirst adds the share of rows in which the aligned key's score is the
// greatest, with the exact interval of a binomial count.
func (f *Findings) addFirst(c Cell, count, rows int64) {
	share := float64(count) / float64(rows)
	r := c.row(names.AlignedFirstShare, rows, share, math.Sqrt(float64(share*(1-share))/float64(rows)))
	lo, hi := theory.ClopperPearson(count, rows, (1-Level)/2)
	r.Lo, r.Hi, r.Level = result.Number(lo), result.Number(hi), Level
	switch l := c.Law(); {
	case l.Name() == names.LawNormal:
		r.Theory, r.TheoryKind = result.Number(c.alignedRow(c.scalings()).First), names.TheoryQuadrature
	case c.aligned().Rho == 0 && !ties(l, c.Dimension()):
		r = exact(r, 1/float64(c.keys()))
	}
	f.Rows = append(f.Rows, r)
}

// ties reports whether two keys can have the same score.
func ties(l law.Law, d int) bool {
	return l.Name() == names.LawRademacher || l.Name() == names.LawBernoulliGaussian || l.Name() == names.LawSphere && d == 1
}

// alignedRow is theory for normal components under the first of the scalings;
// which scaling it is has no part in which key is first.
func (c Cell) alignedRow(scalings []scaling) theory.AlignedRow {
	a, factor := c.aligned(), 1.0
	if len(scalings) > 0 {
		factor = scalings[0].factor
	}
	return theory.AlignedSoftmax(c.keys(), a.D, a.Rho, factor)
}

// addAlignedMean adds a mean over rows, with its own error.
func (f *Findings) addAlignedMean(c Cell, s scaling, quantity string, m moments.Moments) {
	se := math.Sqrt(max(m.Variance(), 0) / float64(m.N))
	if se <= float64(math.Abs(m.Mean)*rowRounding) {
		se = 0
	}
	r := c.scaled(s, quantity, m.N, m.Mean, se)
	if want, kind := c.alignedTheory(s, quantity); kind != "" {
		r.Theory, r.TheoryKind = result.Number(want), kind
	}
	f.addMean(r, relativeError(m), s.certain())
}

// alignedTheory is what is known of a mean, of no kind if nothing is. Without
// alignment all keys are alike, and no exponent is needed to know what one gets.
func (c Cell) alignedTheory(s scaling, quantity string) (float64, string) {
	normal := c.Law().Name() == names.LawNormal
	switch {
	case quantity == alignedQuantities[alignedWeight] && c.aligned().Rho == 0:
		return 1 / float64(c.keys()), names.TheoryExact
	case quantity == alignedQuantities[alignedWeight] && normal:
		return c.alignedRow([]scaling{s}).Weight, names.TheoryQuadrature
	case quantity == alignedQuantities[alignedSurvival] && normal:
		return c.alignedRow([]scaling{s}).Survival, names.TheoryQuadrature
	}
	return math.NaN(), ""
}

// joinAlignment adds the exponents between neighbouring dimensions, and the
// lines of theory.
func joinAlignment(cells []Cell, doc *result.Document) {
	of := doc.Estimates
	for _, line := range alignedLines(cells) {
		for i := 1; i < len(line); i++ {
			doc.Estimates = append(doc.Estimates, exponentBetween(line[i-1], line[i], of))
		}
		doc.Curves = append(doc.Curves, alignedCurves(line)...)
	}
}

// alignedLines are the cells that differ in d_k alone.
func alignedLines(cells []Cell) [][]Cell {
	type point struct {
		law      string
		rho      float64
		keys     int
		scalings string
	}
	return linesOf(cells, func(c Cell) point {
		return point{c.Values[lawAxis.Name].Name, c.aligned().Rho, c.keys(), keptScalings(c.scalings())}
	})
}

// exponentBetween is ½ the slope of ln E S² on ln d_k between two neighbouring
// dimensions: the exponent that keeps the size of the score from the one to the
// other. The two are drawn independently. It stands at their geometric mean.
func exponentBetween(a, b Cell, rows []result.Estimate) result.Estimate {
	low, high := float64(a.Dimension()), float64(b.Dimension())
	here := dimensionAxis.Name + "=" + a.Values[dimensionAxis.Name].String()
	of := NewPoint(a.Experiment, strings.Replace(a.ID, here, here+".."+b.Values[dimensionAxis.Name].String(), 1), a.Values)
	x, y := meanSquareOf(a, rows), meanSquareOf(b, rows)
	width := 2 * elementary.Log(high/low)
	value := elementary.Log(float64(y.Value/x.Value)) / width
	e, g := float64(x.SE/x.Theory), float64(y.SE/y.Theory)
	se := math.Sqrt(float64(e*e)+float64(g*g)) / width
	r := of.row(names.LocalExponent, min(x.N, y.N), value, se, dimensionAxis.Name, math.Sqrt(float64(low*high)))
	r = exact(r, a.aligned().ExponentBetween(a.Law(), b.Dimension()))
	if x.Level.Present() && y.Level.Present() && max(e, g) <= maxRelativeSE && max(e, g) > steadyError {
		r = interval(r)
	}
	return r
}

// meanSquareOf is the row of a cell's mean square.
func meanSquareOf(c Cell, rows []result.Estimate) result.Estimate {
	for _, r := range rows {
		if r.Cell == c.ID && r.Quantity == names.ScoreMeanSquare {
			return r
		}
	}
	return result.Estimate{Value: result.Absent(), SE: result.Absent(), Level: result.Absent()}
}

// alignedCurves are the lines of theory through the cells of a line.
func alignedCurves(line []Cell) []result.Curve {
	c, l := line[0], line[0].Law()
	x := dimensions(line)
	curve := func(quantity, kind string, s *scaling, y func(Cell) float64) result.Curve {
		params := result.Params{lawAxis.Name: c.Values[lawAxis.Name].Name, rhoAxis.Name: c.aligned().Rho, keysAxis.Name: float64(c.keys())}
		if s != nil {
			params[s.axis] = s.value.Any()
		}
		out := result.Curve{Experiment: c.Experiment.Name, Quantity: quantity, Params: params, Axis: dimensionAxis.Name, X: x, Kind: kind}
		for _, at := range line {
			out.Y = append(out.Y, result.Number(y(at)))
		}
		return out
	}
	curves := []result.Curve{
		curve(names.ScoreMeanSquare, names.TheoryExact, nil, func(at Cell) float64 { return at.aligned().MeanSquare(l) }),
		curve(names.LocalExponent, names.TheoryExact, nil, func(at Cell) float64 { return at.aligned().LocalExponent(l) }),
	}
	for i := range c.scalings() {
		s := c.scalings()[i]
		curves = append(curves, curve(names.ScaledMeanSquare, names.TheoryExact, &s, func(at Cell) float64 {
			factor := at.scalings()[i].factor
			return float64(at.aligned().MeanSquare(l) * float64(factor*factor))
		}))
		for _, quantity := range alignedQuantities {
			if _, kind := c.alignedTheory(s, quantity); kind != "" {
				curves = append(curves, curve(quantity, kind, &s, func(at Cell) float64 {
					want, _ := at.alignedTheory(at.scalings()[i], quantity)
					return want
				}))
			}
		}
	}
	return curves
}
