package page

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/chart"
	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// shapeText is a shape as a heading of columns.
func shapeText(shape result.Params) string {
	return view.NumberIn(shape, names.ParamModel) + "/" + view.NumberIn(shape, names.ParamDimension)
}

// modelsOf lists the models whose heads have a shape.
func modelsOf(s *view.Source, shape result.Params) []result.Model {
	var found []result.Model
	for _, m := range s.Doc.Models {
		if float64(m.Model) == shape[names.ParamModel] && float64(m.Key) == shape[names.ParamDimension] {
			found = append(found, m)
		}
	}
	return found
}

// shapes says which shapes there are, whose they are, and between which
// standard deviations a logit lies there.
func shapes(s *view.Source) view.Table {
	t := view.Table{
		Caption: "The shapes at which initialisations were drawn, the models that have them, with the number of their query heads, and the smallest standard deviation of a logit above 0 and the largest there.",
		Head:    []string{"D", names.ParamDimension, "models (heads)", "initialisations", "smallest σ", "largest σ"},
		Left:    []int{2},
	}
	all := rows.InitShapes(s.Doc)
	for _, shape := range all {
		es := s.Estimates(rows.Init(names.LogitSD).Within(shape))
		low, high := digits.None, digits.None // of one there is no range
		if l, h, ok := chart.SpreadOf(es); ok {
			low, high = namedConcise(l), namedConcise(h)
		}
		t.Rows = append(t.Rows, []string{view.NumberIn(shape, names.ParamModel), view.NumberIn(shape, names.ParamDimension), modelNames(modelsOf(s, shape)),
			digits.Count(int64(len(es))), low, high})
	}
	if len(all) < 2 {
		return view.Table{}
	}
	return t
}

// modelNames lists models with their numbers of heads.
func modelNames(models []result.Model) string {
	var shown []string
	for _, m := range models {
		shown = append(shown, fmt.Sprintf("%s (%d)", markdown.Escape(m.Name), m.Heads))
	}
	return strings.Join(shown, ", ")
}

// namedConcise writes a row with the name of its initialisation.
func namedConcise(e result.Estimate) string {
	name, _ := e.Params.Text(names.ParamInit)
	return view.Concise(e) + " " + markdown.Escape(name)
}

// mostShapes is how many shapes stand side by side in a table.
const mostShapes = 4

// otherShapes holds the standard deviation of a logit at every shape but the one
// of the ledger, shapes with the same initialisations side by side.
func otherShapes(s *view.Source, main result.Params) []scaleTable {
	var groups []shapeGroup
	for _, shape := range rows.InitShapes(s.Doc) {
		if shapeText(shape) == shapeText(main) {
			continue
		}
		inits := rows.Names(s.Estimates(rows.Init(names.LogitSD).Within(shape)), names.ParamInit)
		at := slices.IndexFunc(groups, func(g shapeGroup) bool {
			return len(g.shapes) < mostShapes && slices.Equal(g.inits, inits)
		})
		if at < 0 {
			at = len(groups)
			groups = append(groups, shapeGroup{inits: inits})
		}
		groups[at].shapes = append(groups[at].shapes, shape)
	}
	var tables []scaleTable
	for _, g := range groups {
		tables = append(tables, scaleTable{Name: shapeText(g.shapes[0]), Table: sideBySide(s, g)})
	}
	return tables
}

// shapeGroup is some shapes with the same initialisations.
type shapeGroup struct {
	inits  []string
	shapes []result.Params
}

// sideBySide holds the standard deviations of a group and their theory.
func sideBySide(s *view.Source, g shapeGroup) view.Table {
	var at []string
	var columns []view.Column
	for _, shape := range g.shapes {
		text := shapeText(shape)
		columns = append(columns, view.Column{Heads: []string{"σ at " + text, "theory"}, Rows: rows.Init(names.LogitSD).Within(shape), Write: view.BesideTheory})
		if models := modelsOf(s, shape); len(models) > 0 {
			text += ", " + modelNames(models)
		}
		at = append(at, text)
	}
	return s.Fill(view.Table{
		Caption: "Standard deviation of a logit under the score scale of each framework, at D/d_k of " + strings.Join(at, "; ") + ".",
		Head:    []string{"initialisation"},
	}, view.LinesOf(names.ParamInit, g.inits, markdown.Escape), columns)
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
func ownShapes(s *view.Source, main result.Params) []ownShape {
	var found []ownShape
	sd := func(shape result.Params, name string) (result.Estimate, bool) {
		return rows.One(s.Doc, rows.Init(names.LogitSD).Within(shape).With(names.ParamInit, name))
	}
	for _, shape := range rows.InitShapes(s.Doc) {
		for _, m := range modelsOf(s, shape) {
			name := initNameOf(m)
			there, drawn := sd(shape, name)
			here, also := sd(main, name)
			if drawn && also && shapeText(shape) != shapeText(main) {
				found = append(found, ownShape{markdown.Escape(name), markdown.Escape(m.Name), view.NumberIn(shape, names.ParamModel), view.NumberIn(shape, names.ParamDimension), view.Said(there), view.Said(here)})
			}
		}
	}
	return found
}
