package result

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"mcsim/sim/names"
)

// dialect is the version of JSON Schema in which the schema is written.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// fieldsText has a line for each field of a document: its position and its definition. Columns and
// parameters are omitted, since the table of names defines them.
//
//go:embed fields.txt
var fieldsText string

// fieldDefinitions maps positions in a document to their definitions in fields.txt.
var fieldDefinitions = sync.OnceValue(func() map[string]string { return names.ParseDefinitions(fieldsText) })

// definition returns the definition of the field at a position, or "" if there is none.
func definition(position string) string {
	if text, ok := fieldDefinitions()[position]; ok {
		return text
	}
	name := position[strings.LastIndex(position, ".")+1:]
	for _, group := range []string{names.GroupColumn, names.GroupParameter} {
		if e, ok := names.Lookup(group, name); ok {
			return e.Definition
		}
	}
	return ""
}

// JSONSchema returns the JSON Schema of a document, with the fields of its types and the
// definitions of the table of names.
func JSONSchema() map[string]any {
	s := schemaOf(reflect.TypeFor[Document](), "")
	s["$schema"] = dialect
	s["title"] = "results.json of mcsim, " + Schema
	s["description"] = "What a run of mcsim found out. schema is its first field. " +
		"A number that is not known, or infinite, is null. digest is the SHA-256 of the text as mcsim writes it " +
		"with an empty digest, which a schema cannot check."
	s["properties"].(map[string]any)["schema"] = map[string]any{"const": Schema}
	return s
}

// schemaOf returns the schema of a Go type at a position in the document.
func schemaOf(t reflect.Type, position string) map[string]any {
	switch t {
	case reflect.TypeFor[Number]():
		return map[string]any{"type": []string{"number", "null"}}
	case reflect.TypeFor[json.RawMessage]():
		return map[string]any{"type": []string{"object", "null"}}
	case reflect.TypeFor[Params]():
		return paramsSchema()
	case reflect.TypeFor[Verdict]():
		return map[string]any{"enum": []Verdict{Pass, Fail, Undecided}}
	}
	switch t.Kind() {
	case reflect.Struct:
		return structSchema(t, position)
	case reflect.Slice:
		// encoding/json writes null for an empty list.
		return map[string]any{"type": []string{"array", "null"}, "items": schemaOf(t.Elem(), position+"[]")}
	case reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), position+"[]"), "minItems": t.Len(),
			"maxItems": t.Len()}
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem(), position), map[string]any{"type": "null"}}}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Int, reflect.Int64, reflect.Uint64: // no integer of a document is negative
		return map[string]any{"type": "integer", "minimum": 0}
	}
	panic("result: a document has a field of the type " + t.String() + ", for which there is no schema")
}

// structSchema returns the schema of an object with exactly the fields of the type.
func structSchema(t reflect.Type, position string) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		fieldPosition := strings.TrimPrefix(position+"."+name, ".")
		s := schemaOf(f.Type, fieldPosition)
		if f.Type.Kind() == reflect.String {
			if values := enumValues(name); values != nil {
				s["enum"] = values
			}
		}
		s["description"] = definition(fieldPosition)
		properties[name] = s
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}

// enumValues returns all valid values of a field, or nil if the table of names does not list them.
func enumValues(field string) []string {
	switch field {
	case names.ColumnExperiment:
		return names.NamesIn(names.GroupExperiment)
	case names.ColumnTheoryKind:
		return []string{names.TheoryExact, names.TheoryQuadrature, names.TheoryLimit, names.TheoryNone}
	case "expect":
		return []string{names.ExpectInside, names.ExpectOutside, names.ExpectAtLeast, names.ExpectAtMost}
	}
	return nil
}

// paramsSchema returns the schema of Params: any of the parameters, each a number or a name.
func paramsSchema() map[string]any {
	properties := map[string]any{}
	for _, e := range names.Entries() {
		if e.Group != names.GroupParameter {
			continue
		}
		s := map[string]any{"description": e.Definition, "type": "string"}
		switch {
		case e.Name == names.ParamTemperature:
			s["anyOf"] = []any{map[string]any{"type": "number"}, map[string]any{"const": names.TemperatureInfinite}}
			delete(s, "type")
		case e.Unit != "":
			s["type"] = "number"
		case e.Range == "no, yes":
			s["enum"] = []string{names.No, names.Yes}
		}
		properties[e.Name] = s
	}
	return map[string]any{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
}
