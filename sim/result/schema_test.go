package result

import (
	"maps"
	"strings"
	"testing"
)

// TestSchemaExplainsEveryField checks that every field has a definition, and that fields.txt
// defines no others.
func TestSchemaExplainsEveryField(t *testing.T) {
	unused := maps.Clone(fieldDefinitions())
	var visit func(schema map[string]any, position string)
	visit = func(schema map[string]any, place string) {
		for _, key := range []string{"items", "properties"} {
			properties, _ := schema[key].(map[string]any)
			if key == "items" && properties != nil {
				visit(properties, place+"[]")
				continue
			}
			for name, field := range properties {
				position := strings.TrimPrefix(place+"."+name, ".")
				if field, _ := field.(map[string]any); field["description"] != "" {
					visit(field, position)
				} else {
					t.Errorf("%s has no definition in sim/result/fields.txt", position)
				}
				delete(unused, position)
			}
		}
	}
	visit(JSONSchema(), "")
	for position := range unused {
		t.Errorf("sim/result/fields.txt has %s, which no document has", position)
	}
}
