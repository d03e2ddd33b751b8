package training

import (
	"math"
	"slices"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// lineEstimates are what is said of rules over d_k: how the best rate goes with it, and how
// trained queries and keys are aligned.
func lineEstimates(sweeps []*sweep) (rows []result.Estimate) {
	for _, line := range experiment.Grouped(sweeps, func(s *sweep) string { return pointOf(s.trials[0].cell, names.ParamDimension).ID }) {
		if len(line) < 2 {
			continue
		}
		slices.SortFunc(line, func(a, b *sweep) int { return a.Dimension - b.Dimension })
		point := pointOf(line[0].trials[0].cell, names.ParamDimension)
		rows = append(rows, rateSlope(point, line))
		for _, step := range []int{0, line[0].Steps} {
			rows = append(rows, alignment(point, line, step))
		}
	}
	return rows
}

// rateSlope is the power of d_k with which the best rate goes, beside what is expected of
// it. The interval goes through what each seed for the choice would have chosen alone.
func rateSlope(point experiment.Cell, line []*sweep) result.Estimate {
	through := func(of func(*sweep) float64) float64 { return slope(line, of) }
	own := make([]float64, tuning)
	for i := range own {
		own[i] = through(func(s *sweep) float64 { return rate(s.Setting, s.best(ofSeed(i)).octave) })
	}
	r := addMedian(begun(point, "rate_slope"), own, usual)
	r.Value = result.Number(through(func(s *sweep) float64 { return rate(s.Setting, s.best(tuned).octave) }))
	r.Lo, r.Hi = min(r.Lo, r.Value), max(r.Hi, r.Value)
	// Rates stand about a reference that goes as expected, so that only a sweep that is wide
	// enough can find another power; and what was predicted was so of the declared steps.
	if !slices.ContainsFunc(line, func(s *sweep) bool { return !s.whole() || s.Steps != names.ContrastSteps }) {
		r.Theory, r.TheoryKind = result.Number(training.RateSlope(line[0].Rule, line[0].Adam)), names.TheoryLimit
	}
	return r
}

// alignment is the exponent that keeps the score of a query and the key it asks for: 1 and
// the slope of the root mean square of their cosine, for each seed by itself. It is ½ for
// independent ones, and 1 for those that point the same way at every d_k.
func alignment(point experiment.Cell, line []*sweep, step int) result.Estimate {
	of := atEnd
	if step == 0 {
		of = atStart
	}
	var own []float64
	for seed := range judging {
		if slices.ContainsFunc(line, func(s *sweep) bool { r := s.best(tuned).judges()[seed]; return r.Blown }) {
			continue
		}
		own = append(own, 1+slope(line, func(s *sweep) float64 { return of(&s.best(tuned).judges()[seed]).Cosine }))
	}
	return addMedian(begun(point, "learnt_exponent", names.ParamStep, float64(step)), own, usual)
}

// slope is that of ln y on ln d_k, by least squares.
func slope(line []*sweep, y func(*sweep) float64) float64 {
	var points experiment.Slope
	for _, s := range line {
		points.X, points.Y = append(points.X, elementary.Log(float64(s.Dimension))), append(points.Y, elementary.Log(y(s)))
		points.Weight = append(points.Weight, 1)
	}
	found, _ := points.Fit()
	return math.Round(float64(found*1e12))/1e12 + 0 // and not −0
}
