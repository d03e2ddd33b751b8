package show

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// narrowTerminal is a terminal of 40 columns.
type narrowTerminal struct{ strings.Builder }

func (*narrowTerminal) Coloured() bool { return false }
func (*narrowTerminal) Columns() int   { return 40 }

// TestReflow checks that a text is broken again for a narrow terminal, where the items of a list
// keep their labels and indentation, and printed as it is otherwise.
func TestReflow(t *testing.T) {
	const text = "A paragraph of two lines, the first of which is longer than the\nterminal is wide.\n\n" +
		"  short      text of a first item\n  a label    text of an item that continues\n             on a second line"
	const narrow = "A paragraph of two lines, the first of\nwhich is longer than the terminal is\nwide.\n\n" +
		"  short      text of a first item\n  a label    text of an item that\n             continues on a second line\n"
	var wide strings.Builder
	Reflow(&wide, text)
	if got := wide.String(); got != text+"\n" {
		t.Errorf("a wide terminal shows %q, want %q", got, text+"\n")
	}
	var terminal narrowTerminal
	Reflow(&terminal, text)
	if got := terminal.String(); got != narrow {
		t.Errorf("a narrow terminal shows %q, want %q", got, narrow)
	}
}

// TestParagraph checks that the lines of a paragraph have at most Width characters and all words,
// and that they do not separate a value from its error or interval. The one word of 100 characters
// in the text may have a longer line.
func TestParagraph(t *testing.T) {
	text := strings.Repeat("nine √d_k ± 0.0005 (0.68 [0.67, 0.69]) ", 20) + strings.Repeat("x", 100) + " end"
	var b strings.Builder
	const indent = 9
	Paragraph(&b, "Heading", indent, text)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) < 6 {
		t.Fatalf("the paragraph has %d lines, want at least 6", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > Width && !strings.Contains(line, "xxx") {
			t.Errorf("line %d has %d characters, want at most %d: %s", i, n, Width, line)
		}
		if i > 0 && !strings.HasPrefix(line, strings.Repeat(" ", indent)) {
			t.Errorf("line %d is not indented by %d spaces: %q", i, indent, line)
		}
		words := strings.TrimSpace(line)
		if strings.HasPrefix(words, "±") || strings.HasPrefix(words, "[") {
			t.Errorf("line %d starts with an error or interval without its value: %q", i, line)
		}
		if strings.HasSuffix(line, "±") || strings.HasSuffix(line, ",") {
			t.Errorf("line %d ends within an error or interval: %q", i, line)
		}
	}
	if got, want := strings.Join(strings.Fields(b.String()), " "), "Heading "+text; got != want {
		t.Errorf("the words are %q, want %q", got, want)
	}
}
