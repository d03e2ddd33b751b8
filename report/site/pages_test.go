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

// anID is an anchor of a page.
var anID = regexp.MustCompile(` id="([^"]*)"`)

// TestConformancePages holds each row of the table to what every page needs: a name and a
// title of its own, a group of the navigation, a line of what it is about, a template, a
// heading, and anchors that are told apart.
func TestConformancePages(t *testing.T) {
	set, err := load(Options{Lab: fstest.MapFS{}})
	if err != nil {
		t.Fatal(err)
	}
	files := usual(t)
	names, titles := map[string]bool{}, map[string]bool{}
	for _, p := range page.Essay {
		fault := func(format string, args ...any) { t.Errorf("page %q: "+format, append([]any{p.Name}, args...)...) }
		if !regexp.MustCompile(`^[a-z]+$`).MatchString(p.Name) || names[p.Name] {
			fault("its name is not of small letters, or another page has it")
		}
		if p.Title == "" || titles[markdown.Slug(p.Title)] {
			fault("it has no title, or another page has the title %q", p.Title)
		}
		if !slices.Contains(page.Groups, p.Group) {
			fault("it is of no group of the navigation: %q", p.Group)
		}
		if p.About == "" || strings.HasSuffix(p.About, ".") {
			fault("about is to say what a reader finds there, as a part of a sentence: %q", p.About)
		}
		names[p.Name], titles[markdown.Slug(p.Title)] = true, true
		if set.data[p.Template()+".md"] == nil {
			fault("there is no templates/%s.md", p.Template())
		}
		html := files[p.Name+".html"]
		if !strings.Contains(html, "<h1") || strings.Contains(html, "&lt;no value") || strings.Contains(html, "NaN") {
			fault("it has no heading, or shows what is missing as if it were there")
		}
		ids := anID.FindAllString(html, -1)
		slices.Sort(ids)
		for i := 1; i < len(ids); i++ {
			if ids[i] == ids[i-1] {
				fault("two elements have%s", ids[i])
			}
		}
		heading, _, _ := strings.Cut(strings.TrimPrefix(string(set.data[p.Template()+".md"]), "# "), "\n")
		if held := strings.Contains(files[reportFile], "\n## "+heading+"\n"); p.Name != page.Essay[0].Name && p.Name != "record" && held == p.Apart {
			fault("it stands in %s: %v, apart: %v", reportFile, held, p.Apart)
		}
	}
	for name := range set.data {
		if base, ok := strings.CutSuffix(name, ".md"); ok && name != sourcesFile && name != exercisesFile && !names[base] {
			t.Errorf("templates/%s is of no page", name)
		}
	}
}

// One reads the pages in the order of their groups, and meets figures in the order of
// their numbers.
func TestReadingOrder(t *testing.T) {
	if len(page.Essay) > 14 {
		t.Errorf("there are %d pages", len(page.Essay))
	}
	last := 0
	for _, p := range page.Essay {
		at := slices.Index(page.Groups, p.Group)
		if at < last {
			t.Errorf("%s, of the group %q, stands behind pages of %q", p.Name, p.Group, page.Groups[last])
		}
		last = max(last, at)
	}
	var numbers []int
	for _, m := range regexp.MustCompile(`(?m)^\*\*Figure (\d+)\.`).FindAllStringSubmatch(usual(t)[reportFile], -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, n)
	}
	if len(numbers) < 10 || !slices.IsSorted(numbers) {
		t.Errorf("figures are numbered %v", numbers)
	}
}

// Every page leads to the first page of each group, to all pages of its own, and to its
// neighbours, and says which of these it is.
func TestNavigation(t *testing.T) {
	files := usual(t)
	for i, p := range page.Essay {
		html := files[p.Name+".html"]
		head, _, _ := strings.Cut(html, "</header>")
		here := ""
		for _, title := range page.Groups {
			of := slices.DeleteFunc(slices.Clone(page.Essay), func(q page.Page) bool { return q.Group != title })
			if !strings.Contains(head, `<a href="`+of[0].Name+`.html"`) {
				t.Errorf("%s.html does not lead to the group %s", p.Name, title)
			}
			if title != p.Group {
				continue
			}
			for _, q := range of {
				if !strings.Contains(head, `<a href="`+q.Name+`.html"`) {
					t.Errorf("%s.html does not lead to its neighbour %s", p.Name, q.Name)
				}
			}
			here = `aria-current="true">` + title
			if p.Name == of[0].Name {
				here = `aria-current="page">` + title
			}
		}
		if !strings.Contains(head, here) {
			t.Errorf("%s.html does not mark its group", p.Name)
		}
		if i > 0 && !strings.Contains(html, `rel="prev" href="`+page.Essay[i-1].Name+".html") {
			t.Errorf("%s.html does not lead back", p.Name)
		}
	}
}
