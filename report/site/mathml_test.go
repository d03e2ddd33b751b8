package site

import (
	"strings"
	"testing"

	"mcsim/report/page"
	"mcsim/sim/result"
)

// TestPagesShowMathML checks that the pages show all formulas as MathML. A formula that is not in
// the embedded templates, such as one from a string of a document, would be shown as TeX.
func TestPagesShowMathML(t *testing.T) {
	for _, doc := range []*result.Document{fullDocument(), {}} {
		for name, data := range renderPages(t, doc, page.Run{}) {
			if strings.HasSuffix(name, ".html") && strings.Contains(data, `class="tex"`) {
				t.Errorf("%s shows a formula as TeX", name)
			}
		}
	}
}
