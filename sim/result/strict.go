package result

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrTruncated is the error of a text that is valid as far as it goes.
var ErrTruncated = errors.New("is cut short")

// ErrTwice is the error of an object with a repeated key.
var ErrTwice = errors.New("has a key twice")

// KnownOnly refuses keys for which the value has no field.
var KnownOnly = json.RejectUnknownMembers(true)

// Unmarshal decodes JSON strictly: it refuses repeated keys, of which encoding/json takes the
// last, and keys that differ from a field's name in case. Its errors follow the name of a file:
// "is cut short", "is not JSON", or what does not belong where.
func Unmarshal(text []byte, into any, options ...json.Options) error {
	// Bytes that are no UTF-8 are for who knows what texts mean, who says where they are.
	err := json.Unmarshal(text, into, json.JoinOptions(options...), jsontext.AllowInvalidUTF8(true))
	return explained(text, err)
}

// explained turns an error of the decoder into one that says what is wrong on which line.
func explained(text []byte, err error) error {
	var syntax *jsontext.SyntacticError
	var meaning *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it ends at byte %d", ErrTruncated, len(text))
	case errors.As(err, &syntax) && errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Errorf("%w: %s, the second time on line %d", ErrTwice, place(syntax.JSONPointer),
			line(text, syntax.ByteOffset))
	case errors.As(err, &syntax):
		return fmt.Errorf("is not JSON: line %d: %v", line(text, syntax.ByteOffset), syntax.Err)
	case errors.As(err, &meaning) && errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("has an unknown field on line %d: %s", line(text, meaning.ByteOffset),
			place(meaning.JSONPointer))
	case errors.As(err, &meaning):
		return fmt.Errorf("has on line %d what does not belong in %s: %s", line(text, meaning.ByteOffset),
			place(meaning.JSONPointer), kinds[meaning.JSONKind])
	}
	return err
}

// kinds maps the kinds of JSON values to words.
var kinds = map[jsontext.Kind]string{'n': "null", 'f': "false", 't': "true", '"': "a text", '0': "this number",
	'{': "an object", '[': "a list"}

// line returns the line, from 1, of what follows a byte offset and white space.
func line(text []byte, offset int64) int {
	at := min(max(int(offset), 0), len(text))
	rest := text[at:]
	at += len(rest) - len(bytes.TrimLeft(rest, ", \t\r\n"))
	return 1 + bytes.Count(text[:at], []byte("\n"))
}

// place formats a JSON pointer: estimates[7].params.distribution.
func place(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
			b.WriteString("[" + token + "]")
			continue
		case b.Len() > 0:
			b.WriteString(".")
		}
		b.WriteString(token)
	}
	if b.Len() == 0 {
		return "the whole"
	}
	return b.String()
}

// sharing decodes equal parameters of rows once; rows share the map and never change it.
func sharing() json.Options {
	known := map[string]Params{}
	return json.WithUnmarshalers(json.UnmarshalFromFunc(func(from *jsontext.Decoder, p *Params) error {
		if from.PeekKind() != '{' {
			return errors.ErrUnsupported
		}
		text, err := from.ReadValue()
		if err != nil {
			return err
		}
		all, ok := known[string(text)]
		if !ok {
			if err := json.Unmarshal(text, (*map[string]any)(&all)); err != nil {
				return err
			}
			known[string(text)] = all
		}
		*p = all
		return nil
	}))
}
