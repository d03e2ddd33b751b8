package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"html"
	"io"
	"regexp"
	"testing"
	"unicode"

	"github.com/andybalholm/brotli"
	"golang.org/x/image/font/sfnt"

	"mcsim/templates"
)

// TestFontCoversFormulas checks that the font has a glyph for every character that the formulas
// show.
func TestFontCoversFormulas(t *testing.T) {
	covered := readFont(t)
	if covered['\u2200'] {
		t.Error("the font has a character that no formula needs: it is not a subset, or was misread")
	}
	for _, known := range formulas(t) {
		for tex, mathml := range known {
			for _, r := range visibleCharacters(mathml) {
				if !covered[r] {
					t.Errorf("the font does not have %q (%U) for %s; run make generate", r, r, tex)
				}
			}
		}
	}
}

var (
	tags       = regexp.MustCompile(`<[^>]*>`)
	annotation = regexp.MustCompile(`(?s)<annotation.*?</annotation>`)
	oneLetter  = regexp.MustCompile(`<mi>(\pL)</mi>`)
)

// visibleCharacters returns the characters that a browser draws. It draws a single letter in <mi>
// in mathematical italics (MathML Core, "math-auto transform").
func visibleCharacters(mathml string) []rune {
	mathml = annotation.ReplaceAllString(mathml, "")
	var characters []rune
	for _, m := range oneLetter.FindAllStringSubmatch(mathml, -1) {
		characters = append(characters, mathItalic([]rune(m[1])[0]))
	}
	for _, r := range text(oneLetter.ReplaceAllString(mathml, "")) {
		if !unicode.IsControl(r) && (r < 0x2061 || r > 0x2064) { // invisible operators have no glyph
			characters = append(characters, r)
		}
	}
	return characters
}

func mathItalic(r rune) rune {
	switch {
	case r == 'h':
		return 0x210e
	case r >= 'A' && r <= 'Z':
		return 0x1d434 + r - 'A'
	case r >= 'a' && r <= 'z':
		return 0x1d44e + r - 'a'
	case r >= 'Α' && r <= 'Ω':
		return 0x1d6e2 + r - 'Α'
	case r >= 'α' && r <= 'ω':
		return 0x1d6fc + r - 'α'
	}
	return r
}

// formulas returns the two maps of math.json from TeX to MathML: for inline and for displayed
// formulas.
func formulas(t *testing.T) (sets map[string]map[string]string) {
	t.Helper()
	data, err := templates.Math.ReadFile("math.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Inline, Display map[string]string }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Inline) < 10 || len(file.Display) < 5 {
		t.Fatalf("got %d inline and %d displayed formulas, want at least 10 and 5", len(file.Inline), len(file.Display))
	}
	return map[string]map[string]string{"inline": file.Inline, "display": file.Display}
}

func text(mathml string) string { return html.UnescapeString(tags.ReplaceAllString(mathml, "")) }

// readFont returns the set of the characters for which the embedded font has a glyph, and
// checks its name and its tables.
func readFont(t *testing.T) map[rune]bool {
	t.Helper()
	data, err := templates.Math.ReadFile("math.woff2")
	if err != nil {
		t.Fatal(err)
	}
	raw, tables := unpack(t, data)
	for _, want := range []string{"MATH", "CFF ", "cmap", "name"} {
		if !tables[want] {
			t.Errorf("the font has no table %q", want)
		}
	}
	font, err := sfnt.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	var buffer sfnt.Buffer
	if name, err := font.Name(&buffer, sfnt.NameIDFamily); err != nil || name != "mcsim Math" {
		t.Errorf("the font has the name %q (%v): its licence requires a name that differs from the original", name, err)
	}
	covered := map[rune]bool{}
	for r := rune(0x20); r < 0x1d800; r++ {
		if i, err := font.GlyphIndex(&buffer, r); err == nil && i != 0 {
			covered[r] = true
		}
	}
	return covered
}

// knownTags are the numbers of table names in WOFF 2.0 (W3C, WOFF File Format 2.0, section 4.1),
// for the tables of fonts with CFF outlines.
var knownTags = map[byte]string{
	0: "cmap", 1: "head", 2: "hhea", 3: "hmtx", 4: "maxp", 5: "name", 6: "OS/2", 7: "post",
	13: "CFF ", 14: "VORG", 26: "GDEF", 27: "GPOS", 28: "GSUB", 30: "JSTF", 31: "MATH",
}

// unpack converts a WOFF2 file into an OpenType font, and also returns the set of its tables. It
// supports only fonts with CFF outlines, whose tables are not transformed.
func unpack(t *testing.T, data []byte) (font []byte, tables map[string]bool) {
	t.Helper()
	if string(data[:8]) != "wOF2OTTO" {
		t.Fatalf("math.woff2 begins with %q, want wOF2OTTO", data[:8])
	}
	n := int(binary.BigEndian.Uint16(data[12:]))
	r := bytes.NewReader(data[48:])
	names, lengths := make([]string, n), make([]uint32, n)
	for i := range n {
		flags, _ := r.ReadByte()
		names[i] = knownTags[flags&63]
		if flags&63 == 63 {
			name := make([]byte, 4)
			_, _ = io.ReadFull(r, name)
			names[i] = string(name)
		}
		if names[i] == "" || flags>>6 != 0 {
			t.Fatalf("table %d has the flags %#x: its name is unknown or it is transformed", i, flags)
		}
		lengths[i] = readBase128(r)
	}
	packed := io.LimitReader(r, int64(binary.BigEndian.Uint32(data[20:])))
	body, err := io.ReadAll(brotli.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	tables = map[string]bool{}
	head := append([]byte("OTTO"), byte(n>>8), byte(n), 0, 0, 0, 0, 0, 0)
	var aligned []byte
	for i, name := range names {
		tables[name] = true
		head = append(head, name...)
		head = binary.BigEndian.AppendUint32(head, 0) // the checksum, which sfnt does not read
		head = binary.BigEndian.AppendUint32(head, uint32(12+16*n+len(aligned)))
		head = binary.BigEndian.AppendUint32(head, lengths[i])
		aligned = append(aligned, body[:lengths[i]]...)
		body = body[lengths[i]:]
		for len(aligned)%4 != 0 {
			aligned = append(aligned, 0)
		}
	}
	return append(head, aligned...), tables
}

// readBase128 reads a number of type UIntBase128 (WOFF 2.0, section 4.1): seven bits in each byte,
// whose high bit is set if another byte follows.
func readBase128(r *bytes.Reader) (n uint32) {
	for range 5 {
		b, _ := r.ReadByte()
		n = n<<7 | uint32(b&127)
		if b < 128 {
			break
		}
	}
	return n
}
