package figure

import "mcsim/report/theme"

// charts are the charts of the report. The external test package sets them, since they import this
// package.
var charts []Chart

// SetCharts sets the charts that the tests of this package draw.
func SetCharts(reportCharts []Chart) { charts = reportCharts }

// mustFile returns a figure in a format, and panics if that fails.
func mustFile(f Figure, format string, style theme.Theme) []byte {
	data, err := f.File(format, style)
	if err != nil {
		panic(err)
	}
	return data
}

func chartByName(name string) Chart {
	for _, c := range charts {
		if c.Name == name {
			return c
		}
	}
	panic("no chart " + name)
}
