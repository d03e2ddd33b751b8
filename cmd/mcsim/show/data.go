package show

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"mcsim/report/markdown"
	"mcsim/sim/names"
)

// dataText is the document but for its lists.
//
//go:embed data.md
var dataText string

// Data prints the columns, parameters and quantities as a document in Markdown.
func Data(w io.Writer) error {
	text := strings.NewReplacer("{{columns}}", columnLines(), "{{parameters}}", linesOf(names.GroupParameter), "{{quantities}}", linesOf(names.GroupQuantity)).Replace(dataText)
	_, err := io.WriteString(w, markdown.Bare(strings.TrimSpace(text))+"\n")
	return err
}

// linesOf are the names of a group, each with what it means.
func linesOf(group string) string {
	var lines []string
	for _, e := range names.All() {
		if e.Group == group {
			lines = append(lines, fmt.Sprintf("- `%s`: %s", markdown.Code(e.Name), meaning(e)))
		}
	}
	return strings.Join(lines, "\n")
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
func columnLines() string {
	var lines []string
	for _, name := range fixedColumns() {
		e := names.Of(names.GroupColumn, name)
		lines = append(lines, fmt.Sprintf("| `%s` | %s | %s |", name, markdown.Escape(e.Definition), markdown.Escape(e.Unit)))
	}
	return strings.Join(lines, "\n")
}
