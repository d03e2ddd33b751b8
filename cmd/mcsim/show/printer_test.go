package show

import (
	"strings"
	"testing"
)

// TestNumbersStayWhole checks that a line does not end at the narrow space (U+202F) within a
// number, or before its unit.
func TestNumbersStayWhole(t *testing.T) {
	var b strings.Builder
	Paragraph(&b, "", 0, strings.Repeat("a ", 38)+"12\u202f345 of 99.8\u202f%")
	want := strings.TrimSuffix(strings.Repeat("a ", 38), " ") + "\n12\u202f345 of 99.8\u202f%\n"
	if got := b.String(); got != want {
		t.Errorf("the paragraph is %q, want %q", got, want)
	}
}

// TestColumns checks that lines do not end with spaces, and that a line with only one cell, such as
// the heading here, does not widen a column.
func TestColumns(t *testing.T) {
	var b strings.Builder
	rows := NewTable("a heading of its own")
	rows.Add("a", "bb", "")
	rows.Add("ccc", "d", "e")
	rows.Add("", "", "")
	rows.Print(&b)
	if got, want := b.String(), "a heading of its own\na    bb\nccc  d   e\n\n"; got != want {
		t.Errorf("the table is %q, want %q", got, want)
	}
}
