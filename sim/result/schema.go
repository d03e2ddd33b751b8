package result

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"mcsim/sim/names"
)

// dialect is the version of JSON Schema.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// fieldsText says what the fields of a document mean that are no columns or parameters,
// which the table of names defines: a line each, by its place.
//
//go:embed fields.txt
var fieldsText string

// fields maps positions in a document to their definitions in fields.txt.
var fields = sync.OnceValue(func() map[string]string { return names.Definitions(fieldsText) })

// meaning returns the definition of the field at a position.
func meaning(place string) string {
	if text, ok := fields()[place]; ok {
		return text
	}
	name := place[strings.LastIndex(place, ".")+1:]
	for _, group := range []string{names.GroupColumn, names.GroupParameter} {
		if e, ok := names.Lookup(group, name); ok {
			return e.Definition
		}
	}
	return ""
}

// JSONSchema returns the JSON Schema of a document: the fields of its types, with the definitions
// of the table of names.
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

// schemaOf returns the schema of a value of the type, at a position.
func schemaOf(t reflect.Type, place string) map[string]any {
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
		return structSchema(t, place)
	case reflect.Slice:
		// An empty list that need not be there is null where a program makes it.
		return map[string]any{"type": []string{"array", "null"}, "items": schemaOf(t.Elem(), place+"[]")}
	case reflect.Array:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), place+"[]"), "minItems": t.Len(),
			"maxItems": t.Len()}
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{schemaOf(t.Elem(), place), map[string]any{"type": "null"}}}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Int, reflect.Int64, reflect.Uint64: // all of which count something
		return map[string]any{"type": "integer", "minimum": 0}
	}
	panic("result: a document has a field of the type " + t.String() + ", of which the schema says nothing")
}

// structSchema returns the schema of an object with exactly the fields of the type.
func structSchema(t reflect.Type, place string) map[string]any {
	properties := map[string]any{}
	required := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" {
			continue
		}
		at := strings.TrimPrefix(place+"."+name, ".")
		s := schemaOf(f.Type, at)
		if f.Type.Kind() == reflect.String {
			if of := namesOf(name); of != nil {
				s["enum"] = of
			}
		}
		s["description"] = meaning(at)
		properties[name] = s
		if !strings.Contains(options, "omit") {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}

// namesOf returns the values of a field if the table of names has all of them, else nil.
func namesOf(field string) []string {
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

// paramsSchema returns the schema of params: any of the parameters, each a number or a name.
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
