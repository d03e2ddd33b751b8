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
	Name: "alignment-exponent",
	Title: caption(`Exponent that keeps the size of a score against the dimension $d_k$, for each correlation $\rho$ of
		query and key`),
	Height: 92,
	Fixed:  alignedGrid,
	Panels: []plot.Panel{{
		X:      overDimension,
		Y:      plot.Axis{Label: "exponent $p$ of $d_k^p$ that keeps the size"},
		Points: []plot.Points{{Rows: localExponent, By: names.ParamRho}},
		Lines:  []plot.Lines{{Curves: localExponent, By: names.ParamRho, Distribution: true}},
		Guides: plot.At(plot.Level{At: 0.5}),
	}},
	Caption: caption(`Half the slope of $\ln \mathrm{E}\,s^2$ on $\ln d_k$, where $s$ is the score of a query and a key
		whose components have the correlation $\rho$. Divided by $d_k$ to this power, the score has the same size at
		every $d_k$. Each marker is the slope between two neighbouring $d_k$, at their geometric mean.`),
}

// alignmentWeight shows the weight that softmax gives the aligned key under both scales.
var alignmentWeight = figure.Chart{
	Name: "alignment-weight",
	Title: caption(`Weight of the aligned key against the dimension $d_k$, for each correlation $\rho$, under both
		scales`),
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
	Caption: caption(`The mean weight that softmax gives one aligned key among independent ones. Its components have the
		correlation $\rho$ with those of the query. At $\rho = 0$ it is like any other key; at 1 it equals the query.`),
}
