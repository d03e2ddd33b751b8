package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// Filters of estimates of attention rows with one aligned key among independent ones, and the
// parameters that charts of these rows fix.
var (
	localExponent = selection.NewFilter(names.ExperimentAlignment, names.LocalExponent, names.ParamRho)
	alignedWeight = selection.NewFilter(names.ExperimentAlignment, names.AlignedWeight, names.ParamRho)
	alignedScore  = selection.NewFilter(names.ExperimentAlignment, names.ScoreMeanSquare, names.ParamRho)
	alignedGrid   = selection.FixMainDistribution(alignedScore, names.ParamDimension, names.ParamKeys)
)

// alignmentExponent shows the exponent p for which the score of an aligned query and key, divided
// by d_k^p, does not grow with d_k.
var alignmentExponent = figure.Chart{
	Name: "alignment-exponent", Height: 92, Fixed: alignedGrid,
	Panels: []plot.Panel{{
		X:      dimensionAxis,
		Y:      plot.Axis{Label: "exponent $p$ of $d_k^p$ that keeps the size"},
		Points: []plot.PointsSpec{{Filter: localExponent, SeriesParam: names.ParamRho}},
		Lines:  []plot.LinesSpec{{Curves: localExponent, SeriesParam: names.ParamRho, HasDistribution: true}},
		Guides: plot.FixedGuides(plot.Guide{Value: 0.5}),
	}},
}

// alignmentWeight shows the weight that softmax gives the aligned key, with one panel for each
// scale.
var alignmentWeight = figure.Chart{
	Name: "alignment-weight", Height: 82, Columns: 2, NarrowColumns: 2, Fixed: alignedGrid,
	Facet: &plot.Facet{Filter: alignedWeight, Param: names.ParamExponent},
	Panels: []plot.Panel{{
		X:      dimensionAxis,
		Y:      plot.Axis{Label: "weight of the aligned key", MinUpperEnd: 1},
		Points: []plot.PointsSpec{{Filter: alignedWeight, SeriesParam: names.ParamRho}},
		Lines:  []plot.LinesSpec{{Curves: alignedWeight, SeriesParam: names.ParamRho, HasDistribution: true}},
		Guides: uniformGuide,
	}},
}
