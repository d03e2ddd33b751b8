// Package chart declares the charts of the report, one file a subject: which
// rows, which axes, which marks, caption and finding. It draws nothing.
package chart

import (
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/sim/names"
)

// All is every chart of a report, in the order of the pages. A new chart is a
// row here and a declaration in a file of its own. The record shows it with its
// experiment, a page by {{figure "name"}} in its template.
var All = []figure.Chart{
	scaled,
	walks,
	rankedWeights,
	sameRow,
	cost,
	variance,
	slope,
	softmaxMap,
	gradients,
	labels,
	targets,
	temperature,
	freezingMap,
	alignmentExponent,
	alignmentWeight,
	depthTrace,
	depthVariance,
	depthCosine,
	trainingRatio,
	trainingLoss,
	initialisations,
	released,
	mismatch,
	ruleSlopes,
	precisionWeights,
	gates,
	zScores,
}

// Axes of charts over d_k, and over the exponent.
var (
	overDimension = plot.Axis{Param: names.ParamDimension, Label: "dimension $d_k$", Log: true}
	overExponent  = plot.Axis{Param: names.ParamExponent, Label: "exponent $p$ of the scale $(d_k)^p$"}
)
