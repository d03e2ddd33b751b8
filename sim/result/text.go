package result

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcsim/sim/names"
)

// ErrInvalidText is the error of a text with hidden characters, or that is not UTF-8.
var ErrInvalidText = errors.New("invalid text")

// CheckText returns ErrInvalidText, with the position, if a text or a key in the value has hidden
// characters (names.IsHidden).
func CheckText(value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return checkVisible("", -1, text)
}

// checkVisible returns ErrInvalidText, with the position, if text has hidden characters. The text
// is the JSON of a field of a document, or of element i of a list (see formatPosition). Documents
// are checked when they are read and sealed, so that pages, figures, tables and terminal output
// need no checks.
func checkVisible(name string, i int, text []byte) error {
	_, isHidden := names.FirstHidden(string(text))
	hasEscapes := bytes.IndexByte(text, '\\') >= 0 // a hidden character may be escaped
	if !isHidden && !hasEscapes {
		return nil // nearly always
	}
	dec := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowInvalidUTF8(true),
		jsontext.AllowDuplicateNames(true))
	for {
		token, err := dec.ReadToken()
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		r, hidden := rune(0), false
		if token.Kind() == '"' {
			r, hidden = names.FirstHidden(token.String())
		}
		if !hidden {
			continue
		}
		position := names.Printable(strings.TrimSuffix(formatPosition(name, i)+"."+formatPointer(dec.StackPointer()),
			"."+wholeText))
		position = strings.TrimPrefix(strings.ReplaceAll(position, ".[", "["), ".")
		if r == utf8.RuneError {
			return fmt.Errorf("%w: %s is not UTF-8", ErrInvalidText, position)
		}
		return fmt.Errorf("%w: %s has the hidden character U+%04X", ErrInvalidText, position, r)
	}
}
