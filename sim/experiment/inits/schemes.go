package inits

import (
	"mcsim/sim/attention/models"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
)

// finishInit adds the schemes of the cells with their sources, and the models whose heads have the
// shapes of the cells.
func finishInit(sampled experiment.SampledCells, doc *result.Document) error {
	for _, c := range sampled.Cells {
		h := cellHead(c)
		s := h.Scheme
		doc.AddScheme(result.Scheme{Experiment: c.Experiment.Name, Name: s.Name, Title: s.Title, Framework: s.Framework,
			Source: s.Source, Note: s.Note, Entry: s.Formulas.Entry, Query: s.Formulas.Query, Key: s.Formulas.Key,
			Scale: s.Formulas.Scale, Logit: s.Formulas.Logit})
		for _, m := range models.WithShape(h.Shape) {
			doc.AddModel(result.Model{Name: m.Name, Model: m.Model, Key: m.Key, Heads: m.Heads})
		}
	}
	return nil
}
