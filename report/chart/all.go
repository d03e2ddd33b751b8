// Package chart declares the charts of the report, one file a subject: which
// rows, which axes, and which marks. Their titles and captions are in texts.txt. It draws nothing.
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

// All is every chart of a report, in the order of the pages. A new chart is a row here, a declaration
// in the file of its subject, and a block of texts.txt. The record shows it with its experiment, a
// page by {{figure "name"}} in its template.
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

//go:embed texts.txt
var texts string

// The titles and captions of the charts are in texts.txt, a block for each: its name, and then lines
// that begin with title, marks or caption, or continue the line before.
func init() {
	for block := range strings.SplitSeq(texts, "\n\n") {
		name, lines, _ := strings.Cut(block, "\n")
		i := slices.IndexFunc(All, func(c figure.Chart) bool { return c.Name == name })
		if i < 0 && (strings.HasPrefix(name, "#") || strings.HasPrefix(name, "[")) {
			continue
		}
		if i < 0 {
			panic("chart: texts.txt has texts of a chart that does not exist: " + name)
		}
		for line := range strings.SplitSeq(strings.ReplaceAll(strings.TrimSpace(lines), "\n  ", " "), "\n") {
			switch key, text, _ := strings.Cut(line, ": "); key {
			case "title":
				All[i].Title = text
			case "marks":
				All[i].AboutMarks = text
			case "caption":
				All[i].Caption = text
			}
		}
	}
}

// Axes that several charts have.
var (
	overDimension = plot.Axis{Param: names.ParamDimension, Label: "dimension $d_k$", Log: true}
	overExponent  = plot.Axis{Param: names.ParamExponent, Label: "exponent $p$ of the scale $(d_k)^p$"}
	ofExperiments = plot.Axis{Param: names.ParamOfExperiment, Names: true}
	ofWeights     = plot.Axis{Label: "weight", To: 1}
)

// scale is a power of d_k, with the title of its panel.
type scale struct {
	title    string
	exponent float64
}

var (
	unscaled    = scale{"unscaled", 0}
	byRoot      = scale{`divided by $\sqrt{d_k}$`, 0.5}
	byDimension = scale{"divided by $d_k$", 1}
)

// panelsFor returns a panel for each scale.
func panelsFor(panel func(scale) plot.Panel, scales ...scale) []plot.Panel {
	return names.Map(scales, panel)
}

// measuredSeries is the name of measured points without a parameter that tells them apart.
const measuredSeries = "measured"

// ConcentrationLimit returns √(2 ln n), the standard deviation of normal logits above which rows of
// n keys are concentrated.
func ConcentrationLimit(keys float64) float64 { return math.Sqrt(2 * math.Log(keys)) }

// uniformWeights is the line at the weight of each key if all keys have the same.
func uniformWeights(_ *result.Document, fixed result.Params) []plot.Level {
	keys, ok := fixed.Number(names.ParamKeys)
	if !ok || keys <= 0 {
		return nil
	}
	return []plot.Level{{Value: 1 / keys, Label: "uniform weights, 1/" + digits.Short(keys)}}
}
