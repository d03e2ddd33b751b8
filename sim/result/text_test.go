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

// hiddenTexts are of every kind that a document could be made to have.
var hiddenTexts = map[string]string{
	"a\x1b[31m": "U+001B", "\x00": "U+0000", "two\nlines": "U+000A", "\tx": "U+0009", "x\r": "U+000D", "\u202egnp": "U+202E", "\u2066x\u2069": "U+2066",
	"a\u200bb": "U+200B", "\u200f": "U+200F", "\ufeffx": "U+FEFF", "\u009b31m": "U+009B", "\u0085": "U+0085", "a\u2028b": "U+2028",
}

// places are those of texts in a document.
func places(s string) map[string]*Document {
	found := map[string]*Document{}
	at := func(where string, change func(*Document)) {
		d := document()
		change(d)
		found[where] = d
	}
	at("cells[0].id", func(d *Document) { d.Cells[0].ID = s })
	at("estimates[39].params.list[1]", func(d *Document) { d.Estimates[39].Params["list"] = []any{1.0, s} })
	at("estimates[3].params.a name", func(d *Document) { d.Estimates[3].Params[s] = 1.0 })
	at("plan.name", func(d *Document) { d.Plan = planOf(map[string]any{"name": s}) })
	at("plan.experiments[1].distribution", func(d *Document) {
		d.Plan = planOf(map[string]any{"experiments": []any{1, map[string]any{"distribution": s}}})
	})
	at("plan.a name", func(d *Document) { d.Plan = planOf(map[string]any{s: 1}) })
	return found
}

func planOf(content any) json.RawMessage {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	return text
}

// forged is a document sealed by who minds no rule: its text, with a digest that fits.
func forged(t *testing.T, d *Document) []byte {
	t.Helper()
	d.Schema, d.Digest = Schema, ""
	var open bytes.Buffer
	must(t, Layout(&open, d))
	digest := fmt.Sprintf(`"digest": "sha256:%x"`, sha256.Sum256(open.Bytes()))
	return bytes.Replace(open.Bytes(), []byte(`"digest": ""`), []byte(digest), 1)
}

// Text that does not show as it is, wherever it stands, is neither sealed nor read, and
// one line says where it is.
func TestHiddenText(t *testing.T) {
	if _, err := Decode(forged(t, document())); err != nil {
		t.Fatalf("what should be sound: %v", err)
	}
	for s, called := range hiddenTexts {
		for where, d := range places(s) {
			_, sealed := Encode(d)
			_, read := Decode(forged(t, d))
			for what, err := range map[string]error{"sealed": sealed, "read": read} {
				if !errors.Is(err, ErrHidden) || !strings.Contains(err.Error(), called) || strings.ContainsAny(err.Error(), "\n\x1b\x00\u202e\u200b") {
					t.Errorf("%q as %s is %s: %v", s, where, what, err)
				} else if !strings.Contains(err.Error(), strings.TrimSuffix(where, ".a name")) {
					t.Errorf("%q as %s is said to be elsewhere: %v", s, where, err)
				}
			}
		}
	}
}

// A byte that is not UTF-8 is refused as such, not called a change, in a text, a name and
// the plan.
func TestNotUTF8(t *testing.T) {
	text := forged(t, document())
	for _, old := range []string{`"distribution":"normal"`, `"name":"x"`, `"text":"a `, `"exponent":`} {
		for _, bad := range []string{"\xff", "caf\xe9", "\xed\xa0\x80", "\xc0\xaf"} {
			broken := bytes.Replace(text, []byte(old), []byte(old[:2]+bad+old[2:]), 1)
			if _, err := Decode(broken); !errors.Is(err, ErrHidden) || !strings.Contains(err.Error(), "UTF-8") {
				t.Errorf("%s with %q: %v", old, bad, err)
			}
		}
	}
}
