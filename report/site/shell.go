package site

import (
	"bytes"
	"cmp"
	"fmt"
	htmltemplate "html/template"
	"strings"

	"mcsim/report/lab"
	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/report/view"
)

// shell is what shell.html is filled with.
type shell struct {
	Name     string // of the page, for its style
	Title    string
	Plan     string
	Groups   []group
	Group    group // of the page
	Previous *pageLink
	Next     *pageLink
	About    string // what the page has found, for who has only this to go by
	Image    string // address of its first figure
	Math     bool   // has formulas
	Body     htmltemplate.HTML
	Lab      bool   // runs the lab
	Apart    bool   // stands in no joined document
	Policy   string // what a page of scripts may do; others run none
	Facts    []fact
}

// group is a group of pages in the navigation, which leads to the first of them.
type group struct {
	Title string
	Here  bool // holds the page
	Pages []pageLink
}

// First is the page that the name of a group leads to.
func (g group) First() pageLink { return g.Pages[0] }

// pageLink is an entry of the navigation.
type pageLink struct {
	File, Title string
	Here        bool
}

// fact is an entry of the footer.
type fact struct{ Name, Value string }

// page sets one page of the site.
func (c *content) html(i int, source []byte, known markdown.Site) ([]byte, error) {
	set, src, here := c.set, c.src, c.sheets[i]
	if here.Name == page.Explaining {
		known.Terms = nil // they explain them themselves
	}
	html, err := markdown.HTML(source, known)
	if err != nil {
		return nil, fmt.Errorf("%s.html: %w", here.Name, err)
	}
	s := shell{
		Name:  here.Name,
		Title: cmp.Or(html.Heading, here.Title),
		About: cmp.Or(html.Lead, here.About),
		Image: poster(html.Chart, src.Files),
		Math:  html.Math,
		Plan:  markdown.Code(src.Plan.Name),
		Body:  htmltemplate.HTML(html.Body), // goldmark has escaped all text in it
		Facts: facts(src),
		Apart: here.Apart,
	}
	if s.Name == labPage {
		s.Lab, s.Policy, s.Body = true, set.lab.Policy, withLab(html.Body, set.lab)
	}
	s.navigate(c.sheets, i)
	var out bytes.Buffer
	if err := set.shell.Execute(&out, s); err != nil {
		return nil, set.clear(err)
	}
	if id, found := markdown.SameID(out.Bytes()); found {
		return nil, set.misplaced(here.Template()+".md", "{#"+id+"}", fmt.Sprintf("two parts of the page have the id %q: a heading can have another one, as {#another-id}", id))
	}
	return out.Bytes(), nil
}

// labPage is the page that has the lab, before its first section.
const labPage = "lab"

// withLab puts the lab before the first section of a page.
func withLab(body string, l lab.Part) htmltemplate.HTML {
	text, sections := body, ""
	if at := strings.Index(body, "<h2"); at >= 0 {
		text, sections = body[:at], body[at:]
	}
	return htmltemplate.HTML(text + l.Markup + sections)
}

// navigate fills the navigation of a page: the groups, and the pages before and after it.
func (s *shell) navigate(sheets []sheet, here int) {
	for _, title := range page.Groups {
		g := group{Title: title, Here: title == sheets[here].Group}
		for i, p := range sheets {
			if p.Group == title {
				g.Pages = append(g.Pages, pageLink{p.Name + ".html", p.Title, i == here})
			}
		}
		if g.Here {
			s.Group = g
		}
		if len(g.Pages) > 0 && len(sheets) > 1 {
			s.Groups = append(s.Groups, g)
		}
	}
	neighbour := func(i int) *pageLink {
		if i < 0 || i >= len(sheets) {
			return nil
		}
		return &pageLink{File: sheets[i].Name + ".html", Title: sheets[i].Title}
	}
	s.Previous, s.Next = neighbour(here-1), neighbour(here+1)
}

// facts are what the footer says of the document.
func facts(src *view.Source) []fact {
	out := []fact{{"seed", fmt.Sprint(src.Doc.Seed)}}
	if src.Doc.Digest != "" {
		out = append(out, fact{"results", markdown.Code(src.Doc.Digest)})
	}
	return out
}
