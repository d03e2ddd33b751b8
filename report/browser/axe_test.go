package browser

import (
	"os"
	"testing"
)

const axeFile = "node_modules/axe-core/axe.min.js"

// judge runs the rules for WCAG 2 at level AA, contrast among them, and what
// axe-core calls best practice.
const judge = `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.flatMap(v =>
	v.nodes.slice(0, 3).map(n => v.id + ": " + n.html.slice(0, 160) + " (" + n.failureSummary.split("\n").slice(1, 2).join("").trim() + ")")))`

func TestAccessibility(t *testing.T) {
	whole(t)
	pages(t)
	axe, err := os.ReadFile(axeFile)
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Skip("no axe-core; to run this: " + install)
	}
	must(t, err)
	everyPage(t, func(b *tab, name string) {
		for _, look := range []struct {
			scheme string
			width  int64
		}{{"light", 390}, {"dark", 1280}} {
			b.resize(look.width, 900)
			b.visit(address+"/small/"+name, look.scheme)
			evaluate[bool](b, string(axe)+";true")
			for _, violation := range evaluate[[]string](b, judge) {
				b.t.Errorf("%s at %d px, %s: %s", name, look.width, look.scheme, violation)
			}
		}
	})
}
