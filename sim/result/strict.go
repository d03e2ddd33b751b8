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

// ErrTruncated is the error of a text that ends before the JSON value does.
var ErrTruncated = errors.New("truncated JSON")

// ErrDuplicateKey is the error of an object with a repeated key.
var ErrDuplicateKey = errors.New("repeated key")

// KnownOnly is the option that makes Unmarshal fail if no field has the name of a key.
var KnownOnly = json.RejectUnknownMembers(true)

// Unmarshal decodes JSON strictly: unlike encoding/json, it refuses repeated keys, and keys that
// differ from a field's name only in case. Its errors have one line, with the position.
func Unmarshal(text []byte, target any, options ...json.Options) error {
	// Invalid UTF-8 is accepted here, since CheckText reports its position.
	err := json.Unmarshal(text, target, json.JoinOptions(options...), jsontext.AllowInvalidUTF8(true))
	return explainError(text, err)
}

// explainError replaces an error of the decoder by an error with the line in the text and the
// position in the document.
func explainError(text []byte, err error) error {
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the text ends at byte %d", ErrTruncated, len(text))
	case errors.As(err, &syntax) && errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Errorf("%w: %s, the second time on line %d", ErrDuplicateKey, formatPointer(syntax.JSONPointer),
			lineNumber(text, syntax.ByteOffset))
	case errors.As(err, &syntax):
		return fmt.Errorf("invalid JSON: line %d: %v", lineNumber(text, syntax.ByteOffset), syntax.Err)
	case errors.As(err, &semantic) && errors.Is(err, json.ErrUnknownName):
		return fmt.Errorf("unknown field on line %d: %s", lineNumber(text, semantic.ByteOffset),
			formatPointer(semantic.JSONPointer))
	case errors.As(err, &semantic):
		return fmt.Errorf("wrong value on line %d: %s cannot be %s", lineNumber(text, semantic.ByteOffset),
			formatPointer(semantic.JSONPointer), kindNames[semantic.JSONKind])
	}
	return err
}

// kindNames describes the kinds of JSON values in errors.
var kindNames = map[jsontext.Kind]string{'n': "null", 'f': "false", 't': "true", '"': "a text", '0': "this number",
	'{': "an object", '[': "a list"}

// lineNumber returns the line, from 1, of the first character at or after offset that is not a
// comma or white space.
func lineNumber(text []byte, offset int64) int {
	end := min(max(int(offset), 0), len(text))
	rest := text[end:]
	end += len(rest) - len(bytes.TrimLeft(rest, ", \t\r\n"))
	return 1 + bytes.Count(text[:end], []byte("\n"))
}

// wholeText is the name of the outermost value in errors.
const wholeText = "the text"

// formatPointer formats a JSON pointer in the form estimates[7].params.distribution.
func formatPointer(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		isIndex := token != "" && strings.Trim(token, "0123456789") == ""
		switch {
		case isIndex:
			b.WriteString("[" + token + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	if b.Len() == 0 {
		return wholeText
	}
	return b.String()
}

// shareParams returns an option that decodes equal Params of estimates only once. These estimates
// then have the same map, which must not be changed.
func shareParams() json.Options {
	seen := map[string]Params{}
	return json.WithUnmarshalers(json.UnmarshalFromFunc(func(dec *jsontext.Decoder, p *Params) error {
		if dec.PeekKind() != '{' {
			return errors.ErrUnsupported // so that the decoder treats the value as usual
		}
		text, err := dec.ReadValue()
		if err != nil {
			return err
		}
		params, ok := seen[string(text)]
		if !ok {
			if err := json.Unmarshal(text, (*map[string]any)(&params)); err != nil {
				return err
			}
			seen[string(text)] = params
		}
		*p = params
		return nil
	}))
}
