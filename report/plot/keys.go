package plot

import (
	"math"
	"slices"

	"mcsim/report/rows"
	"mcsim/sim/result"
)

// mostOfFew is how many series a panel has that is to have few.
const mostOfFew = 5

// KeysOf lists every series of the chart, so that a law or an exponent keeps
// its style through all panels.
func KeysOf(panels []Panel, doc *result.Document) []Key {
	var keys []Key
	add := func(k Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	from := func(f rows.Filter, by, label string, few bool) {
		if by == "" {
			add(Key{Of: label})
			return
		}
		values := rows.Values(rows.Estimates(doc, f), by)
		if few && len(values) > mostOfFew {
			values = slices.DeleteFunc(values, func(v any) bool { x, ok := v.(float64); return ok && x != math.Round(4*x)/4 })
		}
		for _, value := range values {
			add(Key{By: by, Of: value})
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
						add(Key{By: k.By, Of: k.Of, Estimator: name})
					}
				}
			}
		}
	}
	return keys
}
