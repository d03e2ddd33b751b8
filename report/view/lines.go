package view

import (
	"cmp"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Lines returns the lines of a table over the dimensions for the rows that f admits: one
// for each d_k, and where two estimators have a row at one d_k of one law, one for the
// other too.
func (s *Source) Lines(f rows.Filter) (out []Line) {
	type point struct {
		dim       float64
		estimator string // of a row that stands beside another; else empty
	}
	es := s.Estimates(f)
	others := rows.OtherEstimators(es)
	var points []point
	seen := map[point]bool{}
	for i, e := range es {
		d, ok := e.Params.Number(names.ParamDimension)
		for _, p := range []point{{dim: d}, {d, others[i]}} {
			if ok && !seen[p] {
				seen[p] = true
				points = append(points, p)
			}
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.dim, b.dim) })
	for _, p := range points {
		l := Line{digits.Short(p.dim), func(f rows.Filter) rows.Filter { return f.With(names.ParamDimension, p.dim) }}
		if p.estimator != "" {
			l = Line{l.Name + ", " + markdown.Escape(p.estimator), func(f rows.Filter) rows.Filter {
				return f.With(names.ParamDimension, p.dim).With(names.ParamEstimator, p.estimator)
			}}
		}
		out = append(out, l)
	}
	return out
}

func IsGram(e result.Estimate) bool { return e.Estimator == names.EstimatorGram }

// Scores writes how many a row rests on, in italics where they are the
// entries of Gram matrices.
func Scores(e result.Estimate) string {
	if IsGram(e) {
		return "*" + digits.Count(e.N) + "*"
	}
	return digits.Count(e.N)
}
