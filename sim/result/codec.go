package result

import (
	"bufio"
	"bytes"
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

// Encode returns d as Write writes it.
func Encode(d *Document) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, d)
	return b.Bytes(), err
}

// Write seals d and writes it as JSON with one list element per line. It holds one element of the
// text at a time.
func Write(w io.Writer, d *Document) error {
	sealed := *d
	if err := Seal(&sealed); err != nil {
		return err
	}
	return Layout(w, &sealed)
}

// Seal sets the schema and the digest of d. It fails for a document that Decode would refuse
// because of a text, an example or a claim.
func Seal(d *Document) (err error) {
	d.Schema = Schema
	if d.Digest, err = digest(d); err != nil {
		return fmt.Errorf("the document %w", err)
	}
	return nil
}

// digest returns the SHA-256 of the document's text with an empty digest. It fails for a document
// with hidden characters, or with an example or claim whose numbers do not fit.
func digest(d *Document) (string, error) {
	if err := CheckExamples(d.Examples); err != nil {
		return "", err
	}
	if err := CheckClaims(d.Claims); err != nil {
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

// Layout writes the fields of d in order, each element of a list on its own line, so that
// differences between two documents are readable. An empty optional list is omitted, so that older
// documents keep their digest.
func Layout(w io.Writer, d *Document) error {
	return layout(w, d, func(string, int, []byte) error { return nil })
}

// layout is Layout with a function that checks the text of every field and element and gets its
// position.
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

// writeField writes a field of the document; a list has one element per line.
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

// at returns the position of a field, or of element i of a list; i is -1 for a field.
func at(name string, i int) string {
	if i < 0 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, i)
}

// writeValue writes a value as JSON.
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

// MaxSize is the largest text that Read accepts, in bytes: some ten million rows.
const MaxSize = 1 << 32

// headSize is the number of bytes that decide whether a text begins as a document does.
const headSize = 1 << 12

// Opener opens a text at its beginning and returns its expected size in bytes, 0 if unknown.
type Opener func() (io.Reader, int64, error)

// Read decodes a document without holding its text. A text that does not begin as a document does
// is refused before the rest is read; any other text that is refused is read a second time, whole,
// to say where the fault is.
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

// beginning matches the beginning of a document with its schema.
var beginning = regexp.MustCompile(`^\s*\{\s*"schema"\s*:\s*"([^"]*)"`)

// begins refuses a text that does not begin as a document with this schema does; more means that
// the text is longer than head.
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

// Decode decodes a document. It refuses one that is cut short or of another schema, has unknown or
// repeated fields, hidden characters, an example whose numbers do not fit its shape, or another
// digest than its content.
func Decode(text []byte) (*Document, error) {
	d, found, err := decode(text)
	if err != nil {
		return nil, err
	}
	return d.sealed(found)
}

// sealed returns the document if its digest is that of its content.
func (d *Document) sealed(found string) (*Document, error) {
	if d.Digest != found {
		return nil, fmt.Errorf("%w: its digest is %.19q, its content has %.19q", ErrDigest, d.Digest, found)
	}
	return d, nil
}

// decode decodes a document and computes the digest of its content.
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
