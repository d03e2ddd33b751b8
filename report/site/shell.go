package site

import (
	"bytes"
	"cmp"
	"fmt"
	htmltemplate "html/template"
	"strings"

	"mcsim/report/markdown"
	"mcsim/report/page"
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
	Seed     uint64
	Digest   string // of the results
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
		Seed:  src.Doc.Seed, Digest: markdown.Code(src.Doc.Digest),
		Apart: here.Apart,
	}
	if s.Name == labPage {
		s.Lab, s.Policy = true, set.lab.policy
		s.Body = htmltemplate.HTML(strings.Replace(html.Body, "<h2", set.lab.markup+"<h2", 1))
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
	if here > 0 {
		s.Previous = &pageLink{File: sheets[here-1].Name + ".html", Title: sheets[here-1].Title}
	}
	if here+1 < len(sheets) {
		s.Next = &pageLink{File: sheets[here+1].Name + ".html", Title: sheets[here+1].Title}
	}
}
