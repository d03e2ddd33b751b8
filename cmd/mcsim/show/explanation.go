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
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
)

// Explanation is all that stands under one name.
type Explanation struct {
	Name     string      `json:"name"` // as it was asked for
	Entries  []Explained `json:"names"`
	Fields   []Field     `json:"fields"`
	Flags    []Flag      `json:"flags"`
	Commands []Command   `json:"commands"`
}

// Empty reports whether nothing has the name.
func (x Explanation) Empty() bool {
	return len(x.Entries)+len(x.Fields)+len(x.Flags)+len(x.Commands) == 0
}

// Explained is what the table of names says of a name in one of its groups, and the column
// of estimates.csv that has it.
type Explained struct {
	Group      string `json:"group"`
	Name       string `json:"name"`
	Title      string `json:"title"`
	Definition string `json:"definition"`
	Formula    string `json:"formula,omitempty"`
	Unit       string `json:"unit,omitempty"`
	Range      string `json:"range,omitempty"`
	Source     string `json:"source,omitempty"`
	Column     string `json:"column,omitempty"`
}

// Field is a field of a file that has a schema, with what it means there.
type Field struct {
	Name       string `json:"-"`
	Place      string `json:"at"` // results.json: budget.alpha
	Definition string `json:"definition"`
}

// Command is a command with what it does in a few words.
type Command struct {
	Name string `json:"command"`
	Help string `json:"help"`
}

// Flag is a flag with the commands that take it. Commands may say different things of a
// flag: then it stands several times.
type Flag struct {
	Name     string   `json:"flag"`
	Help     string   `json:"help"`
	Commands []string `json:"commands"`
}

// NewExplained is an entry with its column.
func NewExplained(e names.Entry) Explained {
	return Explained{Group: e.Group, Name: e.Name, Title: e.Title, Definition: e.Definition, Formula: e.Formula,
		Unit: e.Unit, Range: e.Range, Source: e.Source, Column: columnOf(e)}
}

// valuesOf is the column, in estimates.csv, whose values are the names of a group.
var valuesOf = map[string]string{
	names.GroupExperiment: names.ColumnExperiment, names.GroupQuantity: names.ColumnQuantity, names.GroupLaw: names.ParamLaw,
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
var Fields = sync.OnceValue(func() (found []Field) {
	for _, of := range []struct {
		file   string
		schema map[string]any
	}{{"results.json", result.JSONSchema()}, {"plan", plan.Schema()}, {"file of claims", claim.Schema()}} {
		walk(of.schema, "", func(name, path, definition string) {
			same := func(f Field) bool {
				return f.Name == name && f.Definition == definition && strings.HasPrefix(f.Place, of.file)
			}
			if definition != "" && !slices.ContainsFunc(found, same) {
				found = append(found, Field{name, of.file + ": " + path, definition})
			}
		})
	}
	return found
})

// walk visits the properties of a schema, and of the schemas in it.
func walk(schema map[string]any, path string, visit func(name, path, definition string)) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		of := properties[name].(map[string]any)
		at := strings.TrimPrefix(path+"."+name, ".")
		definition, _ := of["description"].(string)
		visit(name, at, definition)
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

// Explanations prints what names mean.
func Explanations(w io.Writer, asked []Explanation) {
	begun := false
	begin := func(what, text string) {
		if begun {
			fmt.Fprintln(w)
		}
		begun = true
		Paragraph(w, what+": ", 2, text)
	}
	for _, x := range asked {
		for _, e := range x.Entries {
			begin(fmt.Sprintf("%s (%s)", e.Name, e.Group), e.Title)
			printEntry(w, e)
		}
		for _, f := range x.Fields {
			begin(f.Place+" (field)", f.Definition)
		}
		for _, f := range x.Flags {
			begin("--"+f.Name+" (flag)", f.Help)
			printSaid(w, "taken by", strings.Join(f.Commands, ", "))
		}
		for _, c := range x.Commands {
			begin(c.Name+" (command)", c.Help)
			printSaid(w, "more", "`mcsim help "+c.Name+"`")
		}
	}
}

// printEntry prints an entry below its title.
func printEntry(w io.Writer, e Explained) {
	Paragraph(w, "  ", 2, e.Definition)
	unit, column := e.Unit, e.Column
	if unit == "1" {
		unit = "none, a pure number"
	}
	if column != "" && column != e.Name {
		column = "a value of " + column
	}
	for _, of := range []struct{ what, text string }{{"formula", e.Formula}, {"unit", unit}, {"range", e.Range}, {"source", e.Source}, {"column", column}} {
		printSaid(w, of.what, of.text)
	}
}

// printSaid prints what an entry has of one kind, if it has any.
func printSaid(w io.Writer, what, text string) {
	if text != "" {
		Paragraph(w, fmt.Sprintf("  %-9s ", what), 12, text)
	}
}

// KnownNames lists all names, flags and commands, group by group, a line each; flags are sorted
// by their names.
func KnownNames(w io.Writer, flags []Flag, commands []Command) {
	group := ""
	named := func(of, name, title string) {
		if of != group && group != "" {
			fmt.Fprintln(w)
		}
		if of != group {
			fmt.Fprintln(w, of+":")
		}
		group = of
		Paragraph(w, fmt.Sprintf("  %-24s ", name), 27, title)
	}
	for _, e := range names.All() {
		named(e.Group, e.Name, e.Title)
	}
	for i := 0; i < len(flags); {
		var commands []string
		name := flags[i].Name
		for ; i < len(flags) && flags[i].Name == name; i++ {
			commands = append(commands, flags[i].Commands...)
		}
		named("flag", "--"+name, strings.Join(commands, ", "))
	}
	for _, c := range commands {
		named("command", c.Name, c.Help)
	}
	fmt.Fprintln(w, "\n`mcsim explain NAME` says what one of them means, and a field of results.json or a key of a plan.")
}
