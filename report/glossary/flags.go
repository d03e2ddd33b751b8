package glossary

import (
	_ "embed"
	"strings"
	"sync"

	"mcsim/report/markdown"
)

//go:generate go run ../generate flags.md

// flagsText is the table of flags of docs/data.md: the commands know them, and the report is
// rendered without these.
//
//go:embed flags.md
var flagsText string

// flagsTitle is the section of flags, there and on the page of names.
const flagsTitle = "Flags"

// FlagsText is the table of flags out of the document of all names.
func FlagsText(data string) (string, bool) {
	_, table, ok := strings.Cut(data, "\n## "+flagsTitle+"\n\n")
	table, _, _ = strings.Cut(table, "\n## ")
	return strings.TrimSpace(table) + "\n", ok
}

// flags are the entries of flags, each once, with what it does in the commands that take it.
var flags = sync.OnceValue(func() (found []entry) {
	for line := range strings.Lines(flagsText) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "| "), " | ")
		if len(cells) != 3 || !strings.HasPrefix(cells[0], "`--") {
			continue
		}
		text := cells[1] + ". *Commands:* " + cells[2] + "."
		if last := len(found) - 1; last >= 0 && found[last].Name == cells[0] {
			found[last].Text += "\n\n  " + text
			continue
		}
		found = append(found, entry{cells[0], text})
	}
	return found
})

// FlagAddress is where the page of names explains a flag.
func FlagAddress(name string) string {
	return NamesPage + ".html#" + markdown.TermID(flagsTitle, "--"+name)
}
