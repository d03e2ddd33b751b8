package page

import (
	"strings"
	"testing"
)

// A bibliography has the year of the release, and an address where CITATION.cff has one.
func TestBibTeX(t *testing.T) {
	c := cff()
	if text := c.bibTeX("7", "sha256:ab"); !strings.Contains(text, "\n  year         = {"+c.Released[:4]+"},\n") || strings.Contains(text, "url") != (c.address() != "") {
		t.Error(text)
	}
	for _, with := range []citation{{Released: "2031-01-02", URL: "https://example.org/m"}, {Released: "2031-01-02", Repository: "https://example.org/m"}} {
		if text := with.bibTeX("7", "sha256:ab"); !strings.Contains(text, "\n  url          = {https://example.org/m},\n") || !strings.Contains(text, "year         = {2031}") || strings.Contains(text, "version") {
			t.Error(text)
		}
	}
}

// The entry is of a type that every style knows, and the digest is whole once LaTeX has
// broken it.
func TestBibTeXIsOfEveryStyle(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0123456789abcdef", 4)
	text := cff().bibTeX("7", digest)
	if !strings.HasPrefix(text, "@misc{") || strings.Contains(text, "\n  version") || strings.Contains(text, "\n  license") {
		t.Error(text)
	}
	if !strings.Contains(unbroken(text), digest) {
		t.Errorf("the digest is lost: %s", text)
	}
	for line := range strings.Lines(text) {
		if len(line) > 80 {
			t.Errorf("%q is long", line)
		}
	}
}

// unbroken is an entry without the places where a line may break.
func unbroken(entry string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(entry, `\allowbreak`, "")), "")
}
