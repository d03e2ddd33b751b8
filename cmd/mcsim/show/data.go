package show

import (
	"bytes"
	_ "embed"
	"io"
	"regexp"
	"strings"
	"text/template"

	"mcsim/report/markdown"
	"mcsim/sim/names"
)

// dataText says how the document is laid out.
//
//go:embed data.md
var dataText string

// data is what the document of names is made of, in Markdown.
type data struct{ Columns, Parameters, Quantities []dataLine }

// dataLine is a name with what it means; more is the unit of a column.
type dataLine struct{ Name, Text, More string }

// many are empty lines that follow another.
var many = regexp.MustCompile(`\n{3,}`)

// Data prints the columns, parameters and quantities as a document in Markdown.
func Data(w io.Writer) error {
	t, err := template.New("data").Parse(dataText)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, data{columnLines(), linesOf(names.GroupParameter), linesOf(names.GroupQuantity)}); err != nil {
		return err
	}
	text := markdown.Bare(strings.TrimSpace(many.ReplaceAllString(b.String(), "\n\n")))
	_, err = io.WriteString(w, text+"\n")
	return err
}

// linesOf are the names of a group.
func linesOf(group string) (found []dataLine) {
	for _, e := range names.All() {
		if e.Group == group {
			found = append(found, dataLine{Name: markdown.Code(e.Name), Text: meaning(e)})
		}
	}
	return found
}

// meaning is the definition of an entry, with its formula, and its unit in brackets if it has
// one. Who wants its source asks `mcsim explain`.
func meaning(e names.Entry) string {
	text := markdown.WithSubscripts(e.Definition)
	if e.Formula != "" && e.Group == names.GroupQuantity {
		text += " " + markdown.Formula(e.Formula) + "."
	}
	if e.Unit != "" && e.Unit != "1" {
		text += " [" + markdown.Escape(e.Unit) + "]"
	}
	return text
}

// columnLines are the columns of estimates.csv in their order, without those of parameters.
func columnLines() (found []dataLine) {
	for _, name := range fixedColumns() {
		e := names.Of(names.GroupColumn, name)
		found = append(found, dataLine{Name: name, Text: markdown.Escape(e.Definition), More: markdown.Escape(e.Unit)})
	}
	return found
}
