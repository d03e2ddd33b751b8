package figure

import (
	"math"
	"slices"

	"mcsim/report/plot"
	"mcsim/report/rows"
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
	panels, headings := c.panels(doc)
	f := Figure{Chart: c, doc: doc, keys: keysOf(panels, doc)}
	for i, p := range panels {
		out := plot.Data{Panel: p, RowNames: plot.NamesOf(panels[i:i+1], doc), BriefNames: p.BriefNames(doc), Heading: headings[i], Seed: doc.Seed}
		if c.Each != nil {
			out.RowNames = plot.NamesOf(panels, doc)
		}
		out.SetLimits(doc)
		for _, spec := range p.Points {
			out.SelectPoints(spec, doc, f.keys)
		}
		for _, spec := range p.Quantiles {
			out.SelectQuantiles(spec, doc, f.keys)
		}
		for _, spec := range p.Traces {
			out.SelectTraces(spec, doc)
		}
		if p.Heat != nil {
			out.SelectHeat(*p.Heat, doc)
		}
		if len(p.Stack) > 0 {
			out.SelectStack(p.Stack, doc)
		}
		if p.Gates != nil {
			out.SelectGates(*p.Gates, doc)
		}
		for _, spec := range p.Lines {
			out.Theory = append(out.Theory, plot.LinesOf(spec, p, doc, f.keys)...)
		}
		if len(out.Series)+len(out.Traces) == 0 && !(p.LinesAlone() && len(out.Theory) > 0) && out.Map == nil && out.Bars == nil && out.Strips == nil {
			continue
		}
		out.SelectSides(doc)
		if p.Upright != nil {
			if l, ok := p.Upright(doc, c.fixedParams(doc)); ok {
				out.Vertical = &l
			}
		}
		if p.Across != nil {
			if l, ok := p.Across(doc, c.fixedParams(doc)); ok {
				out.Level = &l
			}
		}
		if p.Band != nil {
			out.SelectBand(*p.Band, doc)
			if c.Each != nil {
				if allowed := tolerances(out.Tolerance); allowed != "" {
					out.Title, out.BriefTitle = out.Title+": allowed "+allowed, out.Title+", "+allowed
				}
			}
		}
		if out.Fit() {
			f.panels = append(f.panels, out)
		}
	}
	plot.Alike(f.panels)
	f.beginGroups()
	return f
}

// beginGroups leaves the heading of each group to the first of its panels.
func (f Figure) beginGroups() {
	last := ""
	for i := range f.panels {
		p := &f.panels[i]
		if p.Heading == last {
			p.Heading = ""
		} else {
			last = p.Heading
		}
	}
}

// Shows reports whether the document has rows for the chart.
func (f Figure) Shows() bool { return len(f.panels) > 0 }

// mostOfFew is how many series a panel has that is to have few.
const mostOfFew = 5

// keysOf lists every series of the chart, so that a law or an exponent keeps
// its style through all panels.
func keysOf(panels []plot.Panel, doc *result.Document) []plot.Key {
	var keys []plot.Key
	add := func(k plot.Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	from := func(f rows.Filter, by, label string, few bool) {
		if by == "" {
			add(plot.Key{Of: label})
			return
		}
		values := rows.Values(rows.Estimates(doc, f), by)
		if few && len(values) > mostOfFew {
			values = slices.DeleteFunc(values, func(v any) bool { x, ok := v.(float64); return ok && x != math.Round(4*x)/4 })
		}
		for _, value := range values {
			add(plot.Key{By: by, Of: value})
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			from(spec.Of(doc), spec.By, spec.Label, spec.Few)
		}
		for _, spec := range p.Quantiles {
			if spec.Middle.Quantity != "" {
				from(spec.Middle, spec.By, spec.Label, false)
			}
		}
		for _, k := range p.LineKeys(doc) {
			add(k)
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			for _, k := range keys {
				if k.Estimator != "" || !k.Chosen(spec.By, spec.Label) {
					continue
				}
				for _, name := range rows.OtherEstimators(rows.Estimates(doc, k.Only(spec.Of(doc)))) {
					if name != "" {
						add(plot.Key{By: k.By, Of: k.Of, Estimator: name})
					}
				}
			}
		}
	}
	return keys
}
