package names

import (
	_ "embed"
	"slices"
	"strings"
)

// tableText has a section for each group. It begins with the name of the group in brackets. Each
// entry is a block of lines: its name, fields "key: text", and a line without a key, its
// definition.
//
//go:embed names.txt
var tableText string

// table holds all entries, group by group. initialisations holds by name the further fields of the
// entries of GroupInitialisation.
var table, initialisations = parseTable(tableText)

// definitionKey is the key under which blockFields has the definition.
const definitionKey = ""

// fieldKeys lists the keys of fields. A line that does not begin with one of them is a definition.
var fieldKeys = []string{
	"constant", "title", "unit", "range", "formula", "source", "lines", "omitted", "by", "row", "stack", "sign",
	"framework", "entry", "query", "key", "scale", "logit",
}

// parseTable returns the values of table and initialisations for a text like tableText.
func parseTable(text string) (entries []Entry, inits map[string]Initialisation) {
	inits = map[string]Initialisation{}
	entries = make([]Entry, 0, strings.Count(text, "\n\n"))
	var group string
	var fields blockFields
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if name, ok := strings.CutPrefix(block, "["); ok {
			group = strings.TrimSuffix(name, "]")
			continue
		}
		if strings.HasPrefix(block, "#") { // a comment
			continue
		}
		name := fields.parse(block)
		e := newEntry(group, name, fields)
		if group == GroupInitialisation {
			inits[name] = newInitialisation(name, fields)
			e = inits[name].describeEntry(e)
		}
		entries = append(entries, e)
	}
	return entries, inits
}

// blockFields are the fields of a block, as pairs of a key and a text.
type blockFields [][2]string

// get returns the text of the last field with the key, or "" if there is no such field.
func (f blockFields) get(key string) string {
	for _, field := range slices.Backward(f) {
		if field[0] == key {
			return field[1]
		}
	}
	return ""
}

// parse replaces f with the fields of a block and returns the name of the block.
func (f *blockFields) parse(block string) (name string) {
	name, rest, _ := strings.Cut(block, "\n")
	*f = (*f)[:0]
	for line := range strings.SplitSeq(rest, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok || !slices.Contains(fieldKeys, key) {
			key, value = definitionKey, line
		}
		*f = append(*f, [2]string{key, value})
	}
	return name
}

// newEntry returns the entry of a block. It adds the title and the default value to the definition
// of a parameter.
func newEntry(group, name string, f blockFields) Entry {
	e := Entry{
		Group: group, Name: name, Title: f.get("title"), Definition: f.get(definitionKey), Formula: f.get("formula"),
		Unit: f.get("unit"), Range: f.get("range"), Source: f.get("source"),
		Lines: f.get("lines") != "", Omitted: f.get("omitted"), omittingExperiment: f.get("by"),
		rowDefinition: f.get("row"), stackDefinition: f.get("stack"), symbols: f.get("sign"),
	}
	if e.rowDefinition != "" {
		e.Definition = e.rowDefinition + " " + e.Definition
	}
	if group == GroupParameter {
		e.Definition = toSentence(e.Title) + " " + e.Definition
		if e.Omitted != "" {
			e.Definition = strings.TrimSpace(e.Definition) + " The default is " + e.Omitted + "."
		}
	}
	return e
}

// ParseDefinitions returns by key the definitions of a text of lines "key: definition".
func ParseDefinitions(text string) map[string]string {
	definitions := map[string]string{}
	for line := range strings.Lines(text) {
		key, definition, _ := strings.Cut(strings.TrimSpace(line), ": ")
		definitions[key] = definition
	}
	return definitions
}
