package show

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestParagraph checks that the lines of a paragraph fit a screen, keep all words, and do not
// separate a value from its error or interval.
func TestParagraph(t *testing.T) {
	text := strings.Repeat("nine √d_k ± 0.0005 (0.68 [0.67, 0.69]) ", 20) + strings.Repeat("x", 100) + " end"
	var b strings.Builder
	Paragraph(&b, "Heading", 9, text)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) < 6 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line); n > Width && !strings.Contains(line, "xxx") {
			t.Errorf("line %d has %d characters: %s", i, n, line)
		}
		if i > 0 && !strings.HasPrefix(line, strings.Repeat(" ", 9)) || strings.HasSuffix(line, "±") ||
			strings.HasSuffix(line, ",") || strings.HasPrefix(strings.TrimSpace(line), "[") ||
			strings.HasPrefix(strings.TrimSpace(line), "±") {
			t.Errorf("line %d is %q", i, line)
		}
	}
	if got := strings.Join(strings.Fields(b.String()), " "); got != "Heading "+text {
		t.Errorf("the words are %q", got)
	}
}
