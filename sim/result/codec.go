package result

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
)

// Encode returns d as JSON, as Write writes it.
func Encode(d *Document) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, d)
	return b.Bytes(), err
}

// Write writes d, sealed, as JSON with one list element a line. It holds no more than
// an element of the text at a time.
func Write(w io.Writer, d *Document) error {
	sealed := *d
	if err := Seal(&sealed); err != nil {
		return err
	}
	return Layout(w, &sealed)
}

// Seal fills in the schema and the digest of d. A document that Decode would refuse
// for a text or an example of its own is not sealed.
func Seal(d *Document) (err error) {
	d.Schema = Schema
	if d.Digest, err = digest(d); err != nil {
		return fmt.Errorf("the document %w", err)
	}
	return nil
}

// digest is the SHA-256 of the document's text with an empty digest. A document with text that does
// not show as it is, or an example or claim of other numbers than it says, has none.
func digest(d *Document) (string, error) {
	if err := cmp.Or(CheckExamples(d.Examples), CheckClaims(d.Claims)); err != nil {
		return "", err
	}
	open := *d
	open.Digest = ""
	h := sha256.New()
	if err := layout(h, &open, visible); err != nil {
		return "", err
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil)), nil
}

// Layout writes the fields of d in their order, each element of a list on a
// line of its own, so that a difference between two documents reads well. An
// empty list that may be left out is, so that older documents keep their digest.
func Layout(w io.Writer, d *Document) error {
	return layout(w, d, func(string, int, []byte) error { return nil })
}

// layout is Layout that looks at the text of every field and element, and where it stands.
func layout(w io.Writer, d *Document, look func(name string, i int, text []byte) error) error {
	b := bufio.NewWriter(w)
	v := reflect.ValueOf(d).Elem()
	b.WriteString("{")
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue
		}
		name, optional := strings.CutSuffix(v.Type().Field(i).Tag.Get("json"), ",omitempty")
		if optional && v.Field(i).Len() == 0 {
			continue
		}
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(b, "\n%q: ", name)
		if err := writeField(b, v.Field(i), name, look); err != nil {
			return err
		}
	}
	b.WriteString("\n}\n")
	return b.Flush()
}

// writeField writes a field of the document, a list with one element a line.
func writeField(b *bufio.Writer, v reflect.Value, name string, look func(string, int, []byte) error) error {
	_, raw := v.Interface().(json.RawMessage)
	if v.Kind() != reflect.Slice || raw {
		return writeValue(b, v, name, -1, look)
	}
	b.WriteString("[")
	for i := range v.Len() {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n ")
		if err := writeValue(b, v.Index(i), name, i, look); err != nil {
			return err
		}
	}
	b.WriteString("]")
	return nil
}

// at is the place of a field, or of the element of a number, from 0, of a list.
func at(name string, i int) string {
	if i < 0 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, i)
}

// writeValue writes JSON.
func writeValue(b *bufio.Writer, v reflect.Value, name string, i int, look func(string, int, []byte) error) error {
	text, err := json.Marshal(v.Addr().Interface())
	if err != nil {
		return fmt.Errorf("cannot be written: %s: %w", at(name, i), err)
	}
	b.Write(text)
	return look(name, i, text)
}

// Errors of Decode, beside ErrTruncated and ErrTwice, to be tested with errors.Is.
var (
	ErrSchema = errors.New("has another schema")
	ErrDigest = errors.New("was changed after it was written")
	ErrSize   = errors.New("is too large")
)

// MaxSize is the largest text that Read takes, in bytes: some ten million rows.
const MaxSize = 1 << 32

// headSize is how much of a text tells whether it begins as a document does.
const headSize = 1 << 12

// Opener opens a text at its beginning, and says how many bytes it is expected to have; 0
// where nobody knows.
type Opener func() (io.Reader, int64, error)

// Read decodes a text. It holds no more of it than an element; only one that is refused is
// read again as a whole, to say where. What does not begin as a document does is refused
// before the rest is read.
func Read(open Opener) (*Document, error) {
	r, size, err := open()
	if err != nil {
		return nil, err
	}
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	if err := begins(head[:n], n == headSize); err != nil {
		return nil, err
	}
	if size > MaxSize {
		return nil, fmt.Errorf("%w: it has %d bytes, and at most %d are read", ErrSize, size, int64(MaxSize))
	}
	d, most := &Document{}, &io.LimitedReader{R: io.MultiReader(bytes.NewReader(head[:n]), r), N: MaxSize + 1}
	if err := jsonv2.UnmarshalRead(most, d, KnownOnly, sharing()); err == nil && most.N > 0 {
		if found, err := digest(d); err == nil {
			return d.sealed(found)
		}
	}
	if r, _, err = open(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, MaxSize+1))
	if err == nil && len(text) > MaxSize {
		err = fmt.Errorf("%w: at most %d bytes are read", ErrSize, int64(MaxSize))
	}
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// beginning is how a document begins, with its schema.
var beginning = regexp.MustCompile(`^\s*\{\s*"schema"\s*:\s*"([^"]*)"`)

// begins wants a text to begin as a document does, with its schema; more says that it goes on.
func begins(head []byte, more bool) error {
	if m := beginning.FindSubmatch(head); m != nil {
		if schema := string(m[1]); schema != Schema {
			return fmt.Errorf("%w: %q; this program reads %q", ErrSchema, schema, Schema)
		}
		return nil
	}
	if err := Unmarshal(head, new(any)); !more && err != nil {
		return err
	}
	return fmt.Errorf(`is not a %s document: it does not begin with {"schema": "%s"`, Schema, Schema)
}

// Decode reads a document and refuses one that is cut short, of another
// schema, with unknown fields or one twice, with text that does not show as it is, with an
// example whose numbers do not fit its shape, or whose digest does not match its content.
func Decode(text []byte) (*Document, error) {
	d, found, err := decode(text)
	if err != nil {
		return nil, err
	}
	return d.sealed(found)
}

// sealed is the document, if its digest is the one that its content has.
func (d *Document) sealed(found string) (*Document, error) {
	if d.Digest != found {
		return nil, fmt.Errorf("%w: its digest is %.19q, its content has %.19q", ErrDigest, d.Digest, found)
	}
	return d, nil
}

// decode reads a document, with the digest that its content has.
func decode(text []byte) (d *Document, found string, err error) {
	if err := begins(text[:min(len(text), headSize)], len(text) > headSize); err != nil {
		return nil, "", err
	}
	if !utf8.Valid(text) {
		return nil, "", fmt.Errorf("%w: it is not UTF-8", ErrHidden)
	}
	d = &Document{}
	if err := Unmarshal(text, d, KnownOnly, sharing()); err != nil {
		return nil, "", err
	}
	found, err = digest(d)
	return d, found, err
}
