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
	name string
	args []parameter
	// refuse says what is wrong with arguments that each by itself are right; left out,
	// nothing is.
	refuse  func(Args) error
	compute func(Args) []Interval
}

// functions are all of them, by subject.
var functions = slices.Concat(rowFunctions, scoreFunctions, headFunctions, countFunctions)

// Functions returns the names of all functions.
func Functions() []string { return names.Map(functions, func(f function) string { return f.name }) }

// call is a function with its arguments: as printed, and as the intervals that they may have been
// rounded from.
type call struct {
	function
	printed, rounded Args
	texts            map[string][]string // the arguments as they stand in the ledger
	pick             int                 // the place of the number that is read, from 1; 0: all
}

// keyRounded is the key of a ledger that names arguments which were rounded.
const keyRounded = "rounded"

// newCall returns a call of the named function without arguments.
func newCall(name string, picked int) *call {
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
	texts := map[string][]string{}
	return &call{function: functions[i], texts: texts, pick: picked,
		printed: Args{map[string][]Interval{}, texts}, rounded: Args{map[string][]Interval{}, texts}}
}

// check refuses arguments that are valid one by one but not together.
func (c *call) check() error {
	takes := func(name string) bool {
		return slices.ContainsFunc(c.args, func(p parameter) bool { return p.name == name })
	}
	switch a := c.printed; {
	case a.has(names.ParamDimension) && a.has(names.ParamTemperature):
		return errors.New("scores are divided by √d_k or by a temperature, not by both")
	case takes(names.StepWeights) && takes(names.StepScores) && a.has(names.StepWeights) == a.has(names.StepScores):
		return errors.New("give either weights or scores")
	case c.refuse != nil:
		if err := c.refuse(a); err != nil {
			return err
		}
	}
	if n := len(c.compute(c.printed)); c.pick > n {
		return fmt.Errorf("%s has %d numbers; there is no %d", c.name, n, c.pick)
	}
	return nil
}

// smallestNormal is the smallest normal float64. A smaller number is a widened 0.
const smallestNormal = 0x1p-1022

// values returns the numbers of a call for the printed arguments, and their intervals for what the
// arguments may have been rounded from.
func (c *call) values() (at []float64, from []Interval) {
	from = c.compute(c.rounded)
	for i, a := range c.compute(c.printed) {
		at = append(at, a.middle())
		if math.Abs(at[i]) < smallestNormal {
			at[i] = 0
		}
		from[i] = Interval{min(from[i].Lo, a.Lo), max(from[i].Hi, a.Hi)}
	}
	if c.pick > 0 {
		return at[c.pick-1 : c.pick], from[c.pick-1 : c.pick]
	}
	return at, from
}

// Bounds of arguments: beyond them nothing is meant.
const (
	maxScore     = 1e6
	maxDimension = 1 << 16
	maxTokens    = 1 << 20
)

// Parameters that several functions have.
var (
	scoresGiven   = parameter{name: names.StepScores, lo: -maxScore, hi: maxScore, list: true}
	severalScores = parameter{name: names.StepScores, lo: -maxScore, hi: maxScore, list: true, several: true}
	maybeRoot     = parameter{name: names.ParamDimension, lo: 1, hi: maxDimension, whole: true, optional: true}
	dimensions    = parameter{name: names.ParamDimension, lo: 1, hi: maxDimension, whole: true, list: true}
	oneDimension  = parameter{name: names.ParamDimension, lo: 1, hi: maxDimension, whole: true}
	exponentMay   = parameter{name: names.ParamExponent, lo: -2, hi: 2, optional: true}
	exponentsMay  = parameter{name: names.ParamExponent, lo: -2, hi: 2, list: true, optional: true}
	temperatures  = parameter{name: names.ParamTemperature, lo: 1e-6, hi: 1e9, optional: true}
	weightsGiven  = parameter{name: names.StepWeights, lo: 0, hi: 1, list: true}
	keysGiven     = parameter{name: names.ParamKeys, lo: 2, hi: 4096, whole: true}
)

// optionally returns the parameter as an optional one.
func optionally(p parameter) parameter {
	p.optional = true
	return p
}
