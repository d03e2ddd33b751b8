package claim

import (
	_ "embed"
	"sync"

	"mcsim/sim/base/markup"
	"mcsim/sim/names"
)

// keysText says what each key of a ledger means.
//
//go:embed keys.txt
var keysText string

var meanings = sync.OnceValue(func() map[string]string { return names.ParseDefinitions(keysText) })

// Schema is the JSON schema of a ledger. It refuses no ledger that Parse takes, and lets
// through what a schema cannot say: arguments that a function refuses, rows that cannot be,
// and numbers of which there are too many or too few.
func Schema() map[string]any {
	s := markup.ObjectSchema((&reader{}).ledger(new(Ledger)))
	s["$schema"] = markup.Dialect
	s["title"] = "a ledger of claims for mcsim"
	return s
}

// valueSchema is that of a single value.
func valueSchema() map[string]any {
	return map[string]any{"type": []string{"string", "number", "boolean"}}
}

// valuesSchema is that of a value or a list of them.
func valuesSchema() map[string]any {
	return map[string]any{"anyOf": []any{valueSchema(), listOf(maxNumbers, valueSchema)()}}
}

// argumentsSchema is that of arguments, of whatever names.
func argumentsSchema() map[string]any {
	return map[string]any{"type": "object", "additionalProperties": valuesSchema()}
}

// dateSchema is that of a day.
func dateSchema() map[string]any { return map[string]any{"type": "string", "format": "date"} }

// listOf is that of a list that is not empty.
func listOf(most int, of func() map[string]any) func() map[string]any {
	return func() map[string]any {
		return map[string]any{"type": "array", "items": of(), "minItems": 1, "maxItems": most}
	}
}
