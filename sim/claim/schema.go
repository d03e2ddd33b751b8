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

var keyMeanings = sync.OnceValue(func() map[string]string { return names.ParseDefinitions(keysText) })

// Schema returns the JSON schema of a ledger. Every ledger that Parse accepts satisfies it. It
// cannot express all that Parse checks: invalid arguments of a function, rows that do not exist,
// and wrong numbers of values.
func Schema() map[string]any {
	s := markup.ObjectSchema((&reader{}).ledgerFields(new(Ledger)))
	s["$schema"] = markup.Dialect
	s["title"] = "a ledger of claims for mcsim"
	return s
}

func valueSchema() map[string]any {
	return map[string]any{"type": []string{"string", "number", "boolean"}}
}

func valuesSchema() map[string]any {
	return map[string]any{"anyOf": []any{valueSchema(), newListSchema(maxNumbers, valueSchema)()}}
}

func argumentsSchema() map[string]any {
	return map[string]any{"type": "object", "additionalProperties": valuesSchema()}
}

func dateSchema() map[string]any { return map[string]any{"type": "string", "format": "date"} }

// newListSchema returns a function that returns the schema of a list of 1 to maxItems items.
func newListSchema(maxItems int, newItemSchema func() map[string]any) func() map[string]any {
	return func() map[string]any {
		return map[string]any{"type": "array", "items": newItemSchema(), "minItems": 1, "maxItems": maxItems}
	}
}
