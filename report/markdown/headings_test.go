package markdown

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
)

// TestHeadingIDs checks that a heading has the ID in its braces or, without braces, an ID made of
// its words. The list of sections links to these IDs, and has variables like the headings.
func TestHeadingIDs(t *testing.T) {
	source := "# Page\n\nFinding.\n\n## Why it is d_k {#old-one}\n\nText.\n\n" +
		"## Plain words\n\nText.\n\n## Third {#third}\n\nText.\n"
	page, err := Convert([]byte(source), Site{})
	if err != nil || page.Heading != "Page" {
		t.Fatal(err, page.Heading)
	}
	const link = `<a href="#old-one">Why it is <i>d</i><sub><i>k</i></sub></a>`
	for _, want := range []string{
		`<h2 id="old-one">` + link + `</h2>`, `<h2 id="plain-words">`, `<h2 id="third">`, `<li>` + link + `</li>`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("%s is missing:\n%s", want, page.Body)
		}
	}
	got := string(RemoveIDs([]byte(source)))
	if strings.Contains(got, "{#") || !strings.Contains(got, "\n## Why it is d_k\n") {
		t.Errorf("for a code host: %s", got)
	}
}

// TestHostileHeadings checks that no string of a plan gives a heading an ID or another attribute.
func TestHostileHeadings(t *testing.T) {
	for _, s := range append(sample.Hostile, "{#taken}", "x {onclick=alert(1)}", "{.class #id}") {
		page, err := Convert([]byte("## Distribution "+Escape(s)+"\n"), Site{})
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^<h2 id="distribution[^" ]*"><a href="#distribution[^" ]*">`).MatchString(page.Body) {
			t.Errorf("%q: %s", s, page.Body)
		}
	}
}
