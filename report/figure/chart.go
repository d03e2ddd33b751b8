package figure

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/result"
)

// Text writes a string that comes from a plan as plain text of the format
// that a sentence goes into (Markdown, XML).
type Text func(string) string

// Chart declares one figure. All its texts are in the notation of package
// label. Name, Title, Height and Panels must be there. Whatever else is left out has its
// default: one column of panels that are not repeated, no fixed parameters, a caption of
// what the engine says by itself.
type Chart struct {
	Name    string       // of its files, without extension
	Title   string       // what is plotted against what
	Height  float64      // in millimetres; at the full width of a page, for all rows of panels
	Panels  []plot.Panel // in reading order
	Columns int          // of panels at full width; 0 is 1
	Narrow  int          // of panels in one column of print; 0 is 1
	Each    *plot.Each   // repeats the panels
	// Fixed are the parameters that all rows of the panels have, where the
	// document must be read to know them. It may be nil.
	Fixed func(doc *result.Document) result.Params
	// AboutMarks says in a few words what the marks are, and Caption, which a page folds, how they
	// were made. Both are the same for every document, and so say nothing that only some of
	// them bear out.
	AboutMarks, Caption string
}

// Figure is a chart with what a document has for it.
type Figure struct {
	Chart
	doc    *result.Document
	panels []plot.Data // those that have something to show
	keys   []plot.Key
}

// Of selects the data of all panels from a document, the same series in the same style
// through all of them.
func (c Chart) Of(doc *result.Document) Figure {
	fixed := c.fixedParams(doc)
	panels := c.repeated(fixed, doc)
	f := Figure{Chart: c, doc: doc, keys: plot.KeysOf(panels, doc)}
	for _, p := range panels {
		out := plot.Data{Panel: p}
		out.Select(doc, f.keys)
		if out.Empty() {
			continue
		}
		if p.Guides != nil {
			out.Guides = p.Guides(doc, fixed)
		}
		if out.Fit() {
			f.panels = append(f.panels, out)
		}
	}
	for i := range f.panels {
		if title := &f.panels[i].Title; len(f.panels) > 1 {
			*title = fmt.Sprintf("(%c) %s", 'a'+i, *title)
		}
	}
	plot.Alike(f.panels)
	return f
}

// Shows reports whether the document has rows for the chart.
func (f Figure) Shows() bool { return len(f.panels) > 0 }

// repeated returns the panels with what is fixed, once for each value that repeats them.
func (c Chart) repeated(fixed result.Params, doc *result.Document) (out []plot.Panel) {
	within := selection.Filter{At: fixed}
	if c.Each == nil {
		out = slices.Clone(c.Panels)
		for i := range out {
			out[i].Only = within.Within(out[i].Only).At
		}
		return out
	}
	for _, value := range selection.Values(selection.Estimates(doc, c.Each.Rows.Within(fixed)), c.Each.Param) {
		for _, p := range c.Panels {
			p.Only = within.Within(p.Only).With(c.Each.Param, value).At
			p.Title = strings.TrimSuffix(plot.NameOf(plot.Key{By: c.Each.Param, Value: value})+": "+p.Title, ": ")
			out = append(out, p)
		}
	}
	return out
}

// fixedParams are the parameters that all rows have.
func (c Chart) fixedParams(doc *result.Document) result.Params {
	if c.Fixed == nil {
		return nil
	}
	return c.Fixed(doc)
}

// Experiment is the one whose rows or curves the chart shows; empty if it shows those of all.
func (c Chart) Experiment() string {
	p := c.Panels[0]
	switch {
	case len(p.Points) > 0:
		return p.Points[0].Rows.Experiment
	case len(p.Lines) > 0:
		return p.Lines[0].Curves.Experiment
	}
	return p.Heat.Concentration.Experiment
}
