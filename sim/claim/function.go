package claim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mcsim/sim/names"
)

// function computes numbers from its arguments to settle claims. The same arguments give the same
// bits on every machine.
type function struct {
	name       string
	parameters []parameter
	// checkArguments returns an error if arguments that are valid one by one do not fit together.
	// It may be nil.
	checkArguments func(Args) error
	compute        func(Args) []Interval
}

// functions holds all functions, by subject.
var functions = slices.Concat(rowFunctions, scoreFunctions, headFunctions, countFunctions, bugFunctions)

// Functions returns the names of all functions.
func Functions() []string { return names.Map(functions, func(f function) string { return f.name }) }

// call is a function with its arguments.
type call struct {
	function
	printed Args // exactly the printed numbers
	// unrounded has, for each argument, the interval of the numbers that the text may have rounded
	// to the printed number.
	unrounded Args
	texts     map[string][]string // arguments as written in the ledger
	index     int                 // 1-based index of the result that is read; 0 for all results
}

// keyRounded is the key of a ledger for the names of the arguments that the text has rounded.
const keyRounded = "rounded"

// newCall returns a call of the named function without arguments.
func newCall(name string, index int) *call {
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
	texts := map[string][]string{}
	return &call{function: functions[i], texts: texts, index: index,
		printed: Args{map[string][]Interval{}, texts}, unrounded: Args{map[string][]Interval{}, texts}}
}

// check returns an error if arguments that are valid one by one do not fit together.
func (c *call) check() error {
	hasParameter := func(name string) bool {
		return slices.ContainsFunc(c.parameters, func(p parameter) bool { return p.name == name })
	}
	switch a := c.printed; {
	case a.has(names.ParamDimension) && a.has(names.ParamTemperature):
		return errors.New("scores are divided by √d_k or by a temperature, not by both")
	case hasParameter(names.StepWeights) && hasParameter(names.StepScores) &&
		a.has(names.StepWeights) == a.has(names.StepScores):
		return errors.New("give either weights or scores")
	case c.checkArguments != nil:
		if err := c.checkArguments(a); err != nil {
			return err
		}
	}
	if n := len(c.compute(c.printed)); c.index > n {
		return fmt.Errorf("%s has %d numbers; there is no %d", c.name, n, c.index)
	}
	return nil
}

// smallestNormal is the smallest normal float64. If a result is exactly 0, its interval was rounded
// outward, and the midpoint of the interval may be tiny but not 0. So evaluate replaces midpoints
// that are closer to 0 than smallestNormal by 0.
const smallestNormal = 0x1p-1022

// evaluate returns the numbers for the printed arguments, and the intervals for the values that
// the arguments may have been rounded from.
func (c *call) evaluate() (computed []float64, bounds []Interval) {
	bounds = c.compute(c.unrounded)
	for i, interval := range c.compute(c.printed) {
		computed = append(computed, interval.midpoint())
		if math.Abs(computed[i]) < smallestNormal {
			computed[i] = 0
		}
		bounds[i] = Interval{min(bounds[i].Lo, interval.Lo), max(bounds[i].Hi, interval.Hi)}
	}
	if c.index > 0 {
		return computed[c.index-1 : c.index], bounds[c.index-1 : c.index]
	}
	return computed, bounds
}

// Bounds of arguments. No text needs larger values.
const (
	maxScore     = 1e6
	maxDimension = 1 << 16
	maxTokens    = 1 << 20
)

// Parameters that several functions have.
var (
	scoresParameter    = parameter{name: names.StepScores, minValue: -maxScore, maxValue: maxScore, isList: true}
	twoScoresParameter = parameter{name: names.StepScores, minValue: -maxScore, maxValue: maxScore, isList: true,
		needsTwo: true}
	optionalDimension = parameter{name: names.ParamDimension, minValue: 1, maxValue: maxDimension, isInteger: true,
		isOptional: true}
	dimensionsParameter = parameter{name: names.ParamDimension, minValue: 1, maxValue: maxDimension, isInteger: true,
		isList: true}
	dimensionParameter = parameter{name: names.ParamDimension, minValue: 1, maxValue: maxDimension, isInteger: true}
	optionalExponent   = parameter{name: names.ParamExponent, minValue: -2, maxValue: 2, isOptional: true}
	optionalExponents  = parameter{name: names.ParamExponent, minValue: -2, maxValue: 2, isList: true,
		isOptional: true}
	optionalTemperature = parameter{name: names.ParamTemperature, minValue: 1e-6, maxValue: 1e9, isOptional: true}
	weightsParameter    = parameter{name: names.StepWeights, minValue: 0, maxValue: 1, isList: true}
	keysParameter       = parameter{name: names.ParamKeys, minValue: 2, maxValue: 4096, isInteger: true}
)

func makeOptional(p parameter) parameter {
	p.isOptional = true
	return p
}
