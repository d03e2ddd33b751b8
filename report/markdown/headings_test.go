package markdown

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
)

// A heading has the id that it names, and says the rest; where it names none, the id is
// made of its words. The list of sections has both, and sets variables as headings do.
func TestHeadingsNameTheirIDs(t *testing.T) {
	source := "# Page\n\nFinding.\n\n## Why it is d_k {#old-one}\n\nText.\n\n## Plain words\n\nText.\n\n## Third {#third}\n\nText.\n"
	page, err := HTML([]byte(source), Site{})
	if err != nil || page.Heading != "Page" {
		t.Fatal(err, page.Heading)
	}
	for _, want := range []string{`<h2 id="old-one"><a href="#old-one">Why it is <i>d</i><sub><i>k</i></sub></a></h2>`, `<h2 id="plain-words">`, `<h2 id="third">`,
		`<li><a href="#old-one">Why it is <i>d</i><sub><i>k</i></sub></a></li>`} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("lacks %s:\n%s", want, page.Body)
		}
	}
	if got := string(WithoutIDs([]byte(source))); strings.Contains(got, "{#") || !strings.Contains(got, "\n## Why it is d_k\n") {
		t.Errorf("for a code host: %s", got)
	}
}

// No string of a plan gives a heading an id or another attribute.
func TestHeadingsOfStrangers(t *testing.T) {
	for _, s := range append(sample.Hostile, "{#taken}", "x {onclick=alert(1)}", "{.class #id}") {
		page, err := HTML([]byte("## Distribution "+Escape(s)+"\n"), Site{})
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^<h2 id="distribution[^" ]*"><a href="#distribution[^" ]*">`).MatchString(page.Body) {
			t.Errorf("%q: %s", s, page.Body)
		}
	}
}
