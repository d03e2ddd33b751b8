package report

import (
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// line is a line of a table over the dimensions: a d_k, and where two
// estimators have a row at one d_k of one law, a line for the other one too.
type line struct {
	dim       float64
	estimator string // of a line that stands beside another; else empty
}

// lines returns those of the rows that f admits.
func (s *source) lines(f rows.Filter) []line {
	es := s.estimates(f)
	var out []line
	for _, d := range rows.Numbers(es, "d_k") {
		out = append(out, line{dim: d})
		var others []string
		for _, e := range es {
			if at, _ := e.Params.Number("d_k"); at != d {
				continue
			}
			if name, ok := rows.Second(es, e); ok && !slices.Contains(others, name) {
				others = append(others, name)
				out = append(out, line{d, name})
			}
		}
	}
	return out
}

// of returns the filter of the line's row.
func (l line) of(f rows.Filter) rows.Filter {
	f = f.With("d_k", l.dim)
	if l.estimator != "" {
		f = f.With("estimator", l.estimator)
	}
	return f
}

// name heads the line.
func (l line) name() string {
	if l.estimator != "" {
		return digits.Short(l.dim) + ", " + escape(l.estimator)
	}
	return digits.Short(l.dim)
}

func isGram(e result.Estimate) bool { return e.Estimator == "gram" }

// scores writes how many a row rests on, in italics where they are the
// entries of Gram matrices.
func scores(e result.Estimate) string {
	if isGram(e) {
		return "*" + digits.Count(e.N) + "*"
	}
	return digits.Count(e.N)
}

// gramNote explains the italics of scores.
func gramNote(es []result.Estimate) string {
	if !slices.ContainsFunc(es, isGram) {
		return ""
	}
	return " In italics: every query with every key of a matrix (the Gram estimator of the methods), so these scores are not independent; their errors take account of it."
}
