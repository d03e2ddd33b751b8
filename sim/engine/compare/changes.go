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

// changes lists the differences of two documents except for their estimates, one line each.
func changes(before, after *result.Document) []string {
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
	if keys := planChanges(before.Plan, after.Plan); len(keys) > 0 {
		lines = append(lines, "plans differ: "+strings.Join(keys, "; "))
	}
	return lines
}

// planChanges lists the differences of two plans except for the seed, which the document also has
// outside of its plan.
func planChanges(before, after json.RawMessage) (list []string) {
	for _, k := range PlanKeys(before, after) {
		if k != "seed" {
			list = append(list, k+brief(fields(before)[k], fields(after)[k]))
		}
	}
	return list
}

// PlanKeys returns the sorted top-level keys in which two plans differ.
func PlanKeys(before, after json.RawMessage) (keys []string) {
	olds, news := fields(before), fields(after)
	merged := maps.Clone(olds)
	maps.Copy(merged, news)
	for _, k := range slices.Sorted(maps.Keys(merged)) {
		if !reflect.DeepEqual(olds[k], news[k]) {
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

// brief formats two values, or returns "" if one is a list or an object.
func brief(a, b any) string {
	for _, v := range []any{a, b} {
		switch v.(type) {
		case float64, string, bool:
		default:
			return ""
		}
	}
	return fmt.Sprintf(" %v, then %v", a, b)
}
