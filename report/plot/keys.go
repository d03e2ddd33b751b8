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
func KeysOf(panels []Panel, doc *result.Document) (keys []Key) {
	add := func(all ...Key) {
		for _, k := range all {
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
	}
	for _, p := range panels {
		for _, spec := range p.Points {
			add(spec.keys(doc)...)
		}
		add(p.LineKeys(doc)...)
	}
	return keys
}

// keys are the series that points are.
func (spec Points) keys(doc *result.Document) (keys []Key) {
	if spec.By == "" {
		return []Key{{Of: spec.Label}}
	}
	values := rows.Values(rows.Estimates(doc, spec.Of(doc)), spec.By)
	for _, v := range values {
		x, number := v.(float64)
		if spec.Few && len(values) > mostOfFew && number && x != math.Round(4*x)/4 {
			continue
		}
		keys = append(keys, Key{By: spec.By, Of: v})
	}
	return keys
}
