package site

import (
	"strings"
	"testing"

	"mcsim/report/page"
	"mcsim/sim/result"
)

// The rendered pages show every formula as MathML, and only formulas that the
// templates hold; so no string of a document has become one.
func TestPagesShowMathML(t *testing.T) {
	for _, doc := range []*result.Document{full(), {}} {
		for name, data := range site(t, doc, page.Run{}) {
			if strings.HasSuffix(name, ".html") && strings.Contains(data, `class="tex"`) {
				t.Errorf("%s shows TeX", name)
			}
		}
	}
}
