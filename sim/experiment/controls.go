package experiment

import (
	"math"

	"mcsim/sim/elementary"
	"mcsim/sim/gate"
	"mcsim/sim/law"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/theory"
)

// Controls draws normal components with a deliberate mistake. The gate that
// should notice it is turned around: the estimate must lie outside the band.
var Controls = &Experiment{
	Name: names.ExperimentControls,
	Axes: []Axis{controlAxis, dimensionAxis},
	Unit: names.UnitPair,

	BlockUnits: func(c Cell) int64 { return pairsPerBlock(c.Dimension()) },
	Cost:       func(c Cell) float64 { return float64(c.Dimension()) },
	Columns:    func(c Cell) []Column { return []Column{{"control", c.control().order}} },
	Open: func(c Cell) Block {
		return c.control().open(c.Dimension(), int(pairsPerBlock(c.Dimension())))
	},
	Headline: names.ScoreVariance,
	Relative: func(Cell) (float64, bool) { return math.Inf(1), true },
	Refuse:   func(Cell, bool) error { return nil },
	Rows:     controlRows,
	Checks:   controlChecks,
}

// control is one mistake.
type control struct {
	Name     string
	Mutation string // what is wrong, exactly
	Gate     string // the gate that must say fail
	Blind    string // which gates cannot see it, and why

	quantity string
	params   []any // of the row, beside the cell's
	order    int   // of the node's only column
	share    float64
	open     func(d, pairs int) Block
	// value reads the quantity off the column.
	value func(m moments.Moments, d float64) float64
	// at is what the quantity is with the mistake, and its exact standard error.
	at func(d int, n int64) (theory, se float64)
	// honest is the gate that draws without the mistake must pass.
	honest func(Cell) gate.Check
}

var controlAxis = Axis{
	Name: names.ParamControl, Names: ControlNames, Probe: "q-sd-1.01",
	Parse: func(text string) (Value, error) {
		for _, c := range controlTable {
			if c.Name == text {
				return Value{Name: text}, nil
			}
		}
		return Value{}, UnknownError{names.ParamControl, text, ControlNames()}
	},
}

// ControlNames lists the controls.
func ControlNames() []string {
	names := make([]string, len(controlTable))
	for i, c := range controlTable {
		names[i] = c.Name
	}
	return names
}

func (c Cell) control() *control {
	name := c.Values[names.ParamControl].Name
	for i := range controlTable {
		if controlTable[i].Name == name {
			return &controlTable[i]
		}
	}
	panic("experiment: a cell holds a control that does not exist")
}

func controlRows(c Cell, n moments.Node) Findings {
	k, m := c.control(), n.Moments[0]
	want, se := k.at(c.Dimension(), m.N)
	var f Findings
	f.add(exact(c.row(k.quantity, m.N, k.value(m, float64(c.Dimension())), se, k.params...), want), 0)
	return f
}

func controlChecks(cells []Cell) []gate.Check {
	var checks []gate.Check
	for _, c := range cells {
		if c.Gated {
			checks = append(checks, c.controlCheck())
		}
	}
	return checks
}

// controlCheck is the honest gate turned around.
func (c Cell) controlCheck() gate.Check {
	k := c.control()
	honest := k.honest(c)
	check := c.check("control: "+k.Gate, k.quantity, k.params...)
	check.Expect, check.Share, check.Skew, check.Edge = gate.Outside, k.share, honest.Skew, honest.Edge
	check.At = func(n int64) (float64, float64, [2]float64) {
		_, _, band := honest.At(n)
		want, se := k.at(c.Dimension(), n)
		return want, se, band
	}
	return check
}

// ControlCase is a control as a document shows it.
type ControlCase struct {
	Name, Mutation, Gate, Blind string
	// Honest is the gate of draws without the mistake, Mistaken the same gate
	// with the mistake, at dimension d.
	Honest, Mistaken func(d int) gate.Check
}

// ControlCases lists the named controls at the tolerance.
func ControlCases(which []string, tolerance float64) []ControlCase {
	var cases []ControlCase
	for _, name := range which {
		at := func(d int) Cell {
			c := NewCell(Controls, map[string]Value{names.ParamControl: {Name: name}, names.ParamDimension: {Number: float64(d)}})
			c.Tolerance, c.Gated = tolerance, true
			return c
		}
		k := at(1).control()
		cases = append(cases, ControlCase{Name: k.Name, Mutation: k.Mutation, Gate: k.Gate, Blind: k.Blind,
			Honest:   func(d int) gate.Check { return k.honest(at(d)) },
			Mistaken: func(d int) gate.Check { return at(d).controlCheck() }})
	}
	return cases
}

// normalScore is the score of the law that every control distorts.
func normalScore(d int) theory.Score { return theory.NewScore(law.Normal, d) }

func meanOf(m moments.Moments, _ float64) float64     { return m.Mean }
func varianceOf(m moments.Moments, _ float64) float64 { return m.Variance() }
func kurtosisOf(m moments.Moments, _ float64) float64 { return m.Standard(4) }

func honestMean(c Cell) gate.Check     { return c.meanCheck(normalScore(c.Dimension())) }
func honestVariance(c Cell) gate.Check { return c.varianceCheck(normalScore(c.Dimension())) }

// honestHealth is a gate of the experiment health on the normal law.
func honestHealth(quantity string) func(Cell) gate.Check {
	return func(c Cell) gate.Check {
		of := NewCell(Health, map[string]Value{names.ParamLaw: {Name: law.Normal.String()}})
		of.Tolerance, of.Gated = c.Tolerance, true
		for _, k := range healthChecks([]Cell{of}) {
			if k.Quantity == quantity {
				return k
			}
		}
		panic("experiment: health lacks a gate")
	}
}

// scaledExponent is the exponent that a control mistakes for 1/2.
const scaledExponent = 0.49

func honestScaled(c Cell) gate.Check {
	k := honestVariance(c)
	d := float64(c.Dimension())
	k.At = func(n int64) (float64, float64, [2]float64) {
		return 1, normalScore(c.Dimension()).VarianceSE(n) / d, gate.Around(1, c.Tolerance)
	}
	return k
}

func scaledOf(m moments.Moments, d float64) float64 {
	return m.Variance() / elementary.Pow(d, 2*scaledExponent)
}
