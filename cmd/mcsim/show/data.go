package show

import (
	"bytes"
	_ "embed"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"mcsim/report/glossary"
	"mcsim/report/markdown"
	"mcsim/sim/names"
	"mcsim/sim/names/sense"
)

// dataText says how the document of all names is laid out.
//
//go:embed data.md
var dataText string

// data is what the document of all names is made of, in Markdown.
type data struct {
	Columns []dataLine
	Outputs []dataPart // with their fields
	Kinds   []dataPart // with their entries
	Flags   []dataLine
}

// dataPart is a section.
type dataPart struct {
	Title, About string
	Lines        []dataLine
}

// dataLine is a name with what it means; more is the unit of a column, and the commands that
// take a flag.
type dataLine struct{ Name, Text, More string }

// many are empty lines that follow another.
var many = regexp.MustCompile(`\n{3,}`)

// Data prints all names, the files and the fields of what mcsim writes, and flags, as a
// document in Markdown.
func Data(w io.Writer, flags []Flag) error {
	t, err := template.New("data").Parse(dataText)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, dataOf(flags)); err != nil {
		return err
	}
	text := markdown.Bare(strings.TrimSpace(many.ReplaceAllString(b.String(), "\n\n")))
	_, err = io.WriteString(w, text+"\n")
	return err
}

// dataOf gathers what the document says.
func dataOf(flags []Flag) data {
	d := data{Columns: columnLines()}
	for _, o := range Outputs {
		part := dataPart{Title: o.Name}
		for _, f := range o.Fields() {
			e, _ := sense.At(o.Name, f.Path)
			part.Lines = append(part.Lines, dataLine{Name: f.Path, Text: inBrief(e)})
		}
		d.Outputs = append(d.Outputs, part)
	}
	for _, k := range glossary.Kinds {
		part := dataPart{Title: k.Title, About: k.About}
		for _, e := range names.All() {
			if e.Group == k.Group {
				part.Lines = append(part.Lines, dataLine{Name: markdown.Code(e.Name), Text: glossary.Explained(e)})
			}
		}
		d.Kinds = append(d.Kinds, part)
	}
	for _, f := range flags {
		d.Flags = append(d.Flags, dataLine{Name: f.Name, Text: markdown.Escape(f.Help), More: strings.Join(f.Commands, ", ")})
	}
	return d
}

// sentence is the first of a text.
var sentence = regexp.MustCompile(`^.*?\.( |$)`)

// inBrief is the first sentence of what an entry says.
func inBrief(e names.Entry) string {
	return markdown.Escape(strings.TrimSpace(sentence.FindString(e.Definition)))
}

// columnLines are the columns of estimates.csv in their order.
func columnLines() (found []dataLine) {
	line := func(group, name string) dataLine {
		e := names.Of(group, name)
		return dataLine{Name: name, Text: inBrief(e), More: markdown.Escape(e.Unit)}
	}
	var params []string
	for _, e := range names.All() {
		if e.Group == names.GroupParameter && !e.Lines && e.Name != names.ParamEstimator { // which has a column of its own
			params = append(params, e.Name)
		}
	}
	slices.Sort(params)
	for _, name := range fixedColumns() {
		found = append(found, line(names.GroupColumn, name))
		if name == names.ColumnCell {
			for _, p := range params {
				found = append(found, line(names.GroupParameter, p))
			}
		}
	}
	return found
}
