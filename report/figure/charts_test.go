package figure

import "mcsim/report/theme"

// charts are those of the report, which stand above this package; a test from
// outside sets them, since they import it.
var charts []Chart

// SetCharts tells the tests inside what charts there are.
func SetCharts(all []Chart) { charts = all }

// fileOf is a figure in a format, which cannot fail to be drawn.
func fileOf(f Figure, format string, in theme.Theme) []byte {
	data, err := f.File(format, in)
	if err != nil {
		panic(err)
	}
	return data
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
