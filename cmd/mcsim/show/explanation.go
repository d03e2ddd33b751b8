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

// Explanation lists the meanings of a requested name.
type Explanation struct {
	Name     string    `json:"name"` // as requested
	Meanings []Meaning `json:"meanings"`
}

// Meaning is one meaning of a name: an entry of the table of names, with its column in
// estimates.csv; or a field of a file, with its path, such as results.json: budget.alpha.
type Meaning struct {
	names.Entry
	Column string `json:"column,omitempty"`
}

// NewMeaning returns the meaning that an entry describes.
func NewMeaning(e names.Entry) Meaning { return Meaning{e, findColumn(e)} }

// groupColumns maps a group of names to the column of estimates.csv whose values they are.
var groupColumns = map[string]string{
	names.GroupExperiment:     names.ColumnExperiment,
	names.GroupQuantity:       names.ColumnQuantity,
	names.GroupDistribution:   names.ParamDistribution,
	names.GroupRule:           names.ParamRule,
	names.GroupInitialisation: names.ParamInit,
	names.GroupControl:        names.ParamControl,
}

// findColumn returns the column of estimates.csv that has the name, or has it as a value; empty if
// there is none.
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
	for _, schema := range []struct {
		file   string
		schema map[string]any
	}{{"results.json", result.JSONSchema()}, {"plan", plan.Schema()}, {"file of claims", claim.Schema()}} {
		seen := map[[2]string]bool{}
		visitProperties(schema.schema, "", func(path, definition string) {
			x := Meaning{Entry: names.Entry{Group: "field", Name: schema.file + ": " + path, Title: definition}}
			meaning := [2]string{FieldName(x), definition}
			if definition != "" && !seen[meaning] {
				found = append(found, x)
			}
			seen[meaning] = true
		})
	}
	return found
})

// FieldName returns the name of a field without its path.
func FieldName(f Meaning) string { return f.Name[strings.LastIndexAny(f.Name, " .")+1:] }

// visitProperties calls visit for the properties of a schema and of the schemas in it.
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
		for _, e := range x.Meanings {
			io.WriteString(w, gap)
			printMeaning(w, e)
			gap = "\n"
		}
	}
}

// printMeaning prints one meaning of a name.
func printMeaning(w io.Writer, e Meaning) {
	Paragraph(w, fmt.Sprintf("%s (%s): ", e.Name, e.Group), 2, e.Title)
	printPart := func(heading string, indent int, text string) {
		if text != "" {
			Paragraph(w, heading, indent, text)
		}
	}
	unit, column := e.Unit, e.Column
	if unit == "1" {
		unit = "none, a pure number"
	}
	if column != "" && column != e.Name {
		column = "a value of " + column
	}
	printPart("  ", 2, e.Definition)
	printPart("  formula", 12, e.Formula)
	printPart("  unit", 12, unit)
	printPart("  range", 12, e.Range)
	printPart("  source", 12, e.Source)
	printPart("  column", 12, column)
}

// KnownNames lists all names, group by group, a line each.
func KnownNames(w io.Writer) {
	group, gap := "", ""
	for _, e := range names.Entries() {
		if e.Group != group {
			fmt.Fprintf(w, "%s%s:\n", gap, e.Group)
			group, gap = e.Group, "\n"
		}
		Paragraph(w, fmt.Sprintf("  %-24s ", e.Name), 27, e.Title)
	}
	fmt.Fprintln(w, "\n`mcsim explain NAME` says what one of them means, "+
		"and a field of results.json or a key of a plan.")
}
