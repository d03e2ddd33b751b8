package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"mcsim/sim/result"
)

// describeChanges returns a line for each difference in schema, kernel, seed and plan of two
// documents.
func describeChanges(before, after *result.Document) []string {
	lines := []string{}
	if before.Schema != after.Schema {
		lines = append(lines, fmt.Sprintf("schemas differ: %s, then %s", before.Schema, after.Schema))
	}
	if before.Kernel != after.Kernel {
		lines = append(lines, fmt.Sprintf("kernels differ: version %d, then %d: the same seed gives other samples",
			before.Kernel, after.Kernel))
	}
	if before.Seed != after.Seed {
		lines = append(lines, fmt.Sprintf("seeds differ: %d, then %d: the samples are independent", before.Seed,
			after.Seed))
	}
	if keys := describePlanChanges(before.Plan, after.Plan); len(keys) > 0 {
		lines = append(lines, "plans differ: "+strings.Join(keys, "; "))
	}
	return lines
}

// describePlanChanges describes the differences of two plans by their keys. It ignores the seed,
// which describeChanges compares.
func describePlanChanges(before, after json.RawMessage) (list []string) {
	for _, k := range PlanKeys(before, after) {
		if k != "seed" {
			list = append(list, k+formatChange(fields(before)[k], fields(after)[k]))
		}
	}
	return list
}

// PlanKeys returns the sorted top-level keys in which two plans differ.
func PlanKeys(before, after json.RawMessage) (keys []string) {
	oldFields, newFields := fields(before), fields(after)
	allFields := maps.Clone(oldFields)
	maps.Copy(allFields, newFields)
	for _, k := range slices.Sorted(maps.Keys(allFields)) {
		if !reflect.DeepEqual(oldFields[k], newFields[k]) {
			keys = append(keys, k)
		}
	}
	return keys
}

// fields returns the fields of a JSON object, or the whole text as one field if it is not an
// object.
func fields(text json.RawMessage) map[string]any {
	m := map[string]any{}
	if err := json.Unmarshal(text, &m); err != nil || m == nil {
		return map[string]any{"text": string(text)}
	}
	return m
}

// formatChange returns the text " a, then b", or an empty text if a or b is a list, an object or
// absent.
func formatChange(a, b any) string {
	for _, v := range []any{a, b} {
		switch v.(type) {
		case float64, string, bool:
		default:
			return ""
		}
	}
	return fmt.Sprintf(" %v, then %v", a, b)
}
