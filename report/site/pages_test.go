package site

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"mcsim/report/markdown"
	"mcsim/report/page"
)

// idAttribute matches the id of an element of a page.
var idAttribute = regexp.MustCompile(` id="([^"]*)"`)

// TestConformancePages checks each declaration of a page, its template and its HTML.
func TestConformancePages(t *testing.T) {
	set, err := loadTemplates(Options{Lab: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	files := sitePages(t)
	names, titles := map[string]bool{}, map[string]bool{}
	for _, p := range page.EssayPages {
		fault := func(format string, args ...any) { t.Errorf("page %q: "+format, append([]any{p.Name}, args...)...) }
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(p.Name) {
			fault("its name has other characters than small letters")
		}
		if names[p.Name] {
			fault("another page has the same name")
		}
		if p.Title == "" {
			fault("it has no title")
		}
		if titles[markdown.Slug(p.Title)] {
			fault("another page has the title %q", p.Title)
		}
		if !slices.Contains(page.Groups, p.Group) {
			fault("its group %q is not one of page.Groups", p.Group)
		}
		if p.Description == "" || strings.HasSuffix(p.Description, ".") {
			fault("the description %q is not a phrase without a full stop at its end", p.Description)
		}
		names[p.Name], titles[markdown.Slug(p.Title)] = true, true
		if set.data[p.Template()+".md"] == nil {
			fault("its template templates/%s.md does not exist", p.Template())
		}
		html := files[p.Name+".html"]
		if !strings.Contains(html, "<h1") {
			fault("its HTML has no main heading")
		}
		if strings.Contains(html, "&lt;no value") || strings.Contains(html, "NaN") {
			fault("its HTML shows a missing value")
		}
		ids := idAttribute.FindAllString(html, -1)
		slices.Sort(ids)
		for i := 1; i < len(ids); i++ {
			if ids[i] == ids[i-1] {
				fault("two elements have the attribute%s", ids[i])
			}
		}
		heading, _, _ := strings.Cut(strings.TrimPrefix(string(set.data[p.Template()+".md"]), "# "), "\n")
		inReport := strings.Contains(files[reportFile], "\n## "+heading+"\n")
		isFirst, isRecord := p.Name == page.EssayPages[0].Name, p.Name == page.Record
		if !isFirst && !isRecord && inReport == p.NotInReport {
			fault("it is in %s: %v, but NotInReport is %v", reportFile, inReport, p.NotInReport)
		}
	}
	for name := range set.data {
		base, isMarkdown := strings.CutSuffix(name, ".md")
		isShared := name == sourcesFile || name == exercisesFile
		if isMarkdown && !isShared && !names[base] {
			t.Errorf("templates/%s does not belong to a page", name)
		}
	}
}

// TestReadingOrder checks that the pages are in the order of their groups, and that the numbers of
// the figures increase from page to page.
func TestReadingOrder(t *testing.T) {
	if n := len(page.EssayPages); n > 16 {
		t.Errorf("the essay has %d pages, want at most 16", n)
	}
	previous := 0 // index of the group of the previous page
	for _, p := range page.EssayPages {
		i := slices.Index(page.Groups, p.Group)
		if i < previous {
			t.Errorf("%s, of the group %q, is after pages of %q", p.Name, p.Group, page.Groups[previous])
		}
		previous = max(previous, i)
	}
	var numbers []int
	figureNumber := regexp.MustCompile(`(?m)^\*\*Figure (\d+)\.`)
	for _, m := range figureNumber.FindAllStringSubmatch(sitePages(t)[reportFile], -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 10 || !slices.IsSorted(numbers) {
		t.Errorf("the figures have the numbers %v, want at least 10 in increasing order", numbers)
	}
}

// TestNavigation checks that every page marks its group in the navigation, and links to the first
// page of each group, to all pages of its group and to the previous page.
func TestNavigation(t *testing.T) {
	files := sitePages(t)
	for i, p := range page.EssayPages {
		html := files[p.Name+".html"]
		head, _, _ := strings.Cut(html, "</header>")
		mark := ""
		for _, title := range page.Groups {
			isOutside := func(q page.Page) bool { return q.Group != title }
			group := slices.DeleteFunc(slices.Clone(page.EssayPages), isOutside)
			if !strings.Contains(head, `<a href="`+group[0].Name+`.html"`) {
				t.Errorf("%s.html does not link to the group %s", p.Name, title)
			}
			if title != p.Group {
				continue
			}
			for _, q := range group {
				if !strings.Contains(head, `<a href="`+q.Name+`.html"`) {
					t.Errorf("%s.html does not link to %s of its group", p.Name, q.Name)
				}
			}
			mark = `aria-current="true">` + title
			if p.Name == group[0].Name {
				mark = `aria-current="page">` + title
			}
		}
		if !strings.Contains(head, mark) {
			t.Errorf("%s.html does not mark its group", p.Name)
		}
		if i > 0 && !strings.Contains(html, `rel="prev" href="`+page.EssayPages[i-1].Name+".html") {
			t.Errorf("%s.html does not link to the previous page", p.Name)
		}
	}
}
