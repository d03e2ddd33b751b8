package show

import (
	"strings"
	"testing"
)

// A line does not end within a number, nor between it and its unit.
func TestNumbersStayWhole(t *testing.T) {
	var b strings.Builder
	Paragraph(&b, "", 0, strings.Repeat("a ", 38)+"12\u202f345 of 99.8\u202f%")
	if got, want := b.String(), strings.TrimSuffix(strings.Repeat("a ", 38), " ")+"\n12\u202f345 of 99.8\u202f%\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Blanks at the ends of lines are left out, however the text comes.
func TestUnpadded(t *testing.T) {
	var b strings.Builder
	u := &unpadded{w: &b}
	for _, part := range []string{"a  b ", " ", "\n  ", "c  \n", "   \n"} {
		if _, err := u.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := b.String(), "a  b\n  c\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
