package figure

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/result"
)

// Text escapes a string from a plan for the format of a sentence (Markdown, XML).
type Text func(string) string

// Chart declares one figure. All its texts are in the notation of package
// label. Name, Title, Height and Panels are required. Without the others it has
// one column of panels that are not repeated, no fixed parameters, and only the caption that
// the engine adds.
type Chart struct {
	Name    string       // of its files, without extension
	Title   string       // what is plotted against what
	Height  float64      // in millimetres; at the full width of a page, for all rows of panels
	Panels  []plot.Panel // in reading order
	Columns int          // of panels at full width; 0 is 1
	Narrow  int          // of panels in one column of print; 0 is 1
	Each    *plot.Each   // repeats the panels
	// Fixed returns parameters that all rows of the panels have, which may depend on the document.
	// It may be nil.
	Fixed func(doc *result.Document) result.Params
	// AboutMarks says what the marks are, and Caption, which a page folds, how they were made. Both
	// are the same for every document, and so say nothing that depends on it.
	AboutMarks, Caption string
}

// Figure is a chart with the data of a document.
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
	plot.ShareAxes(f.panels)
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

// fixedParams returns the parameters that all rows have.
func (c Chart) fixedParams(doc *result.Document) result.Params {
	if c.Fixed == nil {
		return nil
	}
	return c.Fixed(doc)
}

// Experiment returns the experiment of the rows or curves, empty if the chart shows all.
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
