package figure

import (
	"mcsim/report/plot"
	"mcsim/sim/result"
)

// Figure is a chart with what a document has for it.
type Figure struct {
	Chart
	doc    *result.Document
	panels []plot.Data // those that have something to show
	keys   []plot.Key
}

// Of selects the data of all panels from a document.
func (c Chart) Of(doc *result.Document) Figure {
	panels := c.panels(doc)
	f := Figure{Chart: c, doc: doc, keys: plot.KeysOf(panels, doc)}
	for _, p := range panels {
		out := plot.Data{Panel: p, RowNames: p.NamesOf(doc)}
		out.Select(doc, f.keys)
		if out.Empty() {
			continue
		}
		if p.Guides != nil {
			out.Guides = p.Guides(doc, c.fixedParams(doc))
		}
		if p.Band != nil {
			out.SelectBand(*p.Band, doc)
			if c.Each != nil {
				out.Title += tolerances(out.Tolerance)
			}
		}
		if out.Fit() {
			f.panels = append(f.panels, out)
		}
	}
	plot.Alike(f.panels)
	return f
}

// Shows reports whether the document has rows for the chart.
func (f Figure) Shows() bool { return len(f.panels) > 0 }
