package browser

import (
	"os"
	"testing"
)

const axeFile = "node_modules/axe-core/axe.min.js"

// violationsScript is a function of an array of rules. It runs these rules of axe-core, or all its
// rules for WCAG 2 at level AA and for best practices if the array is empty. It lists the
// violations.
const violationsScript = `(rules => axe.run(document, {
	resultTypes: ["violations"], preload: false, ...(rules.length ? {runOnly: {type: "rule", values: rules}} : {}),
}).then(r => r.violations.flatMap(v => v.nodes.slice(0, 3).map(n =>
	v.id + ": " + n.html.slice(0, 160) + " (" + n.failureSummary.split("\n").slice(1, 2).join("").trim() + ")"))))`

// darkRules is an array of the rules whose results depend on the colours or the width of the page.
// Other rules have the same results in all schemes and at all widths.
const darkRules = `["color-contrast", "link-in-text-block", "scrollable-region-focusable"]`

// readAxe returns the script of axe-core, or "" if it is not installed. On CI, the test fails
// without it.
func readAxe(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile(axeFile)
	if os.IsNotExist(err) && os.Getenv("CI") == "" {
		t.Log("axe-core is not installed, and accessibility is not checked; to install it: " + installCommand)
		return ""
	}
	must(t, err)
	return string(axe)
}

// checkAccessibility checks the open page by the script axe of axe-core. In the light scheme, it
// uses all rules at the width of a telephone. In the dark scheme, it uses only darkRules at the
// width of a laptop, and needs a call in the light scheme before, which has loaded the script.
func (b *tab) checkAccessibility(name, scheme, axe string) {
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
	for _, violation := range evaluate[[]string](b, violationsScript+"("+rules+")") {
		b.t.Errorf("%s, %s: not accessible: %s", name, scheme, violation)
	}
}

// TestEmbed checks that the page for frames on other sites is accessible, and that it fits the frame
// that the page of the lab recommends.
func TestEmbed(t *testing.T) {
	axe := readAxe(t)
	b := open(t)
	b.resize(560, 350)
	b.visit(address+"/embed.html", "light")
	if height := evaluate[int](b, `document.documentElement.scrollHeight`); height > 350 {
		t.Errorf("the page is %d pixels high, want at most 350", height)
	}
	for _, scheme := range schemes {
		b.emulate("screen", scheme)
		b.checkAccessibility("embed.html", scheme, axe)
	}
}
