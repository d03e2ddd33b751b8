package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/report/selection"
	"mcsim/sim/names"
)

// Rows of one aligned key among independent ones, and the distribution and the number of keys that
// have the most values of d_k.
var (
	localExponent = selection.Of(names.ExperimentAlignment, names.LocalExponent, names.ParamRho)
	alignedWeight = selection.Of(names.ExperimentAlignment, names.AlignedWeight, names.ParamRho)
	alignedScore  = selection.Of(names.ExperimentAlignment, names.ScoreMeanSquare, names.ParamRho)
	alignedGrid   = selection.OneDistribution(alignedScore, names.ParamDimension, names.ParamKeys)
)

// alignmentExponent shows which exponent keeps the size of a score whose query
// and key are aligned.
var alignmentExponent = figure.Chart{
	Name:   "alignment-exponent",
	Height: 92,
	Fixed:  alignedGrid,
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: "exponent $p$ of $d_k^p$ that keeps the size"},
		Points: []plot.Points{{Rows: localExponent, By: names.ParamRho}},
		Lines:  []plot.Lines{{Curves: localExponent, By: names.ParamRho, Distribution: true}},
		Guides: plot.Levels(plot.Level{Value: 0.5}),
	}},
}

// alignmentWeight shows the weight that softmax gives the aligned key under both scales.
var alignmentWeight = figure.Chart{
	Name:    "alignment-weight",
	Height:  82,
	Columns: 2,
	Narrow:  2,
	Fixed:   alignedGrid,
	Each:    &plot.Each{Rows: alignedWeight, Param: names.ParamExponent},
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: "weight of the aligned key", To: 1},
		Points: []plot.Points{{Rows: alignedWeight, By: names.ParamRho}},
		Lines:  []plot.Lines{{Curves: alignedWeight, By: names.ParamRho, Distribution: true}},
		Guides: uniformWeights,
	}},
}
