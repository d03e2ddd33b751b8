package theme

import (
	"errors"
	"image/color"
	"strings"
	"testing"
)

// TestCustom checks the colours and the labels of a file, and the errors of files that mean
// nothing.
func TestCustom(t *testing.T) {
	noFile := func(string, int64) ([]byte, error) { return nil, errors.New("does not exist") }
	parse := func(text string) (*Custom, error) { return ParseCustom("theme.yaml", []byte(text), noFile) }
	c, err := parse("colours: {root: '#010203', series2: '#0a0b0c'}\nlabels:\n  unscaled: ohne Skala\n  'a, b': c\n")
	if err != nil {
		t.Fatal(err)
	}
	custom := Theme{Custom: c}
	root, _ := ExponentStyle(0.5)
	if got, want := custom.Colour(root.Colour.Translucent()), (color.NRGBA{1, 2, 3, 52}); got != want {
		t.Errorf("the colour of a band of √d_k is %v, want %v", got, want)
	}
	if got := custom.Colour(Ink); got != Ink.Paper {
		t.Errorf("the ink is %v, want it unchanged", got)
	}
	for words, want := range map[string]string{
		"unscaled": "ohne Skala", "(a) unscaled": "(a) ohne Skala", "unscaled, $p = 0$": "ohne Skala, $p = 0$",
		"(b) $d_k = 4$: unscaled": "(b) $d_k = 4$: ohne Skala", "a, b": "c", "unscaled rows": "unscaled rows",
	} {
		if got := custom.Text(words); got != want {
			t.Errorf("%q becomes %q, want %q", words, got, want)
		}
	}
	if err := c.Check(); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"font: x.ttf":                                   "theme.yaml:1:7: font: does not exist",
		"colours: {root: green}":                        `theme.yaml:1:17: colours.root: "green" is not a colour`,
		"colours: {none: '#0x1234'}":                    `theme.yaml:1:17: colours.none: "#0x1234" is not a colour`,
		"colours: {series6: '#112233'}":                 `theme.yaml:1:11: colours: unknown key "series6"`,
		"labels:\n  a: b\n  a: c":                       "theme.yaml:3:3: labels: this label stands here a second time",
		"labels: {a: $x}":                               "theme.yaml:1:13: labels: ",
		"palette: x":                                    `theme.yaml:1:1: unknown key "palette"`,
		"labels: {a: " + strings.Repeat("b", 500) + "}": "theme.yaml:1:13: labels: has 500 bytes",
	} {
		if _, err := parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: got the error %v, want %s", text, err, want)
		}
	}
	unused, err := parse("labels: {nowhere: x}")
	if err != nil {
		t.Fatal(err)
	}
	if err := unused.Check(); err == nil || !strings.Contains(err.Error(), "theme.yaml:1:10") {
		t.Errorf("a label that no figure shows: got the error %v, want one with its position", err)
	}
}
