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
	visit = func(schema map[string]any, position string) {
		if items, ok := schema["items"].(map[string]any); ok {
			visit(items, position+"[]")
		}
		properties, _ := schema["properties"].(map[string]any)
		for name, property := range properties {
			fieldPosition := strings.TrimPrefix(position+"."+name, ".")
			fieldSchema, _ := property.(map[string]any)
			if fieldSchema["description"] == "" {
				t.Errorf("%s has no definition in sim/result/fields.txt", fieldPosition)
			} else {
				visit(fieldSchema, fieldPosition)
			}
			delete(unused, fieldPosition)
		}
	}
	visit(JSONSchema(), "")
	for position := range unused {
		t.Errorf("sim/result/fields.txt defines %s, but no document has this field", position)
	}
}
