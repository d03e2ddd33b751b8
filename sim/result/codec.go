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

// Encode seals d and returns it as JSON, as Write does.
func Encode(d *Document) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, d)
	return b.Bytes(), err
}

// Write seals d and writes it as JSON with one list element per line. It holds the text of only one
// list element in memory.
func Write(w io.Writer, d *Document) error {
	sealed := *d
	if err := Seal(&sealed); err != nil {
		return err
	}
	return Layout(w, &sealed)
}

// Seal sets the schema and the digest of d. It fails if Decode would refuse a text, an example or
// a claim of d.
func Seal(d *Document) (err error) {
	d.Schema = Schema
	if d.Digest, err = digest(d); err != nil {
		return fmt.Errorf("document: %w", err)
	}
	return nil
}

// digest returns the SHA-256 of the document's text with an empty digest. It fails if a text of the
// document has hidden characters, or if CheckExamples or CheckClaims fails.
func digest(d *Document) (string, error) {
	if err := CheckExamples(d.Examples); err != nil {
		return "", err
	}
	if err := CheckClaims(d.Claims); err != nil {
		return "", err
	}
	unsigned := *d
	unsigned.Digest = ""
	h := sha256.New()
	if err := layout(h, &unsigned, checkVisible); err != nil {
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

// layout is like Layout, but also calls check with the JSON of every field that is not a list (with
// i = −1) and of every element i of a list.
func layout(w io.Writer, d *Document, check func(name string, i int, text []byte) error) error {
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
		if err := writeField(b, v.Field(i), name, check); err != nil {
			return err
		}
	}
	b.WriteString("\n}\n")
	return b.Flush()
}

// writeField writes a field of the document. A list has one element per line.
func writeField(b *bufio.Writer, v reflect.Value, name string, check func(string, int, []byte) error) error {
	_, isRaw := v.Interface().(json.RawMessage)
	isList := v.Kind() == reflect.Slice && !isRaw
	if !isList {
		return writeValue(b, v, name, -1, check)
	}
	b.WriteString("[")
	for i := range v.Len() {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n ")
		if err := writeValue(b, v.Index(i), name, i, check); err != nil {
			return err
		}
	}
	b.WriteString("]")
	return nil
}

// formatPosition returns the position of a field (if i is −1), or of element i of a list.
func formatPosition(name string, i int) string {
	if i < 0 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, i)
}

func writeValue(b *bufio.Writer, v reflect.Value, name string, i int, check func(string, int, []byte) error) error {
	text, err := json.Marshal(v.Addr().Interface())
	if err != nil {
		return fmt.Errorf("%s: %w", formatPosition(name, i), err)
	}
	b.Write(text)
	return check(name, i, text)
}

// Errors of Decode, in addition to ErrTruncated, ErrDuplicateKey, ErrInvalidText, ErrShape and
// ErrClaimBounds.
var (
	ErrSchema = errors.New("unsupported schema")
	ErrDigest = errors.New("changed after it was written")
	ErrSize   = errors.New("too large")
)

// MaxSize is the largest size of a document that Read accepts, in bytes: about ten million
// estimates.
const MaxSize = 1 << 32

// headSize is the number of bytes that Read inspects to decide whether a text begins as a
// document.
const headSize = 1 << 12

// Opener opens a text at its beginning. It also returns the expected size of the text in bytes, 0
// if this is unknown.
type Opener func() (io.Reader, int64, error)

