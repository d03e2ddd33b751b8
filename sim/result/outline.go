package result

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// long are the lists of a document that grow with what was measured.
var long = []string{"estimates", "curves", "warnings"}

// Outline reads a document without its estimates, curves and warnings, and in memory of
// that size. Nothing holds its digest against its content, as [Decode] does.
func Outline(r io.Reader) (*Document, error) {
	dec := json.NewDecoder(r)
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, fmt.Errorf("is not a %s document", Schema)
	}
	parts := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string)
		var part json.RawMessage
		if slices.Contains(long, name) {
			err = passOver(dec)
		} else if err = dec.Decode(&part); err == nil {
			parts[name] = part
		}
		if err != nil {
			return nil, err
		}
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return nil, err
	}
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, err
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("%w: %q; this program reads %q", ErrSchema, d.Schema, Schema)
	}
	return &d, nil
}

// passOver reads a list and keeps nothing of it.
func passOver(dec *json.Decoder) error {
	if open, err := dec.Token(); err != nil || open != json.Delim('[') {
		return err
	}
	for dec.More() {
		var row json.RawMessage
		if err := dec.Decode(&row); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}
