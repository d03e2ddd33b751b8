package show

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/claim"
	"mcsim/sim/engine/plan"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Explanation is all that stands under one name.
type Explanation struct {
	Name     string      `json:"name"` // as it was asked for
	Meanings []Explained `json:"meanings"`
}

// Explained is one meaning of a name: what the table of names says of it in one of its groups,
// and the column of estimates.csv that has it; or a field of a file, by where it stands:
// results.json: budget.alpha.
type Explained struct {
	names.Entry
	Column string `json:"column,omitempty"`
}

// fieldGroup is what the table of names does not have.
const fieldGroup = "field"

// NewExplained is an entry with its column.
func NewExplained(e names.Entry) Explained {
	return Explained{e, columnOf(e)}
}

// valuesOf is the column, in estimates.csv, whose values are the names of a group.
var valuesOf = map[string]string{
	names.GroupExperiment: names.ColumnExperiment, names.GroupQuantity: names.ColumnQuantity, names.GroupDistribution: names.ParamDistribution,
	names.GroupRule: names.ParamRule, names.GroupInitialisation: names.ParamInit, names.GroupControl: names.ParamControl,
}

// columnOf is the column of estimates.csv that a name is, or is a value of; empty where rows
// do not have it.
func columnOf(e names.Entry) string {
	switch {
	case e.Lines:
		return ""
	case e.Group == names.GroupParameter, e.Group == names.GroupColumn && slices.Contains(fixedColumns(), e.Name):
		return e.Name
	}
	return valuesOf[e.Group]
}

// fixedColumns are those of estimates.csv that every table of rows has.
var fixedColumns = sync.OnceValue(func() []string {
	var text bytes.Buffer
	if err := result.WriteCSV(&text, nil); err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(text.String()), ",")
})

// Fields are those of the files that have a schema, each meaning of a name in a file once.
var Fields = sync.OnceValue(func() (found []Explained) {
	for _, of := range []struct {
		file   string
		schema map[string]any
	}{{"results.json", result.JSONSchema()}, {"plan", plan.Schema()}, {"file of claims", claim.Schema()}} {
		walk(of.schema, "", func(path, definition string) {
			x := Explained{Entry: names.Entry{Group: fieldGroup, Name: of.file + ": " + path, Title: definition}}
			same := func(f Explained) bool {
				return FieldName(f) == FieldName(x) && f.Title == definition && strings.HasPrefix(f.Name, of.file)
			}
			if definition != "" && !slices.ContainsFunc(found, same) {
				found = append(found, x)
			}
		})
	}
	return found
})

// FieldName is the name of a field without its place.
func FieldName(f Explained) string { return f.Name[strings.LastIndexAny(f.Name, " .")+1:] }

// walk visits the properties of a schema, and of the schemas in it.
func walk(schema map[string]any, path string, visit func(path, definition string)) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		of := properties[name].(map[string]any)
		at := strings.TrimPrefix(path+"."+name, ".")
		definition, _ := of["description"].(string)
		visit(at, definition)
		walk(of, at, visit)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		walk(items, path+"[]", visit)
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		some, _ := schema[key].([]any)
		for _, of := range some {
			walk(of.(map[string]any), path, visit)
		}
	}
}

// Explanations prints what names mean, with an empty line between their meanings.
func Explanations(w io.Writer, asked []Explanation) {
	begun := false
	for _, x := range asked {
		for _, e := range x.Meanings {
			if begun {
				fmt.Fprintln(w)
			}
			begun = true
			printMeaning(w, e)
		}
	}
}

// printMeaning prints one meaning of a name.
func printMeaning(w io.Writer, e Explained) {
	Paragraph(w, fmt.Sprintf("%s (%s): ", e.Name, e.Group), 2, e.Title)
	unit, column := e.Unit, e.Column
	if unit == "1" {
		unit = "none, a pure number"
	}
	if column != "" && column != e.Name {
		column = "a value of " + column
	}
	if e.Definition != "" {
		Paragraph(w, "  ", 2, e.Definition)
	}
	for _, of := range []struct{ what, text string }{{"formula", e.Formula}, {"unit", unit}, {"range", e.Range}, {"source", e.Source},
		{"column", column}} {
		if of.text != "" {
			Paragraph(w, fmt.Sprintf("  %-9s ", of.what), 12, of.text)
		}
	}
}

// KnownNames lists all names, group by group, a line each.
func KnownNames(w io.Writer) {
	group := ""
	for _, e := range names.All() {
		if e.Group != group {
			fmt.Fprintf(w, "%s%s:\n", map[bool]string{true: "\n"}[group != ""], e.Group)
		}
		group = e.Group
		Paragraph(w, fmt.Sprintf("  %-24s ", e.Name), 27, e.Title)
	}
	fmt.Fprintln(w, "\n`mcsim explain NAME` says what one of them means, and a field of results.json or a key of a plan.")
}
