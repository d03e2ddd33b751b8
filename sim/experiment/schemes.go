package experiment

import (
	"slices"

	"mcsim/sim/result"
	"mcsim/sim/rule"
	"mcsim/sim/weights"
)

// joinInit adds what the initialisations are and where they are written, and the
// models whose heads have the shapes.
func joinInit(cells []Cell, doc *result.Document) {
	for _, c := range cells {
		s := c.head().Scheme
		addScheme(doc, result.Scheme{Experiment: c.Experiment.Name, Name: s.Name, Title: s.Title, Framework: s.Framework, Source: s.Source, Note: s.Note,
			Entry: s.Formulas.Entry, Query: s.Formulas.Query, Key: s.Formulas.Key, Scale: s.Formulas.Scale, Logit: s.Formulas.Logit})
		for _, m := range weights.ModelsOf(c.head().Shape) {
			addModel(doc, result.Model{Name: m.Name, Model: m.Model, Key: m.Key, Heads: m.Heads})
		}
	}
}

// addModel adds a model that the document does not have.
func addModel(doc *result.Document, m result.Model) {
	if !slices.Contains(doc.Models, m) {
		doc.Models = append(doc.Models, m)
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
