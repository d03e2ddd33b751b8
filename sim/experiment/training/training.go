// Package training measures whether training is slower under another scale than 1/√d_k. It trains
// one attention layer on the same seeds and data under every rule, at many learning rates, and
// compares the steps to a threshold at the best rates. Package [mcsim/sim/attention/training] has
// the model. This package has the axes (training.go), the layout of a node (columns.go), the choice
// of a rate (sweep.go), and the estimates of one rule (rules.go, median.go), of a rule over d_k
// (lines.go), and of the comparison of two rules (contrasts.go).
//
// The protocol is declared in docs/training.md, and none of its numbers depends on results.
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

// Seeds of a cell: the first choose the rate, the others judge it. Enough seeds choose for the
// intervals of the judging seeds to have nominal coverage for the best rate, too
// (TestCoverageWithTheChoice).
const (
	tuningSeeds  = 30
	judgingSeeds = 20
	seedCount    = tuningSeeds + judgingSeeds
)

// Experiment trains an attention layer under a rule, at one rate.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentTraining,
	Axes: []experiment.Axis{variantAxis, dimensionAxis, exponentAxis, gainAxis, optimiserAxis, trainedAxis, stepsAxis,
		octaveAxis},
	Unit: names.UnitSeed,
	Sampler: &experiment.Sampler{
		BlockUnits: func(experiment.Cell) int64 { return seedCount },
		MinUnits:   seedCount,
		MaxUnits:   seedCount,
		Cost:       seedCost,
		Columns:    columns,
		Open:       openTraining,
		Stream:     streamName,
		Headline:   names.StepsToThreshold,
		// a median has no variance in closed form
		RelativeVariance: func(experiment.Cell) float64 { return math.Inf(1) },
	},
	Reader: experiment.Reader{Estimates: cellEstimates, Finish: finish},
})

var (
	dimensionAxis = experiment.CountAxis(names.ParamDimension, training.TokenSize, 4096, "16", "64")
	exponentAxis  = withDefault(experiment.NumberAxis(names.ParamExponent, -experiment.MaxExponent,
		experiment.MaxExponent, "1/2"), "0", "1/2", "1")
	gainAxis   = experiment.NumberAxis(names.ParamGain, -1, 1, "0").OmitDefault()
	stepsAxis  = experiment.CountAxis(names.ParamSteps, training.Checkpoints, 10_000, "10", "200")
	octaveAxis = newOctaveAxis()
)

var (
	variantAxis = experiment.NamesAxis(names.ParamVariant,
		names.VariantPlain, names.VariantCopying, names.VariantTwoLayers, names.VariantNormalised,
		names.VariantAdditive, names.VariantHalfRoot, names.VariantFixed).OmitDefault()
	optimiserAxis = withDefault(experiment.NamesAxis(names.ParamOptimiser, names.OptimiserDescent, names.OptimiserAdam),
		names.OptimiserDescent, names.OptimiserAdam)
	trainedAxis = experiment.NamesAxis(names.ParamTrained, names.TrainedQueryKey, names.TrainedAll)
)

// withDefault returns the axis with the given default values.
func withDefault(a experiment.Axis, values ...string) experiment.Axis {
	a.Default = values
	return a
}

// newOctaveAxis returns the axis of rates, in octaves above the reference of the rule.
func newOctaveAxis() experiment.Axis {
	const maxOctave = 16
	a := experiment.CountAxis(names.ParamOctave, -maxOctave, maxOctave, "0")
	for k := -coreOctaves; k <= coreOctaves; k++ {
		a.Default = append(a.Default, fmt.Sprint(k))
	}
	return a
}

// variants has the variants by their names.
var variants = map[string]training.Variant{
	names.VariantPlain:      training.Plain,
	names.VariantCopying:    training.Copying,
	names.VariantTwoLayers:  training.TwoLayers,
	names.VariantNormalised: training.Normalised,
	names.VariantAdditive:   training.Additive,
	names.VariantHalfRoot:   training.HalfRoot,
	names.VariantFixed:      training.Fixed,
}

// cellSetting returns the setting of a cell's training, without its rate.
func cellSetting(c experiment.Cell) training.Setting {
	adam := c.Value(names.ParamOptimiser).Name == names.OptimiserAdam
	rule := training.Rule{Variant: variants[c.Value(names.ParamVariant).Name],
		Exponent: c.Value(names.ParamExponent).Number, GainExponent: c.Value(names.ParamGain).Number}
	return training.Setting{Rule: rule, Dimension: c.Dimension(), Adam: adam,
		AllWeights: c.Value(names.ParamTrained).Name == names.TrainedAll, OtherRate: training.OtherRate(adam),
		Steps: int(c.Value(names.ParamSteps).Number), Epsilon: training.Epsilon}
}

// octaveRate returns the learning rate at an octave of a setting.
func octaveRate(s training.Setting, octave int) float64 {
	return float64(training.ReferenceRate(s.Rule, s.Dimension, s.Adam) * elementary.Pow(2, float64(octave)))
}

// cellOctave returns the octave of a cell.
func cellOctave(c experiment.Cell) int { return int(c.Value(names.ParamOctave).Number) }

// streamName returns the name of the cell's stream. Tokens and initial weights are the same in all
// cells with the same d_k, so that rules and rates are compared seed by seed.
func streamName(c experiment.Cell) string {
	return fmt.Sprintf("%s/d_k=%d", c.Experiment.Name, c.Dimension())
}

// seedCost returns the cost of a seed in sampled components: in each step three products of tokens
// with both weights, and the cost of the sequences.
func seedCost(c experiment.Cell) float64 {
	s := cellSetting(c)
	costPerStep := float64(3*training.TokenSize*training.TokenSize*s.Dimension) + 60_000
	switch s.Rule.Variant {
	case training.Normalised:
		costPerStep += float64(3 * training.Sequences * training.Keys * training.TokenSize * s.Dimension)
	case training.Additive:
		costPerStep += float64(100 * training.Sequences * training.Keys * s.Dimension)
	case training.TwoLayers:
		costPerStep += 300_000
	}
	return math.Round(float64(s.Steps) * costPerStep / 16)
}

// openTraining trains all seeds of a cell, or the first few for a fingerprint.
func openTraining(c experiment.Cell) experiment.BlockFunc {
	s := cellSetting(c)
	s.Rate = octaveRate(s, cellOctave(c))
	var n *training.Network
	return func(d *experiment.BlockStream) moments.Node {
		if n == nil {
			n = training.New(s)
		}
		runs := seedCount
		if d.FewUnits {
			runs = training.Width
		}
		return newNode(n.Run(training.SampleData(&d.Lanes, s, runs)))
	}
}
