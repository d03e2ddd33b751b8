package names

import (
	_ "embed"
	"slices"
	"strings"
)

// written is the table as people write it: a section for each group, in it a block for each
// entry, which has its name, lines of fields, and a line that says what it means.
//
//go:embed names.txt
var written string

// table holds all entries, group by group, and initialisations what else these have.
var table, initialisations = read(written)

// meaning is the key of the line that is no field.
const meaning = ""

// fieldKeys are what a line of a field begins with.
var fieldKeys = []string{"title", "unit", "range", "formula", "source", "lines", "omitted", "by", "row", "stack", "sign",
	"framework", "entry", "query", "key", "scale", "logit"}

// read reads a table.
func read(text string) (all []Entry, inits map[string]Initialisation) {
	inits = map[string]Initialisation{}
	field := map[string]string{}
	group := ""
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if name, ok := strings.CutPrefix(block, "["); ok {
			group = strings.TrimSuffix(name, "]")
			continue
		}
		if strings.HasPrefix(block, "#") {
			continue
		}
		name := parted(block, field)
		e := entryOf(group, name, field)
		if group == GroupInitialisation {
			inits[name] = initialisationOf(name, field)
			e = inits[name].explained(e)
		}
		all = append(all, e)
	}
	return all, inits
}

// parted is the name of a block, whose fields it gives by their keys.
func parted(block string, field map[string]string) (name string) {
	name, rest, _ := strings.Cut(block, "\n")
	clear(field)
	for line := range strings.SplitSeq(rest, "\n") {
		if key, value, ok := strings.Cut(line, ": "); ok && slices.Contains(fieldKeys, key) {
			field[key] = value
		} else {
			field[meaning] = line
		}
	}
	return name
}

// entryOf is the entry of a block. What a parameter means begins with its title, and ends
// with the value that rows leave out.
func entryOf(group, name string, field map[string]string) Entry {
	e := Entry{Group: group, Name: name, Title: field["title"], Definition: field[meaning], Formula: field["formula"], Unit: field["unit"],
		Range: field["range"], Source: field["source"], Lines: field["lines"] != "", Omitted: field["omitted"], omittedBy: field["by"],
		row: field["row"], stack: field["stack"], signs: field["sign"]}
	if e.row != "" {
		e.Definition = e.row + " " + e.Definition
	}
	if group == GroupParameter {
		e.Definition = sentence(e.Title) + " " + e.Definition
		if e.Omitted != "" {
			e.Definition = strings.TrimSpace(e.Definition) + " Where it is not said it is " + e.Omitted + "."
		}
	}
	return e
}

// Definitions are those of a text that has on each line a key and, behind a colon, what it means.
func Definitions(text string) map[string]string {
	found := map[string]string{}
	for line := range strings.Lines(text) {
		key, meaning, _ := strings.Cut(strings.TrimSpace(line), ": ")
		found[key] = meaning
	}
	return found
}
