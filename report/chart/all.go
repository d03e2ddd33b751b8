// Package chart declares the charts of the report: their estimates, axes and marks. There is one
// file for each subject. Titles and captions are in texts.txt. Package figure draws the charts.
package chart

import (
	_ "embed"
	"math"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/figure"
	"mcsim/report/plot"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// All are the charts of the report, in the order of the pages. A new chart needs an element here, a
// declaration in the file of its subject, and a block of texts.txt. The record then shows the chart
// with its experiment. A page shows the chart if the page's template has {{figure "name"}}.
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
	trainingLoss,
	initialisations,
	released,
	reachOfModels,
	mismatch,
	precisionWeights,
	outputError,
	gates,
	zScores,
}

//go:embed texts.txt
var texts string

// init sets the texts of the charts from texts.txt. In this file, each chart has a block that
// begins with the chart's name. The other lines begin with title, marks, message or caption; an
// indented line continues the line before it. A block that begins with # or [ is not the block of a
// chart.
func init() {
	for block := range strings.SplitSeq(texts, "\n\n") {
		name, lines, _ := strings.Cut(block, "\n")
		if strings.HasPrefix(name, "#") || strings.HasPrefix(name, "[") {
			continue
		}
		i := slices.IndexFunc(All, func(c figure.Chart) bool { return c.Name == name })
		if i < 0 {
			panic("chart: texts.txt has texts of a chart that does not exist: " + name)
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(lines), "\n  ", " "), "\n") {
			kind, text, _ := strings.Cut(line, ": ")
			switch kind {
			case "title":
				All[i].Title = text
			case "marks":
				All[i].MarksText = text
			case "message":
				All[i].Message = text
			case "caption":
				All[i].Caption = text
			}
		}
	}
}

// Axes of several charts.
var (
	dimensionAxis  = plot.Axis{Param: names.ParamDimension, Label: "dimension $d_k$", Log: true}
	exponentAxis   = plot.Axis{Param: names.ParamExponent, Label: "exponent $p$ of the scale $(d_k)^p$"}
	experimentAxis = plot.Axis{Param: names.ParamOfExperiment, IsCategorical: true}
	weightAxis     = plot.Axis{Label: "weight", MinUpperEnd: 1}
)

// scale is a divisor d_k^exponent of the scores, with the title of its panels.
type scale struct {
	title    string
	exponent float64
}

var (
	unscaled          = scale{"unscaled", 0}
	scaledByRoot      = scale{`divided by $\sqrt{d_k}$`, 0.5}
	scaledByDimension = scale{"divided by $d_k$", 1}
)

// measuredSeries is the label of the only series of measured points in a chart.
const measuredSeries = "measured"

// ConcentrationLimit returns √(2 ln n) for rows with n keys. Rows are concentrated if their logits
// are normal with a larger standard deviation.
func ConcentrationLimit(keys float64) float64 { return math.Sqrt(2 * math.Log(keys)) }

// uniformGuide returns the guide line at 1/n, the weight if all n keys have the same weight.
func uniformGuide(_ *result.Document, fixed result.Params) []plot.Guide {
	keys, ok := fixed.Number(names.ParamKeys)
	if !ok || keys <= 0 {
		return nil
	}
	return []plot.Guide{{Value: 1 / keys, Label: "uniform weights, 1/" + digits.Short(keys)}}
}
