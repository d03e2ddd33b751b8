package result

import (
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// long are the lists of a document that grow with what was measured.
var long = []string{"estimates", "curves", "warnings"}

// Outline reads a document without its estimates, curves and warnings, and in memory of
// that size. Nothing holds its digest against its content, as [Decode] does.
func Outline(r io.Reader) (*Document, error) {
	dec := jsontext.NewDecoder(r, jsontext.AllowInvalidUTF8(true)) // as Decode has it
	if open, err := dec.ReadToken(); err != nil || open.Kind() != '{' {
		return nil, fmt.Errorf("is not a %s document", Schema)
	}
	parts := map[string]jsontext.Value{}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		name := key.String()
		if slices.Contains(long, name) {
			err = dec.SkipValue()
		} else if parts[name], err = dec.ReadValue(); err == nil {
			parts[name] = parts[name].Clone() // which the next read overwrites
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := dec.ReadToken(); err != nil { // the brace that ends it
		return nil, err
	}
	text, err := json.Marshal(parts, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil, err
	}
	var d Document
	if err := Unmarshal(text, &d); err != nil {
		return nil, err
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("%w: %q; this program reads %q", ErrSchema, d.Schema, Schema)
	}
	return &d, nil
}
