package view

import (
	"strings"
	"testing"
)

// A sign is explained where a cell has it, and nowhere else.
func TestNotation(t *testing.T) {
	for cell, word := range map[string]string{
		"1.0003(10)":            "digits in parentheses",
		"1.2(3)·10⁻⁴":           "digits in parentheses",
		"0.12 ± 0.03":           "after ±",
		"520†":                  "† The error",
		"1.2‡":                  "‡ A limit",
		"*1\u202f048\u202f576*": "in italics",
		"< 3·10⁻⁷":              "after <",
		"1.0003":                "",
		"power(0.5)":            "",
		"*95.1 [94.8, 95.4] %*": "",
		"student-t(10)":         "",
		"":                      "",
	} {
		said := Table{Rows: [][]string{{"x", "1"}, {"y", cell}}}.Notation()
		if text := strings.Join(said, " "); word == "" && text != "" || word != "" && (len(said) != 1 || !strings.Contains(text, word)) {
			t.Errorf("%q: %q", cell, said)
		}
	}
}

// A page says each thing once, signs of tables first.
func TestNotationInOrder(t *testing.T) {
	first, last := Table{Rows: [][]string{{"1 ± 1"}}}.Notation(), Table{Rows: [][]string{{"1‡"}}}.Notation()
	got := InOrder([]string{"a", last[0], "a", first[0], last[0], "b"})
	if want := []string{first[0], last[0], "a", "b"}; strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%q", got)
	}
}
