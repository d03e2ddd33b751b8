package site

import (
	"regexp"
	"testing"
)

// privateWords are phrases that a reader had to read twice.
var privateWords = regexp.MustCompile(`know each other|\b[Tt]he distribution (?:normal|uniform|sphere|laplace)\b|have the middle term in common|What reaches the scores of a gradient|[Hh]ow near a row is to|No gate judges these|honest|one weight is all|is its dimension|because unscaled it|half of the way|softmax sees \(?[\d.]+|where no caption says|What stands|in five lines|What is left is farthest|scores × |by the weights alone|wider one of its part|at most one in twenty documents|\b[Bb]ehind\b`)

// The pages say in plain words what they mean.
func TestPlainWords(t *testing.T) {
	for _, found := range privateWords.FindAllString(usual(t)[reportFile], -1) {
		t.Errorf("a page says %q", found)
	}
}

// aQuestion is a heading that asks.
var aQuestion = regexp.MustCompile(`(?m)^#+ .*\?(?: \{.*)?$`)

// A heading says what was found, or names its subject; it asks nothing.
func TestHeadingsDoNotAsk(t *testing.T) {
	for _, found := range aQuestion.FindAllString(usual(t)[reportFile], -1) {
		t.Errorf("a heading asks: %s", found)
	}
}