// Read decodes a document without holding its text in memory. If the text does not begin as a
// document, Read does not read the rest. If the fault is further on, Read opens the text a second
// time and reads it as a whole, so that the error has the position of the fault.
func Read(open Opener) (*Document, error) {
	r, size, err := open()
	if err != nil {
		return nil, err
	}
	r = &spaceLimiter{r: r}
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return nil, err
	}
	if err := checkStart(head[:n], n == headSize); err != nil {
		return nil, err
	}
	if size > MaxSize {
		return nil, fmt.Errorf("%w: %d bytes; at most %d are read", ErrSize, size, int64(MaxSize))
	}
	d := &Document{}
	limited := &io.LimitedReader{R: io.MultiReader(bytes.NewReader(head[:n]), r), N: MaxSize + 1}
	err = jsonv2.UnmarshalRead(limited, d, KnownOnly, shareParams())
	isTooLong := limited.N == 0
	if err == nil && !isTooLong {
		if contentDigest, err := digest(d); err == nil {
			return d.verifyDigest(contentDigest)
		}
	}
	if r, _, err = open(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(&spaceLimiter{r: r}, MaxSize+1))
	if err == nil && int64(len(text)) > MaxSize {
		err = fmt.Errorf("%w: more than %d bytes", ErrSize, int64(MaxSize))
	}
	if err != nil {
		return nil, err
	}
	return Decode(text)
}

// maxSpace is the approximate number of bytes of white space in a row that Read accepts. The JSON
// decoder holds white space in memory, and packed white space takes nearly no bytes.
const maxSpace = 1 << 20

// spaceLimiter is a reader that fails after maxSpace bytes of white space.
type spaceLimiter struct {
	r     io.Reader
	count int // bytes of white space in the last reads
}

// Read implements io.Reader.
func (l *spaceLimiter) Read(p []byte) (int, error) {
	n, err := l.r.Read(p[:min(len(p), maxSpace)])
	if len(bytes.TrimLeft(p[:n], " \t\r\n")) > 0 {
		l.count = 0
	} else if l.count += n; l.count > maxSpace {
		return 0, fmt.Errorf("%w: more than %d bytes of white space in a row", ErrSize, maxSpace)
	}
	return n, err
}

// documentStart matches the beginning of a document, with its schema.
var documentStart = regexp.MustCompile(`^\s*\{\s*"schema"\s*:\s*"([^"]*)"`)

// checkStart returns an error unless head begins as a document with this schema; hasMore means
// that the text is longer than head.
func checkStart(head []byte, hasMore bool) error {
	if m := documentStart.FindSubmatch(head); m != nil {
		if schema := string(m[1]); schema != Schema {
			return fmt.Errorf("%w: %q; this program reads %q", ErrSchema, schema, Schema)
		}
		return nil
	}
	if !hasMore {
		if err := Unmarshal(head, new(any)); err != nil {
			return err
		}
	}
	return fmt.Errorf(`not a %s document: it does not begin with {"schema": "%s"`, Schema, Schema)
}

// Decode decodes a document. It fails if the text is truncated, has another schema, unknown or
// repeated fields, hidden characters, an example whose numbers do not fit its shape, or a digest
// that is not the digest of the content.
func Decode(text []byte) (*Document, error) {
	d, contentDigest, err := decode(text)
	if err != nil {
		return nil, err
	}
	return d.verifyDigest(contentDigest)
}

// verifyDigest returns the document if its digest is contentDigest.
func (d *Document) verifyDigest(contentDigest string) (*Document, error) {
	if d.Digest != contentDigest {
		return nil, fmt.Errorf("%w: the digest is %.19q, but the content has the digest %.19q", ErrDigest, d.Digest,
			contentDigest)
	}
	return d, nil
}

// decode decodes a document and computes the digest of its content.
func decode(text []byte) (d *Document, contentDigest string, err error) {
	if err := checkStart(text[:min(len(text), headSize)], len(text) > headSize); err != nil {
		return nil, "", err
	}
	if !utf8.Valid(text) {
		return nil, "", fmt.Errorf("%w: not UTF-8", ErrInvalidText)
	}
	d = &Document{}
	if err := Unmarshal(text, d, KnownOnly, shareParams()); err != nil {
		return nil, "", err
	}
	contentDigest, err = digest(d)
	return d, contentDigest, err
}
