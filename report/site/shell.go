package site

import (
	"bytes"
	"fmt"
	htmltemplate "html/template"

	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/report/view"
)

// shell is what shell.html is filled with.
type shell struct {
	Name     string // of the page, for its style
	Title    string
	Plan     string
	Pages    []pageLink
	Previous *pageLink
	Next     *pageLink
	Body     htmltemplate.HTML
	Facts    []fact
}

// pageLink is an entry of the navigation.
type pageLink struct {
	File, Title string
	Here        bool
	Apart       bool // at the foot of the pages, not at their head
}

// fact is an entry of the footer.
type fact struct{ Name, Value string }

// page sets one page of the site.
func (set *templateSet) page(src *view.Source, i int, source []byte, anchors map[string]string) ([]byte, error) {
	body, heading, err := markdown.HTML(source, src.Files, anchors)
	if err != nil {
		return nil, fmt.Errorf("%s.html: %w", page.All[i].Name, err)
	}
	if heading == "" {
		heading = page.All[i].Title
	}
	s := shell{
		Name:  page.All[i].Name,
		Title: heading,
		Plan:  markdown.Code(src.Plan.Name),
		Body:  htmltemplate.HTML(body), // goldmark has escaped all text in it
		Facts: facts(src),
	}
	for j, p := range page.All {
		s.Pages = append(s.Pages, pageLink{p.Name + ".html", p.Title, i == j, p.Apart})
	}
	if i > 0 {
		s.Previous = &s.Pages[i-1]
	}
	if i+1 < len(page.All) {
		s.Next = &s.Pages[i+1]
	}
	var out bytes.Buffer
	if err := set.shell.Execute(&out, s); err != nil {
		return nil, set.clear(err)
	}
	return out.Bytes(), nil
}

// facts are what the footer says of the document.
func facts(src *view.Source) []fact {
	out := []fact{{"seed", fmt.Sprint(src.Doc.Seed)}}
	if src.Doc.Digest != "" {
		out = append(out, fact{"results", markdown.Code(src.Doc.Digest)})
	}
	return out
}
