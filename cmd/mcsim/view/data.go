package view

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	"mcsim/sim/names"
)

// dataText is the template of docs/data.md.
//
//go:embed data.md
var dataText string

// Data prints the columns, parameters and quantities as a document in Markdown.
func Data(w io.Writer) error {
	text := strings.NewReplacer("{{columns}}", listColumns(), "{{parameters}}", listGroup(names.GroupParameter),
		"{{quantities}}", listGroup(names.GroupQuantity)).Replace(dataText)
	_, err := io.WriteString(w, strings.TrimSpace(text)+"\n")
	return err
}

// listGroup returns a list of the names in a group. Each item has the definition of the name, the
// formula if the name is a quantity, and the unit in brackets.
func listGroup(group string) string {
	var lines []string
	for _, e := range names.Entries() {
		if e.Group != group {
			continue
		}
		line := fmt.Sprintf("- `%s`: %s", e.Name, e.Definition)
		if e.Formula != "" && group == names.GroupQuantity {
			line += " " + e.Formula + "."
		}
		if e.Unit != "" && e.Unit != "1" {
			line += " [" + e.Unit + "]"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// listColumns returns the rows of a table of the columns of estimates.csv in their order, without
// the columns of parameters.
func listColumns() string {
	var lines []string
	for _, name := range fixedColumns() {
		e := names.EntryOf(names.GroupColumn, name)
		lines = append(lines, fmt.Sprintf("| `%s` | %s | %s |", name, e.Definition, e.Unit))
	}
	return strings.Join(lines, "\n")
}
