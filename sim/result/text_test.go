package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// hiddenTexts maps texts to their hidden character.
var hiddenTexts = map[string]string{
	"a\x1b[31m": "U+001B", "\x00": "U+0000", "two\nlines": "U+000A", "\tx": "U+0009", "x\r": "U+000D",
	"\u202egnp": "U+202E", "\u2066x\u2069": "U+2066",
	"a\u200bb": "U+200B", "\u200f": "U+200F", "\ufeffx": "U+FEFF", "\u009b31m": "U+009B", "\u0085": "U+0085",
	"a\u2028b": "U+2028",
}

// documentsWithText returns documents that contain the text s as a value or a key, by the position
// of s.
func documentsWithText(s string) map[string]*Document {
	found := map[string]*Document{}
	add := func(position string, change func(*Document)) {
		d := newDocument()
		change(d)
		found[position] = d
	}
	add("cells[0].id", func(d *Document) { d.Cells[0].ID = s })
	add("estimates[39].params.list[1]", func(d *Document) { d.Estimates[39].Params["list"] = []any{1.0, s} })
	add("estimates[3].params.a name", func(d *Document) { d.Estimates[3].Params[s] = 1.0 })
	add("plan.name", func(d *Document) { d.Plan = encodePlan(map[string]any{"name": s}) })
	add("plan.experiments[1].distribution", func(d *Document) {
		d.Plan = encodePlan(map[string]any{"experiments": []any{1, map[string]any{"distribution": s}}})
	})
	add("plan.a name", func(d *Document) { d.Plan = encodePlan(map[string]any{s: 1}) })
	return found
}

func encodePlan(content any) json.RawMessage {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	return text
}

// forge returns the text of an invalid document with the right digest.
func forge(t *testing.T, d *Document) []byte {
	t.Helper()
	d.Schema, d.Digest = Schema, ""
	var unsigned bytes.Buffer
	must(t, Layout(&unsigned, d))
	digest := fmt.Sprintf(`"digest": "sha256:%x"`, sha256.Sum256(unsigned.Bytes()))
	return bytes.Replace(unsigned.Bytes(), []byte(`"digest": ""`), []byte(digest), 1)
}

func TestHiddenText(t *testing.T) {
	if _, err := Decode(forge(t, newDocument())); err != nil {
		t.Fatalf("the unchanged document: %v", err)
	}
	for s, character := range hiddenTexts {
		for position, d := range documentsWithText(s) {
			_, encodeErr := Encode(d)
			_, decodeErr := Decode(forge(t, d))
			for function, err := range map[string]error{"Encode": encodeErr, "Decode": decodeErr} {
				if !errors.Is(err, ErrInvalidText) || !strings.Contains(err.Error(), character) {
					t.Errorf("%q at %s: error %q of %s, want ErrInvalidText with %s", s, position, err, function, character)
					continue
				}
				if strings.ContainsAny(err.Error(), "\n\x1b\x00\u202e\u200b") {
					t.Errorf("%q at %s: error %q of %s has hidden characters", s, position, err, function)
				}
				if want := strings.TrimSuffix(position, ".a name"); !strings.Contains(err.Error(), want) {
					t.Errorf("%q at %s: error %q of %s, want the position %s", s, position, err, function, want)
				}
			}
		}
	}
}

// TestNotUTF8 checks that an invalid byte is not reported as a wrong digest.
func TestNotUTF8(t *testing.T) {
	text := forge(t, newDocument())
	for _, old := range []string{`"distribution":"normal"`, `"name":"x"`, `"text":"a `, `"exponent":`} {
		for _, bad := range []string{"\xff", "caf\xe9", "\xed\xa0\x80", "\xc0\xaf"} {
			broken := bytes.Replace(text, []byte(old), []byte(old[:2]+bad+old[2:]), 1)
			if _, err := Decode(broken); !errors.Is(err, ErrInvalidText) || !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("%s with %q: error %v, want ErrInvalidText with UTF-8", old, bad, err)
			}
		}
	}
}
