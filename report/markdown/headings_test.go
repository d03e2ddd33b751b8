package markdown

import (
	"regexp"
	"strings"
	"testing"

	"mcsim/report/internal/sample"
)

// TestHeadingIDs checks that a heading has the ID in its braces or, without braces, an ID made of
// its words. The list of sections must link to these IDs and typeset variables like the headings.
func TestHeadingIDs(t *testing.T) {
	source := "# Page\n\nFinding.\n\n## Why it is d_k {#old-one}\n\nText.\n\n" +
		"## Plain words\n\nText.\n\n## Third {#third}\n\nText.\n"
	page, err := Convert([]byte(source), Site{})
	if err != nil {
		t.Fatal(err)
	}
	if page.Heading != "Page" {
		t.Errorf("got the heading %q, want %q", page.Heading, "Page")
	}
	const link = `<a href="#old-one">Why it is <i>d</i><sub><i>k</i></sub></a>`
	for _, want := range []string{
		`<h2 id="old-one">` + link + `</h2>`, `<h2 id="plain-words">`, `<h2 id="third">`, `<li>` + link + `</li>`,
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page does not contain %s:\n%s", want, page.Body)
		}
	}
	got := string(RemoveIDs([]byte(source)))
	if strings.Contains(got, "{#") || !strings.Contains(got, "\n## Why it is d_k\n") {
		t.Errorf("RemoveIDs did not remove exactly the IDs: %s", got)
	}
}

// TestHostileHeadings checks that a hostile string in a heading cannot give the heading attributes.
func TestHostileHeadings(t *testing.T) {
	for _, s := range append(sample.Hostile, "{#taken}", "x {onclick=alert(1)}", "{.class #id}") {
		page, err := Convert([]byte("## Distribution "+Escape(s)+"\n"), Site{})
		if err != nil {
			t.Fatal(err)
		}
		if !regexp.MustCompile(`^<h2 id="distribution[^" ]*"><a href="#distribution[^" ]*">`).MatchString(page.Body) {
			t.Errorf("%q: the heading has other attributes than an ID made of its words: %s", s, page.Body)
		}
	}
}
