package figure

import (
	"slices"

	"mcsim/report/plot"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// build selects the data of all panels; ok is false where no panel has
// anything to show.
func build(c Chart, doc *result.Document) (ps []plot.Data, keys []plot.Key, ok bool) {
	panels := c.panels(doc)
	keys = keysOf(panels, doc)
	dodged := slices.ContainsFunc(panels, plot.Panel.Apart)
	for i, p := range panels {
		out := plot.Data{Panel: p, Dodged: dodged, RowNames: plot.NamesOf(panels[i:i+1], doc)}
		if c.Each != nil {
			out.RowNames = plot.NamesOf(panels, doc)
		}
		out.SetLimits(doc)
		for _, spec := range p.Points {
			out.SelectPoints(spec, doc, keys)
		}
		for _, spec := range p.Quantiles {
			out.SelectQuantiles(spec, doc, keys)
		}
		if p.Heat != nil {
			out.SelectHeat(*p.Heat, doc)
		}
		if len(p.Stack) > 0 {
			out.SelectStack(p.Stack, doc)
		}
		if len(out.Series) == 0 && out.Map == nil && out.Bars == nil {
			continue
		}
		if p.Upright != nil {
			if l, ok := p.Upright(doc, c.fixedParams(doc)); ok {
				out.Vertical = &l
			}
		}
		for _, spec := range p.Lines {
			out.Theory = append(out.Theory, plot.LinesOf(spec, p, doc, keys)...)
		}
		if p.Band != nil {
			out.Tolerance, out.Others = plot.BandOf(*p.Band, p, doc)
		}
		if out.Fit() {
			ps = append(ps, out)
		}
	}
	plot.Alike(ps, c.Each != nil)
	plot.SameColours(ps)
	return ps, keys, len(ps) > 0
}

// keysOf lists every series of the chart, so that a law or an exponent keeps
// its style through all panels.
func keysOf(panels []plot.Panel, doc *result.Document) []plot.Key {
	var keys []plot.Key
	add := func(k plot.Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	from := func(f rows.Filter, by, label string) {
		if by == "" {
			add(plot.Key{Of: label})
			return
		}
		for _, value := range rows.Values(rows.Estimates(doc, f), by) {
			add(plot.Key{By: by, Of: value})
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			from(spec.Rows, spec.By, spec.Label)
		}
		for _, spec := range p.Quantiles {
			if spec.Middle.Quantity != "" {
				from(spec.Middle, spec.By, spec.Label)
			}
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			for _, k := range keys {
				if k.Estimator != "" || !k.Chosen(spec.By, spec.Label) {
					continue
				}
				es := rows.Estimates(doc, k.Only(spec.Of(doc)))
				for _, e := range es {
					if name, ok := rows.OtherEstimator(es, e); ok {
						add(plot.Key{By: k.By, Of: k.Of, Estimator: name})
					}
				}
			}
		}
	}
	return keys
}
