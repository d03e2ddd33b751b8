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
		ledger.KeyBy:      {"enum": Functions()},
		ledger.KeyOf:      {"type": "object", "additionalProperties": values},
		ledger.KeyRounded: values,
		ledger.KeyPick:    value,
	})
	row := keys(map[string]map[string]any{ledger.KeyRow: value})
	condition := object(join(join(function, row), keys(map[string]map[string]any{
		ledger.KeyOver: object(join(function, row)),
		ledger.KeyIs:   value,
	})), ledger.KeyIs)
	conditions := listOf(condition, maxConditions)
	group := map[string]any{"anyOf": []any{conditions, object(keys(map[string]map[string]any{ledger.KeyAny: conditions}), ledger.KeyAny)}}
	claim := object(join(function, keys(map[string]map[string]any{
		ledger.KeyID: value, ledger.KeyText: value, ledger.KeyWhy: value, ledger.KeyEvidence: value, ledger.KeyAs: value,
		ledger.KeyKind:      {"enum": ledger.Kinds},
		ledger.KeyHedge:     {"enum": ledger.Hedges},
		ledger.KeyPublished: values,
		ledger.KeyLiteral:   group, ledger.KeyWeakened: group,
		ledger.KeyVerdict: {"enum": ledger.Verdicts},
		ledger.KeyDated:   {"type": "string", "format": "date"},
	})), ledger.KeyID, ledger.KeyText, ledger.KeyKind)
	s := object(keys(map[string]map[string]any{
		ledger.KeySource: value, ledger.KeyTitle: value, ledger.KeyClaims: listOf(claim, MaxClaims),
	}), ledger.KeySource, ledger.KeyClaims)
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
