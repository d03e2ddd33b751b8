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

// accessibility is the script that judges, empty where there is none and need not be.
func accessibility(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile(axeFile)
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Log("no axe-core, so that nothing judges accessibility; to run this: " + install)
		return ""
	}
	must(t, err)
	return string(axe)
}

// judged reports what the page that is open lacks for people who see or hear otherwise.
func (b *tab) judged(name, scheme, axe string) {
	b.t.Helper()
	if axe == "" || testing.Short() {
		return
	}
	b.resize(map[string]int64{"light": 390, "dark": 1280}[scheme], 900)
	evaluate[bool](b, axe+";true")
	for _, violation := range evaluate[[]string](b, judge) {
		b.t.Errorf("%s, %s: %s", name, scheme, violation)
	}
}
