package site

import (
	"regexp"
	"testing"

	"mcsim/report/internal/sample"
)

// privateWords are phrases that a reader had to read twice.
var privateWords = regexp.MustCompile(`know each other|\b[Tt]he law (?:normal|uniform|sphere|laplace)\b|have the middle term in common|What reaches the scores of a gradient|[Hh]ow near a row is to|No gate judges these|honest`)

// The pages say in plain words what they mean.
func TestPlainWords(t *testing.T) {
	for _, found := range privateWords.FindAllString(oneDocument(t, sample.Document()), -1) {
		t.Errorf("a page says %q", found)
	}
}
