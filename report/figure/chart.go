package figure

import (
	"fmt"
	"slices"
	"strings"

	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/result"
)

// Escape escapes a string of the plan for the format of a text, such as Markdown or XML.
type Escape func(string) string

// Chart declares a figure. Its texts are in the notation of package label. Name, Title, Height and
// Panels are required.
type Chart struct {
	Name          string       // name of its files, without extension
	Title         string       // the quantities of its axes
	Height        float64      // height in millimetres at the full width of a page
	Panels        []plot.Panel // panels in reading order
	Columns       int          // columns of panels at full width; 0 means 1
	NarrowColumns int          // columns of panels at the width of one column of print; 0 means 1
	Facet         *plot.Facet  // repeats the panels if it is not nil
	// Fixed returns the parameters that are the same for all estimates of the panels. They may
	// depend on the document. Fixed may be nil.
	Fixed func(doc *result.Document) result.Params
	// MarksText describes the marks. Caption explains how the figure was made; a page shows it only
	// if a reader opens it. Neither depends on the document.
	MarksText, Caption string
	Message            string // what the first panel shows, written in it if there is room
}

// Figure is a chart with the data of a document.
type Figure struct {
	Chart
	doc    *result.Document
	panels []plot.Data     // the panels that have data
	ids    []plot.SeriesID // series of all panels, in the order of their styles
}

// NewFigure returns the figure of the chart with the data of a document. A series has the same
// style in all panels.
func (c Chart) NewFigure(doc *result.Document) Figure {
	fixed := c.fixedParams(doc)
	panels := c.repeatPanels(fixed, doc)
	f := Figure{Chart: c, doc: doc, ids: plot.SeriesIDs(panels, doc)}
	for _, p := range panels {
		data := plot.Data{Panel: p}
		data.SelectData(doc, f.ids)
		if data.IsEmpty() {
			continue
		}
		if p.Guides != nil {
			data.Guides = p.Guides(doc, fixed)
		}
		if data.FitScales() {
			f.panels = append(f.panels, data)
		}
	}
	if len(f.panels) > 1 {
		for i := range f.panels {
			f.panels[i].Title = fmt.Sprintf("(%c) %s", 'a'+i, f.panels[i].Title)
		}
	}
	plot.UnifyScales(f.panels)
	return f
}

// HasData reports whether the document has data for the chart.
func (f Figure) HasData() bool { return len(f.panels) > 0 }

// repeatPanels returns the panels with the fixed parameters, once for each value of the facet.
func (c Chart) repeatPanels(fixed result.Params, doc *result.Document) (panels []plot.Panel) {
	filter := selection.Filter{Fixed: fixed}
	if c.Facet == nil {
		panels = slices.Clone(c.Panels)
		for i := range panels {
			panels[i].Fixed = filter.FixAll(panels[i].Fixed).Fixed
		}
		return panels
	}
	for _, value := range selection.ParamValues(selection.Estimates(doc, c.Facet.Filter.FixAll(fixed)), c.Facet.Param) {
		for _, p := range c.Panels {
			p.Fixed = filter.FixAll(p.Fixed).Fix(c.Facet.Param, value).Fixed
			facetTitle := plot.SeriesLabel(plot.SeriesID{Param: c.Facet.Param, Value: value})
			p.Title = strings.TrimSuffix(facetTitle+": "+p.Title, ": ") // the panel may have no title
			panels = append(panels, p)
		}
	}
	return panels
}

func (c Chart) fixedParams(doc *result.Document) result.Params {
	if c.Fixed == nil {
		return nil
	}
	return c.Fixed(doc)
}

// Experiment returns the experiment of the chart's estimates or curves, or "" if the chart shows
// all experiments.
func (c Chart) Experiment() string {
	p := c.Panels[0]
	switch {
	case len(p.Points) > 0:
		return p.Points[0].Filter.Experiment
	case len(p.Lines) > 0:
		return p.Lines[0].Curves.Experiment
	}
	return p.Heat.Concentration.Experiment
}
