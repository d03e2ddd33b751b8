package report

import (
	"fmt"
	"mcsim/report/chart"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// shapeText is a shape as a heading of columns.
func shapeText(shape result.Params) string {
	return numberOf(shape, "d_model") + "/" + numberOf(shape, "d_k")
}

// modelsOf lists the models whose heads have a shape.
func (s *source) modelsOf(shape result.Params) []result.Model {
	var found []result.Model
	for _, m := range s.doc.Models {
		if float64(m.Model) == shape["d_model"] && float64(m.Key) == shape["d_k"] {
			found = append(found, m)
		}
	}
	return found
}

// shapes says which shapes there are, whose they are, and between which
// standard deviations a logit lies there.
func (s *source) shapes() table {
	t := table{
		Caption: "The shapes at which initialisations were drawn, the models that have them, with the number of their query heads, and the smallest standard deviation of a logit above 0 and the largest there." + conciseNote,
		Head:    []string{"D", "d_k", "models (heads)", "initialisations", "smallest σ", "largest σ"},
		Left:    []int{2},
	}
	all := rows.InitShapes(s.doc)
	for _, shape := range all {
		es := s.estimates(rows.Init("logit_sd").Within(shape))
		low, high := digits.None, digits.None // of one there is no range
		if l, h, ok := chart.SpreadOf(es); ok {
			low, high = namedConcise(l), namedConcise(h)
		}
		t.Rows = append(t.Rows, []string{numberOf(shape, "d_model"), numberOf(shape, "d_k"), modelNames(s.modelsOf(shape)),
			digits.Count(int64(len(es))), low, high})
	}
	if len(all) < 2 {
		return table{}
	}
	return t
}

func modelNames(models []result.Model) string {
	var names []string
	for _, m := range models {
		names = append(names, fmt.Sprintf("%s (%d)", escape(m.Name), m.Heads))
	}
	return strings.Join(names, ", ")
}

// namedConcise writes a row with the name of its initialisation.
func namedConcise(e result.Estimate) string {
	name, _ := e.Params.Text("init")
	return concise(e) + " " + escape(name)
}

// mostShapes is how many shapes stand side by side in a table.
const mostShapes = 4

// otherShapes holds the standard deviation of a logit at every shape but the one
// of the ledger, shapes with the same initialisations side by side.
func (s *source) otherShapes(main result.Params) []scaleTable {
	var groups []shapeGroup
	for _, shape := range rows.InitShapes(s.doc) {
		if shapeText(shape) == shapeText(main) {
			continue
		}
		names := rows.Names(s.estimates(rows.Init("logit_sd").Within(shape)), "init")
		at := slices.IndexFunc(groups, func(g shapeGroup) bool {
			return len(g.shapes) < mostShapes && slices.Equal(g.names, names)
		})
		if at < 0 {
			at = len(groups)
			groups = append(groups, shapeGroup{names: names})
		}
		groups[at].shapes = append(groups[at].shapes, shape)
	}
	var tables []scaleTable
	for _, g := range groups {
		tables = append(tables, scaleTable{Table: s.sideBySide(g)})
	}
	return tables
}

// shapeGroup is some shapes with the same initialisations.
type shapeGroup struct {
	names  []string
	shapes []result.Params
}

// sideBySide holds the standard deviations of a group and their theory.
func (s *source) sideBySide(g shapeGroup) table {
	var at []string
	t := table{Head: []string{"initialisation"}}
	for _, shape := range g.shapes {
		text := shapeText(shape)
		t.Head = append(t.Head, "σ at "+text, "theory")
		if models := s.modelsOf(shape); len(models) > 0 {
			text += ", " + modelNames(models)
		}
		at = append(at, text)
	}
	t.Caption = "Standard deviation of a logit under the score scale of each framework, at D/d_k of " + strings.Join(at, "; ") + "." + conciseNote
	for _, name := range g.names {
		line := []string{escape(name)}
		for _, shape := range g.shapes {
			line = append(line, s.held(rows.Init("logit_sd").Within(shape).With("init", name))[:2]...)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// ownShape is an initialisation that is named after one model, at the shape of
// that model and at the one of the ledger.
type ownShape struct{ Name, Model, Dim, Key, There, Here string }

// initNameOf is the name that an initialisation of one model has: that of
// Gemma-2 27B is gemma2-27b.
func initNameOf(m result.Model) string {
	family, size, _ := strings.Cut(m.Name, " ")
	return strings.ToLower(strings.ReplaceAll(family, "-", "") + "-" + size)
}

// ownShapes finds initialisations of one model that the ledger has at a shape
// which is not that model's.
func (s *source) ownShapes(main result.Params) []ownShape {
	var found []ownShape
	sd := func(shape result.Params, name string) (result.Estimate, bool) {
		return rows.One(s.doc, rows.Init("logit_sd").Within(shape).With("init", name))
	}
	for _, shape := range rows.InitShapes(s.doc) {
		for _, m := range s.modelsOf(shape) {
			name := initNameOf(m)
			there, drawn := sd(shape, name)
			here, also := sd(main, name)
			if drawn && also && shapeText(shape) != shapeText(main) {
				found = append(found, ownShape{escape(name), escape(m.Name), numberOf(shape, "d_model"), numberOf(shape, "d_k"), measured(there), measured(here)})
			}
		}
	}
	return found
}
