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
var fieldKeys = []string{"constant", "title", "unit", "range", "formula", "source", "lines", "omitted", "by", "row",
	"stack",
	"sign",
	"framework", "entry", "query", "key", "scale", "logit"}

// read reads a table.
func read(text string) (all []Entry, inits map[string]Initialisation) {
	inits = map[string]Initialisation{}
	all = make([]Entry, 0, strings.Count(text, "\n\n"))
	var group string
	var of fields
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if name, ok := strings.CutPrefix(block, "["); ok {
			group = strings.TrimSuffix(name, "]")
			continue
		}
		if strings.HasPrefix(block, "#") {
			continue
		}
		name := of.read(block)
		e := entryOf(group, name, of)
		if group == GroupInitialisation {
			inits[name] = initialisationOf(name, of)
			e = inits[name].explained(e)
		}
		all = append(all, e)
	}
	return all, inits
}

// fields are those of a block, a few with their keys.
type fields [][2]string

// of is the field of a key, empty where there is none.
func (f fields) of(key string) string {
	for _, field := range slices.Backward(f) { // the last counts
		if field[0] == key {
			return field[1]
		}
	}
	return ""
}

// read reads the fields of a block, and says its name.
func (f *fields) read(block string) (name string) {
	name, rest, _ := strings.Cut(block, "\n")
	*f = (*f)[:0]
	for line := range strings.SplitSeq(rest, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok || !slices.Contains(fieldKeys, key) {
			key, value = meaning, line
		}
		*f = append(*f, [2]string{key, value})
	}
	return name
}

// entryOf is the entry of a block. What a parameter means begins with its title, and ends
// with the value that rows leave out.
func entryOf(group, name string, f fields) Entry {
	e := Entry{Group: group, Name: name, Title: f.of("title"), Definition: f.of(meaning), Formula: f.of("formula"),
		Unit:  f.of("unit"),
		Range: f.of("range"), Source: f.of("source"), Lines: f.of("lines") != "", Omitted: f.of("omitted"),
		omittedBy: f.of("by"),
		row:       f.of("row"), stack: f.of("stack"), signs: f.of("sign")}
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
