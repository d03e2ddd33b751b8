// Package training measures whether training is slower under another scale than 1/√d_k. It trains
// one attention layer on the same seeds and data under every rule (a variant of the layer with an
// exponent and a gain of the scale), at many learning rates. Then it compares the numbers of steps
// that the loss takes to reach a threshold, each at the best rate of the rule. Package
// [mcsim/sim/attention/training] has the model. This package has the axes (training.go), the layout
// of a node (columns.go), the choice of a rate (sweep.go), the estimates for one rule (rules.go,
// median.go), the slope of the best rate as a function of d_k (lines.go), and the comparison of two
// rules (contrasts.go).
//
// The protocol is declared in docs/training.md. None of its numbers depends on results.
package training

import (
	"fmt"
	"math"
	"strings"

	"mcsim/sim/attention/rule"
	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/names"
)

// The seeds of a cell: the first seeds choose the rate, and the others judge it. There are enough
// choosing seeds that the intervals from the judging seeds have nominal coverage even for the truly
// best rate (TestCoverageWithTheChoice).
const (
	tuningSeeds  = 30
	judgingSeeds = 20
	seedCount    = tuningSeeds + judgingSeeds
)

// Experiment trains an attention layer. A cell has one rule and one rate.
var Experiment = experiment.New(experiment.Experiment{
	Name: names.ExperimentTraining,
	Axes: []experiment.Axis{variantAxis, dimensionAxis, exponentAxis, gainAxis, optimiserAxis, trainedAxis, stepsAxis,
		octaveAxis, ruleAxis},
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
		// The variance of a median does not have a closed form.
		RelativeVariance: func(experiment.Cell) float64 { return math.Inf(1) },
	},
	Reader: experiment.Reader{Estimates: cellEstimates, Finish: finish},
	Judge:  experiment.Judge{Refuse: refuseRule},
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

// newOctaveAxis returns the axis of rates, as octaves above the reference rate of the rule.
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

// cellSetting returns the setting of the training of a cell, without the rate.
func cellSetting(c experiment.Cell) training.Setting {
	adam := c.Value(names.ParamOptimiser).Name == names.OptimiserAdam
	rule := training.Rule{Variant: variants[c.Value(names.ParamVariant).Name],
		Exponent: c.Value(names.ParamExponent).Number}
	if v := c.Value(names.ParamRule); v.Name != names.VariantPlain {
		rule, _ = namedRule(rows.RuleOf(v)) // it is parsed
	}
	rule.GainExponent = c.Value(names.ParamGain).Number
	return training.Setting{Rule: rule, Dimension: c.Dimension(), Adam: adam,
		AllWeights: c.Value(names.ParamTrained).Name == names.TrainedAll, OtherRate: training.OtherRate(adam),
		Steps: int(c.Value(names.ParamSteps).Number), Epsilon: training.Epsilon}
}

// ruleAxis names the scale as the other experiments do. With its default, the variant and the exponent
// determine the scale.
var ruleAxis = experiment.Axis{
	Name: names.ParamRule, Probe: names.VariantPlain, HasNoSpecimens: true,
	Names: func() []string {
		return []string{names.VariantPlain, names.RulePower, names.RuleHalfRoot, names.RuleQKNorm, names.RuleSoftCap,
			names.RuleAdditive}
	},
	Parse: func(text string) (experiment.AxisValue, error) {
		if text == names.VariantPlain {
			return experiment.AxisValue{Name: text}, nil
		}
		v, err := rows.AllRulesAxis.Parse(text)
		if err == nil {
			_, err = namedRule(rows.RuleOf(v))
		}
		return v, err
	},
}.OmitDefault()

// namedRule returns the rule of the trained layer for a value of ruleAxis.
func namedRule(r rule.Rule) (training.Rule, error) {
	t := training.Rule{Exponent: 0.5}
	_, multiplies := r.Factor(1, 2)
	switch {
	case r.Name() == names.RulePower:
		t.Exponent = r.Param()
	case r.Name() == names.RuleHalfRoot:
		t.Variant = training.HalfRoot
	case r.String() == names.RuleQKNorm+"(1)":
		t.Variant = training.Normalised
	case r.Name() == names.RuleSoftCap:
		t.Variant, t.Cap = training.SoftCap, r.Param()
	case r.String() == names.RuleAdditive:
		t.Variant = training.Additive
	case multiplies:
		return t, fmt.Errorf("%v: with %d keys it is a power of d_k times a number; take power(p)", r, training.Keys)
	default:
		return t, fmt.Errorf("%v: the trained layer does not have it; it has power(p), sqrt(d_k/2), qk-norm, "+
			"soft-cap(c), and additive with d_k units", r)
	}
	return t, nil
}

// refuseRule refuses a rule next to a variant or an exponent that contradicts it.
func refuseRule(c experiment.Cell, _ bool) error {
	r, variant := c.Value(names.ParamRule), c.Value(names.ParamVariant).Name
	switch {
	case r.Name == names.VariantPlain:
		return nil
	case variant == names.VariantCopying || variant == names.VariantTwoLayers:
		return ruleAxis.Errorf("rule %s: rules are tried with the plain layer only; omit variant %s, or the rule",
			r, variant)
	case variant != names.VariantPlain:
		return ruleAxis.Errorf("rule %s: variant %s sets another scale; omit one of them", r, variant)
	case c.Value(names.ParamExponent).Number != 0.5:
		return ruleAxis.Errorf("rule %s: it sets the scale, so write exponent: 1/2; without it the plan has the "+
			"exponents %s", r, strings.Join(exponentAxis.Default, ", "))
	}
	return nil
}

// octaveRate returns the learning rate at an octave above the reference rate of a setting.
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

// seedCost returns the cost of a seed in sampled components. It counts the products of each step:
// three products of tokens with both weights, and the products of the sequences.
func seedCost(c experiment.Cell) float64 {
	const (
		sequenceProducts     = 60_000  // of the sequences of a step
		secondLayerProducts  = 300_000 // of the second layer in a step
		additiveProducts     = 100     // of a component of a key under an additive rule
		productsPerComponent = 16      // products that take as long as sampling a component
	)
	s := cellSetting(c)
	products := float64(3*training.TokenSize*training.TokenSize*s.Dimension) + sequenceProducts
	switch s.Rule.Variant {
	case training.Normalised:
		products += float64(3 * training.Sequences * training.Keys * training.TokenSize * s.Dimension)
	case training.Additive:
		products += float64(additiveProducts * training.Sequences * training.Keys * s.Dimension)
	case training.TwoLayers:
		products += secondLayerProducts
	}
	return math.Round(float64(s.Steps) * products / productsPerComponent)
}

// openTraining returns the function that trains all seeds of a cell, or the first seeds if a few
// units are enough.
func openTraining(c experiment.Cell) experiment.BlockFunc {
	s := cellSetting(c)
	s.Rate = octaveRate(s, cellOctave(c))
	var network *training.Network
	return func(b *experiment.BlockStream) moments.Node {
		if network == nil { // allocate it only if a block is sampled
			network = training.New(s)
		}
		runs := seedCount
		if b.FewUnits {
			runs = training.Width
		}
		return newNode(network.Run(training.SampleData(&b.Lanes, s, runs)))
	}
}
