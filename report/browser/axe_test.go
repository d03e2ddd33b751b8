package browser

import (
	"os"
	"testing"
)

const axeFile = "node_modules/axe-core/axe.min.js"

// violations runs axe-core's rules for WCAG 2 at level AA and its best practices, or only the named
// rules, and lists what violates them.
const violations = `(rules => axe.run(document, {
	resultTypes: ["violations"], preload: false, ...(rules.length ? {runOnly: {type: "rule", values: rules}} : {}),
}).then(r => r.violations.flatMap(v => v.nodes.slice(0, 3).map(n =>
	v.id + ": " + n.html.slice(0, 160) + " (" + n.failureSummary.split("\n").slice(1, 2).join("").trim() + ")"))))`

// darkRules are the rules whose results depend on colours or on the width of the page. The others
// judge the same elements in every look.
const darkRules = `["color-contrast", "link-in-text-block", "scrollable-region-focusable"]`

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

// accessible reports what the open page lacks for people who see or hear in other ways: by all
// rules in the light on a telephone, and by those for looks in the dark on a laptop.
func (b *tab) accessible(name, scheme, axe string) {
	b.t.Helper()
	if axe == "" {
		return
	}
	width, rules := int64(390), "[]"
	if scheme == "dark" {
		width, rules = 1280, darkRules
	} else {
		evaluate[bool](b, axe+";true")
	}
	b.resize(width, 900)
	for _, violation := range evaluate[[]string](b, violations+"("+rules+")") {
		b.t.Errorf("%s, %s: %s", name, scheme, violation)
	}
}
