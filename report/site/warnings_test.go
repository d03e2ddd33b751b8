package site

import (
	"strings"
	"testing"

	"mcsim/report/internal/sample"
	"mcsim/report/view"
)

// What is offered beside a figure is named for what it is.
func TestFormsAreNamed(t *testing.T) {
	text := site(t, sample.Document(), view.Run{})
	page := text["cite.html"]
	if strings.Contains(page, "numbers as a table") || !strings.Contains(page, "figure environment") || !strings.Contains(text["index.html"], `href="figures/scaled.tex"`) {
		t.Error("LaTeX is not offered as an environment")
	}
}
