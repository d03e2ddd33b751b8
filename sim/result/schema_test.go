package result

import (
	"maps"
	"strings"
	"testing"
)

// Every field of the schema says what it means, and no line is of a field that is not there.
func TestSchemaExplainsEveryField(t *testing.T) {
	unused := maps.Clone(fields())
	var visit func(schema map[string]any, place string)
	visit = func(schema map[string]any, place string) {
		for _, key := range []string{"items", "properties"} {
			of, _ := schema[key].(map[string]any)
			if key == "items" && of != nil {
				visit(of, place+"[]")
				continue
			}
			for name, field := range of {
				at := strings.TrimPrefix(place+"."+name, ".")
				if field, _ := field.(map[string]any); field["description"] != "" {
					visit(field, at)
				} else {
					t.Errorf("nothing says what %s is: sim/result/fields.txt lacks it", at)
				}
				delete(unused, at)
			}
		}
	}
	visit(JSONSchema(), "")
	for at := range unused {
		t.Errorf("sim/result/fields.txt has %s, which no document has", at)
	}
}
