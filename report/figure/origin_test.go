package figure

import (
	"strings"
	"testing"

	"mcsim"
)

// What figures say of their origin is what CITATION.cff says.
func TestOrigin(t *testing.T) {
	for _, want := range []string{work, author, "date-released: " + year + "-"} {
		if !strings.Contains(string(mcsim.Citation), want) {
			t.Errorf("CITATION.cff does not say %q", want)
		}
	}
	for _, word := range strings.Split(keywords, ", ") {
		if word != software && !strings.Contains(string(mcsim.Citation), "- "+word+"\n") {
			t.Errorf("CITATION.cff has no keyword %q", word)
		}
	}
}
