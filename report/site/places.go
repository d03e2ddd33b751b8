package site

import (
	"bytes"
	"encoding/csv"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcsim/report/figure"
	"mcsim/report/glossary"
	"mcsim/report/markdown"
	"mcsim/report/page"
	"mcsim/report/theme"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Places says for each name, as glossary.Key has it, where the site of a document shows it, as addresses of pages,
// tables and figures. A word is where a page leads from it to the glossary. A figure shows
// the quantities and parameters of the numbers that are drawn. A page or a table shows a
// quantity if it reads otherwise where the document has other numbers for it: so no list of
// tables has to be kept beside those that make them.
func Places(doc *result.Document) (map[string][]string, error) {
	p, err := newPlaces(doc)
	if err != nil {
		return nil, err
	}
	for _, find := range []func() error{p.linked, p.drawn, func() error { return p.told(quantities(doc)) }} {
		if err := find(); err != nil {
			return nil, err
		}
	}
	return p.sorted(), nil
}

// places are found one way after the other.
type places struct {
	doc     *result.Document
	set     *templateSet
	figures []figure.Figure
	on      map[string]string // page of each figure
	found   map[string][]string
}

func newPlaces(doc *result.Document) (*places, error) {
	doc.Index()
	set, err := load(Options{})
	return &places{doc: doc, set: set, figures: figuresOf(doc), found: map[string][]string{}}, err
}

// sorted are the places that were found, each once.
func (p *places) sorted() map[string][]string {
	for name := range p.found {
		slices.Sort(p.found[name])
		p.found[name] = slices.Compact(p.found[name])
	}
	return p.found
}

// add notes that a name of a group is shown at an address.
func (p *places) add(group, name, address string) {
	key := glossary.Key(group, name)
	p.found[key] = append(p.found[key], address)
}

// explains is a link from a word to the glossary, and shows is where a figure stands.
var (
	explains = regexp.MustCompile(`<a class="term" href="([^"]+)">`)
	shows    = regexp.MustCompile(`<figure[^>]* id="figure-([^"]+)"`)
)

// linked finds the words that pages lead from, and the pages of figures.
func (p *places) linked() error {
	files, err := texts(view.NewSource(p.doc, view.Run{}, nil), p.figures, Options{})
	if err != nil {
		return err
	}
	named, on := map[string]names.Entry{}, map[string]string{}
	for _, e := range names.All() {
		named[glossary.Address(e)] = e
	}
	for _, f := range files {
		for _, m := range explains.FindAllSubmatch(f.Data, -1) {
			e := named[string(m[1])]
			p.add(e.Group, e.Name, f.Name)
		}
		for _, m := range shows.FindAllSubmatch(f.Data, -1) {
			on[string(m[1])] = f.Name
		}
	}
	p.on = on
	return nil
}

// drawn finds what stands in the numbers of figures.
func (p *places) drawn() error {
	for _, f := range p.figures {
		if !f.Shows() || p.on[f.Name] == "" {
			continue
		}
		data, err := f.File("csv", theme.Print)
		if err != nil {
			return err
		}
		lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			return err
		}
		for i, column := range lines[0] {
			_, param := names.Lookup(names.GroupParameter, column)
			for _, line := range lines[1:] {
				switch {
				case line[i] == "":
				case column == names.ColumnQuantity:
					p.add(names.GroupQuantity, line[i], p.on[f.Name]+"#figure-"+f.Name)
				case param:
					p.add(names.GroupParameter, column, p.on[f.Name]+"#figure-"+f.Name)
				}
			}
		}
	}
	return nil
}

// told finds the pages and tables that read otherwise where quantities have other numbers.
func (p *places) told(quantities []string) error {
	before, err := p.written(p.doc)
	if err != nil {
		return err
	}
	var mutex sync.Mutex
	var group sync.WaitGroup
	var failed error
	turn := make(chan struct{}, 4)
	for _, quantity := range quantities {
		group.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			after, err := p.written(altered(p.doc, quantity))
			mutex.Lock()
			defer mutex.Unlock()
			if err != nil {
				failed = err
				return
			}
			for address, text := range before {
				if after[address] != text {
					p.add(names.GroupQuantity, quantity, address)
				}
			}
		})
	}
	group.Wait()
	return failed
}

// quantities are those that a document has numbers of.
func quantities(doc *result.Document) []string {
	seen := map[string]bool{}
	for _, e := range doc.Estimates {
		seen[e.Quantity] = true
	}
	for _, c := range doc.Curves {
		seen[c.Quantity] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// altered is a document with other numbers of a quantity, which no digits hide.
func altered(doc *result.Document, quantity string) *result.Document {
	other := *doc
	change := func(x *result.Number) { *x = *x*0.83 + 0.011 }
	other.Estimates, other.Curves, other.Gates = slices.Clone(doc.Estimates), slices.Clone(doc.Curves), slices.Clone(doc.Gates)
	for i := range other.Estimates {
		if e := &other.Estimates[i]; e.Quantity == quantity {
			change(&e.Value)
		}
	}
	for i := range other.Gates {
		if g := &other.Gates[i]; g.Quantity == quantity {
			change(&g.Value)
		}
	}
	for i := range other.Curves {
		if c := &other.Curves[i]; c.Quantity == quantity {
			c.Y = slices.Clone(c.Y)
			for j := range c.Y {
				change(&c.Y[j])
			}
		}
	}
	other.Index()
	return &other
}

// caption begins a table.
var caption = regexp.MustCompile(`(?m)^\*\*(Table [0-9]+)\.\*\* `)

// written are the pages of a document, and their tables, by their addresses, without the
// captions of figures.
func (p *places) written(doc *result.Document) (map[string]string, error) {
	c := contentOf(view.NewSource(doc, view.Run{}, nil), p.figures, p.set)
	pages, anchors, err := c.pages()
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for i, text := range pages {
		address := page.All[i].Name + ".html"
		out[address] = string(text)
		for _, at := range caption.FindAllSubmatchIndex(text, -1) {
			table := string(text[at[1]:])
			if end := strings.Index(table, "|\n\n"); end >= 0 {
				table = table[:end]
			}
			out[address+"#"+anchors[markdown.Slug(string(text[at[2]:at[3]]))]] = table
		}
	}
	return out, nil
}
