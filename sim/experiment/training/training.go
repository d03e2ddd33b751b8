// Package training asks whether training suffers under another scale than 1/√d_k: it trains
// one attention layer on the same seeds and data under every rule, at many rates of
// learning, and says what the best of them takes. The model stands in
// [mcsim/sim/attention/training]; here are the axes (this file), what a node holds of every seed
// (columns.go), how a rate is chosen (sweep.go), what is said of one rule (rules.go), of a
// rule over d_k (lines.go), and of one rule against another (contrasts.go).
//
// The protocol is declared: docs/training.md has it, and no number of it depends on what is
// found.
package training

import (
	"fmt"
	"math"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
)

// Seeds of a cell: the first choose the rate, the others judge. So many choose that intervals of
// what the others find hold it at the best rate, too (TestCoverageWithTheChoice).
const (
	tuning  = 30
	judging = 20
	seeds   = tuning + judging
)

// Experiment trains an attention layer under a rule, at one rate.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentTraining,
	Axes: []experiment.Axis{variantAxis, dimensionAxis, exponentAxis, gainAxis, optimiserAxis, trainedAxis, stepsAxis,
		octaveAxis},
	Unit: names.UnitSeed,
	Sampler: &experiment.Sampler{
		BlockUnits:       func(experiment.Cell) int64 { return seeds },
		MinUnits:         seeds,
		MaxUnits:         seeds,
		Cost:             cost,
		Columns:          columns,
		Open:             open,
		Stream:           beginning,
		Headline:         names.StepsToThreshold,
		RelativeVariance: func(experiment.Cell) float64 { return math.Inf(1) }, // a median has none
	},
	Reader: experiment.Reader{Estimates: cellEstimates, Finish: finish},
})

var (
	dimensionAxis = experiment.CountAxis(names.ParamDimension, training.TokenSize, 4096, "16", "64")
	exponentAxis  = withDefault(experiment.NumberAxis(names.ParamExponent, -experiment.MaxExponent,
		experiment.MaxExponent, "1/2"), "0", "1/2", "1")
	gainAxis   = experiment.NumberAxis(names.ParamGain, -1, 1, "0").OmitDefault()
	stepsAxis  = experiment.CountAxis(names.ParamSteps, training.Checkpoints, 10_000, "10", "200")
	octaveAxis = octaves()
)

var (
	variantAxis = experiment.NamesAxis(names.ParamVariant,
		names.VariantPlain, names.VariantCopying, names.VariantTwoLayers, names.VariantNormalised,
		names.VariantAdditive, names.VariantHalfRoot, names.VariantFixed).OmitDefault()
	optimiserAxis = withDefault(experiment.NamesAxis(names.ParamOptimiser, names.OptimiserDescent, names.OptimiserAdam),
		names.OptimiserDescent, names.OptimiserAdam)
	trainedAxis = experiment.NamesAxis(names.ParamTrained, names.TrainedQueryKey, names.TrainedAll)
)

// withDefault returns the axis with values where a plan gives none.
func withDefault(a experiment.Axis, values ...string) experiment.Axis {
	a.Default = values
	return a
}

// octaves returns the axis of rates: in octaves above the reference of the rule.
func octaves() experiment.Axis {
	const maxOctave = 16
	a := experiment.CountAxis(names.ParamOctave, -maxOctave, maxOctave, "0")
	for k := -coreOctaves; k <= coreOctaves; k++ {
		a.Default = append(a.Default, fmt.Sprint(k))
	}
	return a
}

// variants by their names.
var variants = map[string]training.Variant{
	names.VariantPlain:      training.Plain,
	names.VariantCopying:    training.Copying,
	names.VariantTwoLayers:  training.TwoLayers,
	names.VariantNormalised: training.Normalised,
	names.VariantAdditive:   training.Additive,
	names.VariantHalfRoot:   training.HalfRoot,
	names.VariantFixed:      training.Fixed,
}

// settingOf returns what a cell trains, but for its rate.
func settingOf(c experiment.Cell) training.Setting {
	adam := c.Value(names.ParamOptimiser).Name == names.OptimiserAdam
	rule := training.Rule{Variant: variants[c.Value(names.ParamVariant).Name],
		Exponent: c.Value(names.ParamExponent).Number, Gain: c.Value(names.ParamGain).Number}
	return training.Setting{Rule: rule, Dimension: c.Dimension(), Adam: adam,
		AllWeights: c.Value(names.ParamTrained).Name == names.TrainedAll, OtherRate: training.OtherRate(adam),
		Steps: int(c.Value(names.ParamSteps).Number), Epsilon: training.Epsilon}
}

// rate returns the rate of an octave of a setting.
func rate(s training.Setting, octave int) float64 {
	return float64(training.ReferenceRate(s.Rule, s.Dimension, s.Adam) * elementary.Pow(2, float64(octave)))
}

// octaveOf returns the octave of a cell.
func octaveOf(c experiment.Cell) int { return int(c.Value(names.ParamOctave).Number) }

// beginning names the stream of a cell: tokens and weights are the same under all that is
// trained at one d_k, so that rules and rates are compared seed by seed.
func beginning(c experiment.Cell) string {
	return fmt.Sprintf("%s/d_k=%d", c.Experiment.Name, c.Dimension())
}

// cost returns what a seed costs, in drawn components: three products of tokens with both
// weights in each step, and what the sequences take.
func cost(c experiment.Cell) float64 {
	s := settingOf(c)
	each := float64(3*training.TokenSize*training.TokenSize*s.Dimension) + 60_000
	switch s.Rule.Variant {
	case training.Normalised:
		each += float64(3 * training.Sequences * training.Keys * training.TokenSize * s.Dimension)
	case training.Additive:
		each += float64(100 * training.Sequences * training.Keys * s.Dimension)
	case training.TwoLayers:
		each += 300_000
	}
	return math.Round(float64(s.Steps) * each / 16)
}

// open trains all seeds of a cell, or the first few.
func open(c experiment.Cell) experiment.BlockFunc {
	s := settingOf(c)
	s.Rate = rate(s, octaveOf(c))
	var n *training.Network
	return func(d *experiment.BlockStream) moments.Node {
		if n == nil {
			n = training.New(s)
		}
		runs := seeds
		if d.FewUnits {
			runs = training.Width
		}
		return nodeOf(n.Run(training.SampleData(&d.Lanes, s, runs)))
	}
}
