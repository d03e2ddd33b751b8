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

// line is a line of a table over the dimensions: a d_k, and where two
// estimators have a row at one d_k of one law, a line for the other one too.
type line struct {
	dim       float64
	estimator string // of a line that stands beside another; else empty
}

// Lines returns those of the rows that f admits, by d_k.
func (s *Source) Lines(f rows.Filter) (out []line) {
	es := s.Estimates(f)
	others := rows.OtherEstimators(es)
	seen := map[line]bool{}
	for i, e := range es {
		d, ok := e.Params.Number(names.ParamDimension)
		for _, l := range []line{{dim: d}, {d, others[i]}} {
			if ok && !seen[l] {
				seen[l] = true
				out = append(out, l)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b line) int { return cmp.Compare(a.dim, b.dim) })
	return out
}

// Of returns the filter of the line's row.
func (l line) Of(f rows.Filter) rows.Filter {
	f = f.With(names.ParamDimension, l.dim)
	if l.estimator != "" {
		f = f.With(names.ParamEstimator, l.estimator)
	}
	return f
}

// Name heads the line.
func (l line) Name() string {
	if l.estimator != "" {
		return digits.Short(l.dim) + ", " + markdown.Escape(l.estimator)
	}
	return digits.Short(l.dim)
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

// GramNote explains the italics of scores.
func GramNote(es []result.Estimate) string {
	if !slices.ContainsFunc(es, IsGram) {
		return ""
	}
	return " In italics: every query with every key of a matrix (the Gram estimator of the methods), so these scores are not independent; their errors take account of it."
}
