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

// shell is the data of shell.html.
type shell struct {
	Name        string // name of the page, for its style
	Title       string
	Plan        string // name of the plan
	Groups      []group
	Group       group // group of the page
	Previous    *pageLink
	Next        *pageLink
	Description string // finding of the page, for search engines and previews
	Address     string // address of the published page; "" if it is not known
	Card        string // address of the picture for previews; "" if there is none
	HasMath     bool   // the page has formulas
	Body        htmltemplate.HTML
	HasForms    bool   // the page runs the program
	NotInReport bool   // the page is not in report.md
	Policy      string // content security policy of a page with scripts; "" for other pages
	Seed        uint64
	Digest      string // digest of the results
}

// group is a group of pages in the navigation.
type group struct {
	Title      string
	HasCurrent bool // the group contains the current page
	Pages      []pageLink
}

// First returns the page to which the title of a group links.
func (g group) First() pageLink { return g.Pages[0] }

// pageLink is an entry of the navigation.
type pageLink struct {
	File, Title string
	IsCurrent   bool // the entry is the current page
}

// Pages with scripts. The lab is above the first section of its page; the calculator and the strip
// are above the first figure.
const labPage, modelsPage, stripPage = "lab", "models", "index"

// renderPage renders the i-th page from its Markdown.
func (c *content) renderPage(i int, source []byte, site markdown.Site) ([]byte, error) {
	p := c.pages[i]
	if p.Name == page.GlossaryPage {
		site.Terms = nil // this page explains the terms itself
	}
	html, err := markdown.Convert(source, site)
	if err != nil {
		return nil, fmt.Errorf("%s.html: %w", p.Name, err)
	}
	s := shell{
		Name:        p.Name,
		Title:       cmp.Or(html.Heading, p.Title),
		Description: cmp.Or(html.Lead, p.Description),
		HasMath:     html.HasMath,
		Plan:        markdown.EscapeCode(c.src.Plan.Name),
		Body:        htmltemplate.HTML(html.Body), // goldmark has escaped all text in it
		Seed:        c.src.Doc.Seed,
		Digest:      markdown.EscapeCode(c.src.Doc.Digest),
		NotInReport: p.NotInReport,
	}
	if w, hasScripts := c.set.widgets[s.Name]; hasScripts && c.isEssay() {
		before := "<figure"
		if s.Name == labPage {
			before = "<h2"
		}
		s.Policy, s.HasForms = w.policy, s.Name != stripPage
		s.Body = htmltemplate.HTML(strings.Replace(html.Body, before, w.markup+before, 1))
	}
	s.setNavigation(c.pages, i)
	s.setAddresses(page.HomeURL(), c.src.Files[cardFile])
	var b bytes.Buffer
	if err := c.set.shell.Execute(&b, s); err != nil {
		return nil, c.set.shortError(err)
	}
	if id, found := markdown.FindRepeatedID(b.Bytes()); found {
		return nil, c.set.errorAt(p.Template()+".md", "{#"+id+"}", fmt.Sprintf(
			"two parts of the page have the id %q: a heading can have another one, as {#another-id}", id))
	}
	return b.Bytes(), nil
}

// setAddresses sets the addresses of the page and of the card, with which other services show a link
// to the page. The card has an absolute address, as services require, and the page has an address at
// all, only if base, the address of this site, is not empty.
func (s *shell) setAddresses(base string, hasCard bool) {
	if base != "" {
		s.Address = publicAddress(s.Name+".html", base)
	}
	if hasCard {
		s.Card = publicAddress(cardFile, base)
	}
}

// setNavigation sets the groups of the navigation, and the links to the previous and the next page.
func (s *shell) setNavigation(pages []filledPage, current int) {
	link := func(i int) pageLink {
		return pageLink{File: pages[i].Name + ".html", Title: pages[i].Title, IsCurrent: i == current}
	}
	for _, title := range page.Groups {
		g := group{Title: title, HasCurrent: title == pages[current].Group}
		for i, p := range pages {
			if p.Group == title {
				g.Pages = append(g.Pages, link(i))
			}
		}
		if g.HasCurrent {
			s.Group = g
		}
		if len(g.Pages) > 0 && len(pages) > 1 { // a single page needs no navigation
			s.Groups = append(s.Groups, g)
		}
	}
	if current > 0 {
		previous := link(current - 1)
		s.Previous = &previous
	}
	if current+1 < len(pages) {
		next := link(current + 1)
		s.Next = &next
	}
}
