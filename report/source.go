package report

import (
	"encoding/json"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// source is the document as the views read it.
type source struct {
	doc  *result.Document
	plan plan
	law  string // the law that stands for all where one must be chosen
	run  Run
	// files are those that stand beside the pages, by name.
	files map[string]bool
}

// plan is what the pages say about the plan.
type plan struct {
	Name      string        `json:"name"`
	Tolerance result.Number `json:"tolerance"`
}

func newSource(doc *result.Document, run Run, files map[string]bool) *source {
	s := &source{doc: doc, law: rows.LeadLaw(doc), run: run, files: files}
	// A plan that lacks these, or names them otherwise, is shown without them.
	s.plan.Tolerance = result.Absent()
	_ = json.Unmarshal(doc.Plan, &s.plan)
	return s
}

func (s *source) estimates(f rows.Filter) []result.Estimate { return rows.Estimates(s.doc, f) }

// measured writes a row's value with its error, which stay on one line, or
// with a mark where its error is not known.
func measured(e result.Estimate) string {
	text := strings.ReplaceAll(digits.PlusMinus(float64(e.Value), float64(e.SE)), " ", "\u00a0")
	if unknown(e) {
		text += unsure
	}
	return text
}

// interval writes a row's confidence interval.
func interval(e result.Estimate) string {
	return digits.IntervalOf(float64(e.Lo), float64(e.Hi), float64(e.SE))
}

func short(n result.Number) string { return digits.Short(float64(n)) }

// level says which confidence the intervals of the rows have.
func level(es []result.Estimate) string {
	for _, e := range es {
		if e.Level.Present() {
			return digits.Percent(float64(e.Level))
		}
	}
	return "confidence"
}
