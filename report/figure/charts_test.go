package figure

// charts are those of the report, which stand above this package; a test from
// outside sets them, since they import it.
var charts []Chart

// SetCharts tells the tests inside what charts there are.
func SetCharts(all []Chart) { charts = all }

// charted returns the chart of that name.
func charted(name string) Chart {
	for _, c := range charts {
		if c.Name == name {
			return c
		}
	}
	panic("no chart " + name)
}
