package claim

import (
	"mcsim/sim/names/ledger"
	"mcsim/sim/plan"
)

// Schema is the JSON schema of a ledger. It refuses no ledger that Parse takes, and lets
// through what a schema cannot say: arguments that a function refuses, rows that cannot be,
// and numbers of which there are too many or too few.
func Schema() map[string]any {
	value := map[string]any{"type": []string{"string", "number", "boolean"}}
	values := map[string]any{"anyOf": []any{value, listOf(value, mostNumbers)}}
	function := map[string]any{
		"by":      map[string]any{"enum": Functions(), "description": "the function that gives the numbers"},
		"of":      map[string]any{"type": "object", "additionalProperties": values, "description": "its arguments"},
		"rounded": values,
		"pick":    described(value, "which of its numbers is read, from 1"),
	}
	row := described(value, "a row of results: experiment.quantity[parameter=value, …]")
	condition := object(join(function, map[string]any{
		"row": row, "over": object(join(function, map[string]any{"row": row})),
		"is": described(value, "< or >= with a number, in A..B, or a word such as near one-hot"),
	}), "is")
	conditions := listOf(condition, maxConditions)
	group := map[string]any{"anyOf": []any{conditions, object(map[string]any{"any": conditions}, "any")}}
	s := object(map[string]any{
		"source": described(value, "a short name of the text whose claims these are"),
		"title":  value,
		"claims": listOf(object(join(function, map[string]any{
			"id":        described(value, "of which each stands once in a ledger"),
			"text":      described(value, "what is claimed"),
			"kind":      map[string]any{"enum": ledger.Kinds},
			"hedge":     map[string]any{"enum": ledger.Hedges},
			"published": values,
			"as":        described(value, "what stands for the published numbers: a formula"),
			"literal":   group, "weakened": group,
			"verdict":  map[string]any{"enum": ledger.Verdicts},
			"evidence": value, "why": value,
			"dated": map[string]any{"type": "string", "format": "date"},
		}), "id", "text", "kind"), MaxClaims),
	}, "source", "claims")
	s["$schema"] = plan.Dialect
	s["title"] = "a ledger of claims for mcsim"
	return s
}

// object is an object with these keys and no others.
func object(properties map[string]any, required ...string) map[string]any {
	return map[string]any{"type": "object", "properties": properties, "required": append([]string{}, required...), "additionalProperties": false}
}

// listOf is a list that is not empty.
func listOf(of map[string]any, most int) map[string]any {
	return map[string]any{"type": "array", "items": of, "minItems": 1, "maxItems": most}
}

// described is a schema with a description.
func described(of map[string]any, text string) map[string]any {
	return join(of, map[string]any{"description": text})
}

// join are the keys of both.
func join(a, b map[string]any) map[string]any {
	out := map[string]any{}
	for _, of := range []map[string]any{a, b} {
		for key, value := range of {
			out[key] = value
		}
	}
	return out
}
