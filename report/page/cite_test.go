package page

import (
	"strings"
	"testing"
)

// A bibliography has the year of the release, and an address where CITATION.cff has one.
func TestBibTeX(t *testing.T) {
	c := cff()
	if text := c.bibTeX("7", "sha256:ab"); !strings.Contains(text, "\n  year    = {"+c.Released[:4]+"},\n") || strings.Contains(text, "url") != (c.address() != "") {
		t.Error(text)
	}
	for _, with := range []citation{{Released: "2031-01-02", URL: "https://example.org/m"}, {Released: "2031-01-02", Repository: "https://example.org/m"}} {
		if text := with.bibTeX("7", "sha256:ab"); !strings.Contains(text, "\n  url     = {https://example.org/m},\n") || !strings.Contains(text, "year    = {2031}") || strings.Contains(text, "version") {
			t.Error(text)
		}
	}
}
