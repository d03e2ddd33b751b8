package figure

import (
	"strings"
	"testing"

	"mcsim"
)

// TestOrigin checks that CITATION.cff contains the texts of the figures' metadata.
func TestOrigin(t *testing.T) {
	for _, want := range []string{workTitle, author, "date-released: " + year + "-"} {
		if !strings.Contains(string(mcsim.Citation), want) {
			t.Errorf("CITATION.cff does not contain %q", want)
		}
	}
	for _, word := range strings.Split(keywords, ", ") {
		if word != software && !strings.Contains(string(mcsim.Citation), "- "+word+"\n") {
			t.Errorf("CITATION.cff does not have the keyword %q", word)
		}
	}
}
