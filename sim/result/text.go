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

// ErrHidden is the error of a text with characters that do not show.
var ErrHidden = errors.New("holds text that does not show as it is")

// CheckText refuses a value with a text, or key of a mapping, that has hidden characters
// (names.Hidden), and says where.
func CheckText(of any) error {
	text, err := json.Marshal(of)
	if err != nil {
		return err
	}
	return visible("", -1, text)
}

// visible is CheckText for JSON at a position of a document. Documents are checked when they are
// read and sealed, so pages, figures, tables and terminal output need not check again.
func visible(name string, i int, text []byte) error {
	if _, hidden := names.FirstHidden(string(text)); !hidden && bytes.IndexByte(text, '\\') < 0 {
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
		where := names.Printable(strings.TrimSuffix(at(name, i)+"."+place(dec.StackPointer()), ".the whole"))
		where = strings.TrimPrefix(strings.ReplaceAll(where, ".[", "["), ".")
		if r == utf8.RuneError {
			return fmt.Errorf("%w: %s is not UTF-8", ErrHidden, where)
		}
		return fmt.Errorf("%w: %s has the character U+%04X", ErrHidden, where, r)
	}
}
