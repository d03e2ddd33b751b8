package view

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"mcsim/cmd/mcsim/show"
	"mcsim/sim/attention/models"
	"mcsim/sim/claim"
	"mcsim/sim/engine/plan"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Explanation lists the meanings of a requested name.
type Explanation struct {
	Name     string    `json:"name"` // as requested
	Meanings []Meaning `json:"meanings"`
}

// Meaning is one meaning of a name: an entry of the table of names, or a field of a file. The Name
// of a field has the file and the path, such as "results.json: budget.alpha".
type Meaning struct {
	names.Entry
	Column string `json:"column,omitempty"` // column of estimates.csv; see findColumn
}

// NewMeaning returns the meaning that an entry of the table of names describes.
func NewMeaning(e names.Entry) Meaning { return Meaning{e, findColumn(e)} }

// groupColumns maps a group of names to the column of estimates.csv that has these names as values.
var groupColumns = map[string]string{
	names.GroupExperiment:     names.ColumnExperiment,
	names.GroupQuantity:       names.ColumnQuantity,
	names.GroupDistribution:   names.ParamDistribution,
	names.GroupRule:           names.ParamRule,
	names.GroupInitialisation: names.ParamInit,
	names.GroupControl:        names.ParamControl,
}

// findColumn returns the column of estimates.csv that has the name of the entry as its heading or
// as a value. The result is empty if no column does.
func findColumn(e names.Entry) string {
	isColumn := e.Group == names.GroupParameter ||
		e.Group == names.GroupColumn && slices.Contains(fixedColumns(), e.Name)
	switch {
	case e.Lines:
		return ""
	case isColumn:
		return e.Name
	}
	return groupColumns[e.Group]
}

// fixedColumns returns the columns of estimates.csv that are not parameters.
var fixedColumns = sync.OnceValue(func() []string {
	var text bytes.Buffer
	if err := result.WriteCSV(&text, nil); err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(text.String()), ",")
})

// Fields returns the fields of the files that have a schema. If a file has several fields with the
// same name and definition, the first represents them.
var Fields = sync.OnceValue(func() (found []Meaning) {
	for _, file := range []struct {
		name   string
		schema map[string]any
	}{{"results.json", result.JSONSchema()}, {"plan", plan.Schema()}, {"file of claims", claim.Schema()}} {
		seen := map[[2]string]bool{}
		visitProperties(file.schema, "", func(path, definition string) {
			m := Meaning{Entry: names.Entry{Group: "field", Name: file.name + ": " + path, Title: definition}}
			nameAndDefinition := [2]string{FieldName(m), definition}
			if definition != "" && !seen[nameAndDefinition] {
				found = append(found, m)
			}
			seen[nameAndDefinition] = true
		})
	}
	return found
})

// FieldName returns the name of a field without its path.
func FieldName(f Meaning) string { return f.Name[strings.LastIndexAny(f.Name, " .")+1:] }

// visitProperties calls visit for every property of a schema and of the schemas nested in it, with
// the path of the property from the root and its definition.
func visitProperties(schema map[string]any, path string, visit func(path, definition string)) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property := properties[name].(map[string]any)
		propertyPath := strings.TrimPrefix(path+"."+name, ".")
		definition, _ := property["description"].(string)
		visit(propertyPath, definition)
		visitProperties(property, propertyPath, visit)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		visitProperties(items, path+"[]", visit)
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		alternatives, _ := schema[key].([]any)
		for _, a := range alternatives {
			visitProperties(a.(map[string]any), path, visit)
		}
	}
}

// Explanations prints what names mean, with an empty line between their meanings.
func Explanations(w io.Writer, explanations []Explanation) {
	gap := ""
	for _, x := range explanations {
		for _, m := range x.Meanings {
			io.WriteString(w, gap)
			printMeaning(w, m)
			gap = "\n"
		}
	}
}

func printMeaning(w io.Writer, m Meaning) {
	show.Paragraph(w, fmt.Sprintf("%s (%s): ", m.Name, m.Group), 2, m.Title)
	printPart := func(heading string, indent int, text string) {
		if text != "" {
			show.Paragraph(w, heading, indent, text)
		}
	}
	unit, column := m.Unit, m.Column
	if unit == "1" {
		unit = "none, a pure number"
	}
	if column != "" && column != m.Name {
		column = "a value of " + column
	}
	printPart("  ", 2, m.Definition)
	const indent = 12
	printPart("  formula", indent, m.Formula)
	printPart("  unit", indent, unit)
	printPart("  range", indent, m.Range)
	printPart("  source", indent, m.Source)
	printPart("  column", indent, column)
}

// KnownNames prints a line for each name in the table of names, group by group.
func KnownNames(w io.Writer) {
	group, gap := "", ""
	for _, e := range names.Entries() {
		if e.Group != group {
			fmt.Fprintf(w, "%s%s:\n", gap, e.Group)
			group, gap = e.Group, "\n"
		}
		show.Paragraph(w, fmt.Sprintf("  %-24s ", e.Name), 27, e.Title)
	}
	fmt.Fprintln(w)
	show.Linef(w, "`mcsim explain NAME` says what one of them means, "+
		"and a field of results.json or a key of a plan.")
}

// NewModelMeaning returns the meaning of the name of a released model; ok is false if no released
// model has the name.
func NewModelMeaning(name string) (meaning Meaning, ok bool) {
	m, err := models.Lookup(name)
	if err != nil {
		return Meaning{}, false
	}
	definition := fmt.Sprintf("The released model %s (%d)%s. "+
		"`mcsim models %s` prints its data and their source.", m.Name, m.Year, describeModelShape(m), m.TypedName())
	return Meaning{Entry: names.Entry{
		Group:      "model",
		Name:       m.TypedName(),
		Title:      m.Name + ", a released model",
		Definition: definition,
	}}, true
}

// describeModelShape describes the heads of a model; it is empty if they are not known.
func describeModelShape(m models.Model) string {
	if m.Model == 0 || m.Key == 0 {
		return ""
	}
	keys := ""
	if m.KeyHeads != m.Heads {
		keys = fmt.Sprintf(", which share %d of keys", m.KeyHeads)
	}
	return fmt.Sprintf(": tokens of %d components, %d heads of d_k %d in a layer%s", m.Model, m.Heads, m.Key, keys)
}
