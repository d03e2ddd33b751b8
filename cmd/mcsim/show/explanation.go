package show

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"mcsim/report/glossary"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
	"mcsim/sim/names/sense"
	"mcsim/sim/plan"
	"mcsim/sim/result"
)

// Explanation is all that stands under one name.
type Explanation struct {
	Name     string      `json:"name"` // as it was asked for
	Entries  []Explained `json:"names"`
	Flags    []Flag      `json:"flags"`
	Commands []Command   `json:"commands"`
}

// Explained is what the table of names says of a name in one of its groups, and where it is
// met.
type Explained struct {
	Group      string   `json:"group"`
	Name       string   `json:"name"`
	Title      string   `json:"title"`
	Definition string   `json:"definition"`
	Formula    string   `json:"formula,omitempty"`
	Unit       string   `json:"unit,omitempty"`
	Range      string   `json:"range,omitempty"`
	Source     string   `json:"source,omitempty"`
	Files      []string `json:"files"` // places of files and of what commands print
	Pages      []string `json:"pages"` // addresses of the site
	Link       string   `json:"link"`  // where the site explains it
	Senses     []Sense  `json:"senses,omitempty"`

	places []glossary.Place
}

// Sense is what a name means in a place, where that is not what its definition says.
type Sense struct {
	Place      string `json:"at"`
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

// NewExplained is an entry with where it is met.
func NewExplained(e names.Entry) Explained {
	x := Explained{Group: e.Group, Name: e.Name, Title: e.Title, Definition: e.Definition, Formula: e.Formula, Unit: e.Unit, Range: e.Range, Source: e.Source,
		Files: append([]string{}, filesOf(e)...), Pages: append([]string{}, glossary.Addresses(e)...), Link: glossary.NamesAddress(e), places: glossary.Places(e)}
	for _, s := range sense.Of(e) {
		x.Senses = append(x.Senses, Sense{s.Place(), s.Definition})
	}
	return x
}

// table is the file of estimates as a table.
const table = "estimates.csv"

// valuesOf is the column, in estimates.csv, whose values are the names of a group.
var valuesOf = map[string]string{
	names.GroupExperiment: names.ColumnExperiment, names.GroupLaw: names.ParamLaw,
	names.GroupRule: names.ParamRule, names.GroupInitialisation: names.ParamInit, names.GroupControl: names.ParamControl,
}

// filesOf says where files and what commands print have a name.
func filesOf(e names.Entry) (found []string) {
	switch column := valuesOf[e.Group]; {
	case column != "":
		found = append(found, table+": value of the column "+column)
	case e.Group == names.GroupQuantity && inRows(e):
		found = append(found, table+": value of the column "+names.ColumnQuantity)
	case e.Group == names.GroupParameter && !e.Lines, e.Group == names.GroupColumn && slices.Contains(fixedColumns(), e.Name):
		found = append(found, table+": column")
	}
	if e.Lines {
		found = append(found, "results.json: curves[]")
	}
	if e.Group == names.GroupGate {
		found = append(found, "results.json: value of gates[].name", "verify --json: value of gates[].name")
	}
	found = append(found, plansOf(e)...)
	if own, ok := names.Field(e.Name); !ok || own.Group != e.Group {
		return found
	}
	return append(found, outputsOf()[e.Name]...)
}

// outputsOf are the places of all outputs by the names of their fields.
var outputsOf = sync.OnceValue(func() map[string][]string {
	found := map[string][]string{}
	for _, o := range Outputs {
		for _, f := range o.Fields() {
			found[f.Name] = append(found[f.Name], sense.Place(o.Name, f.Path))
		}
	}
	return found
})

// inRows reports whether rows can have a quantity: one of the table, or a quantile.
func inRows(e names.Entry) bool {
	_, _, quantile := names.QuantileOf(e.Name)
	return quantile || !e.Lines && slices.ContainsFunc(names.All(), func(other names.Entry) bool { return other.Group == e.Group && other.Name == e.Name })
}

// plansOf says where plans have a name: at the top, or in entries, of a parameter in those
// of some experiments.
func plansOf(e names.Entry) (found []string) {
	var entries []string
	for _, x := range all.Table {
		if x.Axis(e.Name) != nil && e.Group == names.GroupParameter {
			entries = append(entries, x.Name)
		}
	}
	if len(entries) > 0 {
		return []string{"plan: key of entries of " + strings.Join(entries, ", ")}
	}
	if own, _ := names.Field(e.Name); own.Group != e.Group || e.Group == names.GroupParameter {
		return nil
	}
	for _, where := range planKeys()[e.Name] {
		found = append(found, "plan: "+where)
	}
	return found
}

// planKeys are the keys of plans by their schema, with where they stand.
var planKeys = sync.OnceValue(func() map[string][]string {
	found := map[string][]string{}
	properties := func(of any) map[string]any { return of.(map[string]any)["properties"].(map[string]any) }
	top := properties(plan.Schema())
	for key := range top {
		found[key] = append(found[key], "key at the top")
	}
	items := top["experiments"].(map[string]any)["items"].(map[string]any)["oneOf"].([]any)
	for _, entry := range items {
		for key := range properties(entry) {
			if of := "key of entries"; !slices.Contains(found[key], of) {
				found[key] = append(found[key], of)
			}
		}
	}
	return found
})

// fixedColumns are those of estimates.csv that every table of rows has.
var fixedColumns = sync.OnceValue(func() []string {
	var text bytes.Buffer
	if err := result.WriteCSV(&text, nil); err != nil {
		return nil
	}
	return strings.Split(strings.TrimSpace(text.String()), ",")
})

// Explanations prints what names mean.
func Explanations(w io.Writer, asked []Explanation) error {
	p := paragraphs{w: w}
	for i, x := range asked {
		for j, e := range x.Entries {
			if i+j > 0 {
				p.line("")
			}
			p.entry(e)
		}
		for j, f := range x.Flags {
			if i+j+len(x.Entries) > 0 {
				p.line("")
			}
			p.hanging("--"+f.Name+" (flag): ", 2, f.Help)
			p.said("taken by", strings.Join(f.Commands, ", "))
			p.said("link", glossary.FlagAddress(f.Name))
		}
		for _, c := range x.Commands {
			if i+len(x.Entries)+len(x.Flags) > 0 {
				p.line("")
			}
			p.hanging(c.Name+" (command): ", 2, c.Help)
			p.said("more", "`mcsim help "+c.Name+"`")
		}
	}
	return p.err
}

// entry prints one entry.
func (p *paragraphs) entry(e Explained) {
	p.hanging(fmt.Sprintf("%s (%s): ", e.Name, e.Group), 2, e.Title)
	p.hanging("  ", 2, e.Definition)
	unit := e.Unit
	if unit == "1" {
		unit = "none, a pure number"
	}
	for _, of := range []struct{ what, text string }{{"formula", e.Formula}, {"unit", unit}, {"range", e.Range}, {"source", e.Source}} {
		p.said(of.what, of.text)
	}
	what := "in"
	for _, file := range e.Files {
		for _, s := range e.Senses {
			if s.Place == file {
				file += ". " + s.Definition
			}
		}
		p.said(what, file)
		what = ""
	}
	what = "shown"
	for _, place := range e.places {
		p.said(what, place.Page+listed("; figure", place.Figures)+listed("; table", place.Tables))
		what = ""
	}
	p.said("link", e.Link)
}

// listed are some things behind what they are, in the plural where there are several; nothing
// for none.
func listed(what string, things []string) string {
	switch len(things) {
	case 0:
		return ""
	case 1:
		return what + " " + things[0]
	}
	return what + "s " + strings.Join(things, ", ")
}

// said prints what an entry has of one kind, if it has any.
func (p *paragraphs) said(what, text string) {
	if text != "" {
		p.hanging(fmt.Sprintf("  %-9s ", what), 12, text)
	}
}

// KnownNames lists all names, flags and commands, group by group, a line each; flags are sorted
// by their names.
func KnownNames(w io.Writer, flags []Flag, commands []Command) error {
	p := paragraphs{w: w}
	for _, k := range glossary.Kinds {
		p.line(k.Title + ":")
		for _, e := range names.All() {
			if e.Group == k.Group {
				p.hanging(fmt.Sprintf("  %-24s ", e.Name), 27, e.Title)
			}
		}
		p.line("")
	}
	p.line("Flags:")
	for i := 0; i < len(flags); {
		var commands []string
		name := flags[i].Name
		for ; i < len(flags) && flags[i].Name == name; i++ {
			commands = append(commands, flags[i].Commands...)
		}
		p.hanging(fmt.Sprintf("  %-24s ", "--"+name), 27, strings.Join(commands, ", "))
	}
	p.line("")
	p.line("Commands:")
	for _, c := range commands {
		p.hanging(fmt.Sprintf("  %-24s ", c.Name), 27, c.Help)
	}
	p.line("")
	p.line("`mcsim explain NAME` says what one of them means and where it is met.")
	return p.err
}
