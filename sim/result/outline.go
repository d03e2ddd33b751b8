package result

import (
	"encoding/json"
	"fmt"
	"io"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Outline reads a document and returns only its schema, digest, seed, plan, cells and gates. It
// does not hold the rest in memory. Unlike Decode it does not check the digest.
func Outline(r io.Reader) (*Document, error) {
	var d struct {
		Schema string          `json:"schema"`
		Digest string          `json:"digest"`
		Seed   uint64          `json:"seed"`
		Plan   json.RawMessage `json:"plan"`
		Cells  []Cell          `json:"cells"`
		Gates  []Gate          `json:"gates"`
	}
	// Only Decode must refuse invalid UTF-8.
	if err := jsonv2.UnmarshalRead(r, &d, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("%w: %q; this program reads %q", ErrSchema, d.Schema, Schema)
	}
	return &Document{Schema: d.Schema, Digest: d.Digest, Seed: d.Seed, Plan: d.Plan, Cells: d.Cells, Gates: d.Gates},
		nil
}
