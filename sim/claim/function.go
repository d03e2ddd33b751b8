package claim

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"mcsim/sim/names"
)

// function settles claims: it computes numbers of its arguments. The same arguments give
// the same bits on every machine.
type function struct {
	name string
	args []parameter
	// refuse says what is wrong with arguments that each by itself are right; left out,
	// nothing is.
	refuse func(Args) error
	of     func(Args) []Interval
}

// functions are all of them, by subject.
var functions = slices.Concat(rowFunctions, scoreFunctions, headFunctions, countFunctions)

// Functions are the names of all functions.
func Functions() []string { return names.Each(functions, func(f function) string { return f.name }) }

// call is a function with its arguments: at what is printed, and at what that may have been
// rounded from.
type call struct {
	function
	at, from Args
	texts    map[string][]string // the arguments as they stand in the ledger
	picked   int                 // the place of the number that is read, from 1; 0: all
}

// keyRounded is the key of a ledger that names arguments which were rounded.
const keyRounded = "rounded"

// newCall is a call of the function of a name, without its arguments yet.
func newCall(name string, picked int) *call {
	i := slices.IndexFunc(functions, func(f function) bool { return f.name == name })
	texts := map[string][]string{}
	return &call{function: functions[i], texts: texts, picked: picked,
		at: Args{map[string][]Interval{}, texts}, from: Args{map[string][]Interval{}, texts}}
}

// sound refuses arguments that each by itself are right.
func (c *call) sound() error {
	takes := func(name string) bool {
		return slices.ContainsFunc(c.args, func(p parameter) bool { return p.name == name })
	}
	switch a := c.at; {
	case a.has(names.ParamDimension) && a.has(names.ParamTemperature):
		return errors.New("scores are divided by √d_k or by a temperature, not by both")
	case takes(names.StepWeights) && takes(names.StepScores) && a.has(names.StepWeights) == a.has(names.StepScores):
		return errors.New("give either weights or scores")
	case c.refuse != nil:
		if err := c.refuse(a); err != nil {
			return err
		}
	}
	if n := len(c.of(c.at)); c.picked > n {
		return fmt.Errorf("%s has %d numbers; there is no %d", c.name, n, c.picked)
	}
	return nil
}

// smallestNormal is the least number that float64 holds to all its digits: what lies below it
// is a 0 that was widened.
const smallestNormal = 0x1p-1022

// values are the numbers of a call at what is printed, and from what that was rounded.
func (c *call) values() (at []float64, from []Interval) {
	from = c.of(c.from)
	for i, a := range c.of(c.at) {
		at = append(at, a.middle())
		if math.Abs(at[i]) < smallestNormal {
			at[i] = 0
		}
		from[i] = Interval{min(from[i].Lo, a.Lo), max(from[i].Hi, a.Hi)}
	}
	if c.picked > 0 {
		return at[c.picked-1 : c.picked], from[c.picked-1 : c.picked]
	}
	return at, from
}

// Bounds of arguments: beyond them nothing is meant.
const (
	mostScore     = 1e6
	mostDimension = 1 << 16
	mostTokens    = 1 << 20
)

// Parameters that several functions have.
var (
	scoresGiven   = parameter{name: names.StepScores, lo: -mostScore, hi: mostScore, list: true}
	severalScores = parameter{name: names.StepScores, lo: -mostScore, hi: mostScore, list: true, several: true}
	maybeRoot     = parameter{name: names.ParamDimension, lo: 1, hi: mostDimension, whole: true, optional: true}
	dimensions    = parameter{name: names.ParamDimension, lo: 1, hi: mostDimension, whole: true, list: true}
	oneDimension  = parameter{name: names.ParamDimension, lo: 1, hi: mostDimension, whole: true}
	exponentMay   = parameter{name: names.ParamExponent, lo: -2, hi: 2, optional: true}
	exponentsMay  = parameter{name: names.ParamExponent, lo: -2, hi: 2, list: true, optional: true}
	temperatures  = parameter{name: names.ParamTemperature, lo: 1e-6, hi: 1e9, optional: true}
	weightsGiven  = parameter{name: names.StepWeights, lo: 0, hi: 1, list: true}
	keysGiven     = parameter{name: names.ParamKeys, lo: 2, hi: 4096, whole: true}
)

// optionally is the parameter where it may be left out.
func optionally(p parameter) parameter {
	p.optional = true
	return p
}
