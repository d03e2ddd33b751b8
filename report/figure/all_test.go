package figure_test

import (
	"mcsim/report/chart"
	"mcsim/report/figure"
)

func init() { figure.SetCharts(chart.All) }
