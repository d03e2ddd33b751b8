package trust

import (
	"slices"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
)

// unjudged says what no gate judges: experiments as a whole, and of alignment the
// exponents, whose intervals are held against theory instead.
func unjudged(s *view.Source) string {
	if len(s.Doc.Gates) == 0 {
		return "" // the verdict says so
	}
	judged := map[string]bool{names.ExperimentAgreement: true} // by tests of its own
	for _, g := range s.Doc.Gates {
		judged[g.Experiment] = true
	}
	var without []string
	for _, e := range s.Doc.Estimates {
		if !judged[e.Experiment] && !slices.Contains(without, e.Experiment) {
			without = append(without, e.Experiment)
		}
	}
	var said []string
	if len(without) > 0 {
		said = append(said, "No gate judges the rows of "+markdown.Escape(view.Listed(without))+".")
	}
	exponents := rows.Alignment(names.LocalExponent).Within(rows.AlignmentGrid(s.Doc))
	if held := view.Holding(s.Estimates(exponents)); held != "" {
		said = append(said, held)
	}
	return strings.Join(said, " ")
}
