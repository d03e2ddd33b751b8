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

// ErrTruncated says that a text is sound as far as it goes.
var ErrTruncated = errors.New("is cut short")

// ErrTwice says that an object has two keys of the same name.
var ErrTwice = errors.New("has a key twice")

// KnownOnly refuses keys that the value has no field for.
var KnownOnly = json.RejectUnknownMembers(true)

// Unmarshal reads JSON that can mean one thing only: encoding/json takes the last of two keys
// of the same name, and a key that differs from a field's name in case, without a word. Here
// both are refused. The error follows the name of a file: it is cut
// short, is no JSON, or has something that does not belong where it stands.
func Unmarshal(text []byte, into any, options ...json.Options) error {
	// Bytes that are no UTF-8 are for who knows what texts mean, who says where they are.
	err := json.Unmarshal(text, into, json.JoinOptions(options...), jsontext.AllowInvalidUTF8(true))
	return explained(text, err)
}

// explained says what an error about a text means, and on which line.
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

// kinds are those of JSON, as a sentence names them.
var kinds = map[jsontext.Kind]string{'n': "null", 'f': "false", 't': "true", '"': "a text", '0': "this number",
	'{': "an object", '[': "a list"}

// line is that of what begins behind a byte offset and the white space there, from 1.
func line(text []byte, offset int64) int {
	at := min(max(int(offset), 0), len(text))
	rest := text[at:]
	at += len(rest) - len(bytes.TrimLeft(rest, ", \t\r\n"))
	return 1 + bytes.Count(text[:at], []byte("\n"))
}

// place is a pointer as people write it: estimates[7].params.distribution.
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

// sharing reads points that many rows have in common once: they are read and never written.
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
