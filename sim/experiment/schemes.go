package experiment

import (
	"slices"

	"mcsim/sim/result"
	"mcsim/sim/rule"
)

// joinInit adds what the initialisations are and where they are written.
func joinInit(cells []Cell, doc *result.Document) {
	for _, c := range cells {
		s := c.head().Scheme
		addScheme(doc, result.Scheme{Experiment: c.Experiment.Name, Name: s.Name, Title: s.Title, Framework: s.Framework, Source: s.Source, Note: s.Note,
			Entry: s.Formulas.Entry, Query: s.Formulas.Query, Key: s.Formulas.Key, Scale: s.Formulas.Scale, Logit: s.Formulas.Logit})
	}
}

// ruleScheme says what a rule makes of S = q·k, and who proposed it.
func (c Cell) ruleScheme(r rule.Rule) result.Scheme {
	return result.Scheme{Experiment: c.Experiment.Name, Name: r.String(), Source: r.Source(), Logit: r.Formula()}
}

// addScheme adds a scheme that the document does not have.
func addScheme(doc *result.Document, s result.Scheme) {
	if !slices.Contains(doc.Schemes, s) {
		doc.Schemes = append(doc.Schemes, s)
	}
}
