package figure

import "slices"

// charts are those of the report, which stand above this package; a test from
// outside sets them, since they import it.
var charts []Chart

// SetCharts tells the tests inside what charts there are, but for those that lack
// something, which the test of their table says.
func SetCharts(all []Chart) {
	charts = slices.DeleteFunc(slices.Clone(all), func(c Chart) bool { return c.Check() != nil })
}

// charted returns the chart of that name.
func charted(name string) Chart {
	for _, c := range charts {
		if c.Name == name {
			return c
		}
	}
	panic("no chart " + name)
}
