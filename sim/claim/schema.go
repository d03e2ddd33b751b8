package claim

import (
	"maps"

	"mcsim/sim/names/ledger"
	"mcsim/sim/plan"
)

// Schema is the JSON schema of a ledger. It refuses no ledger that Parse takes, and lets
// through what a schema cannot say: arguments that a function refuses, rows that cannot be,
// and numbers of which there are too many or too few.
func Schema() map[string]any {
	value := map[string]any{"type": []string{"string", "number", "boolean"}}
	values := map[string]any{"anyOf": []any{value, listOf(value, mostNumbers)}}
	function := keys(map[string]map[string]any{
		"by":       {"enum": Functions()},
		"of":       {"type": "object", "additionalProperties": values},
		keyRounded: values,
		"pick":     value,
	})
	row := keys(map[string]map[string]any{"row": value})
	condition := object(join(join(function, row), keys(map[string]map[string]any{
		"over": object(join(function, row)),
		"is":   value,
	})), "is")
	conditions := listOf(condition, maxConditions)
	group := map[string]any{"anyOf": []any{conditions, object(keys(map[string]map[string]any{"any": conditions}), "any")}}
	claim := object(join(function, keys(map[string]map[string]any{
		"id": value, "text": value, "why": value, "evidence": value, "as": value,
		"kind":      {"enum": ledger.Kinds},
		"hedge":     {"enum": ledger.Hedges},
		"published": values,
		"literal":   group, "weakened": group,
		"verdict": {"enum": ledger.Verdicts},
		"dated":   {"type": "string", "format": "date"},
	})), "id", "text", "kind")
	s := object(keys(map[string]map[string]any{
		"source": value, "title": value, "claims": listOf(claim, MaxClaims),
	}), "source", "claims")
	s["$schema"] = plan.Dialect
	s["title"] = "a ledger of claims for mcsim"
	return s
}

// keys are the schemas of keys, each with what the table of names says of its key.
func keys(of map[string]map[string]any) map[string]any {
	out := map[string]any{}
	for key, schema := range of {
		out[key] = join(schema, map[string]any{"description": ledger.Key(key)})
	}
	return out
}

// object is an object with these keys and no others.
func object(properties map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": append([]string{}, required...), "additionalProperties": false}
}

// listOf is a list that is not empty.
func listOf(of map[string]any, most int) map[string]any {
	return map[string]any{"type": "array", "items": of, "minItems": 1, "maxItems": most}
}

// join are the keys of both.
func join(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
