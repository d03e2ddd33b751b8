package experiment

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/gate"
	"mcsim/sim/kernel"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/theory"
)

// Softmax measures what softmax makes of rows of scores: one query with its
// keys, fresh for each row, or shared by the queries of a matrix as in
// self-attention.
var Softmax = &Experiment{
	Name: names.ExperimentSoftmax,
	Axes: []Axis{lawAxis, dimensionAxis, keysAxis, sharedKeysAxis, exponentAxis, optional(factorRuleAxis), temperatureAxis},
	Unit: names.UnitRow, Probed: true, Asked: keysAxis.Name,

	BlockUnits: softmaxUnits,
	Cost:       softmaxCost,
	Columns:    softmaxColumns,
	Kept:       func(c Cell) string { return keptScalings(c.scalings()) },
	Open:       openSoftmax,
	Headline:   names.GradientSurvival,
	Relative:   pilotOnly,
	Floor:      softmaxFloor,
	Refuse:     refuseSoftmax,
	Rows:       softmaxFindings,
	Join:       joinSoftmax,
	Checks:     softmaxChecks,
}

// matrixRows is how many rows share their keys: a square matrix of scores has
// as many queries as keys, but beyond 64 more of them say little that is new.
func (c Cell) matrixRows() int64 {
	if c.sharesKeys() {
		return min(int64(c.keys()), 64)
	}
	return 1
}

// softmaxFloor is enough rows for quantiles at 5 and 95 % that are worth it.
const softmaxFloor = 4096

// softmaxGroups is the number of groups of sixteen rows, or matrices, of a block.
func softmaxGroups(c Cell) int64 {
	rows := kernel.Width * c.matrixRows()
	group := float64(rows) * softmaxDraws(c)
	return int64(max(1, min(float64(mostBlockRows/rows), blockComponents/group)))
}

func softmaxUnits(c Cell) int64 { return softmaxGroups(c) * kernel.Width * c.matrixRows() }

// softmaxDraws is how many components a row draws.
func softmaxDraws(c Cell) float64 {
	return float64(c.Dimension()) * (1 + float64(c.keys())/float64(c.matrixRows()))
}

// softmaxCost is what a row costs, in drawn components: its draws, products and
// gradients, and under each scaling the sums over keys and what follows.
func softmaxCost(c Cell) float64 {
	n := float64(len(c.scalings()))
	products := float64(float64(c.Dimension()*c.keys()) * (0.2 + float64(0.3*n)))
	return float64(softmaxDraws(c)) + products + float64(n*float64(700+2*c.keys()))
}

func softmaxColumns(c Cell) []Column {
	if c.sharesKeys() {
		return rowColumns(len(c.scalings()), "row", "matrix")
	}
	return rowColumns(len(c.scalings()), "row")
}

func openSoftmax(c Cell) Block {
	scalings := c.scalings()
	group := newRowGroup(c, c.keys(), scalings)
	tally := newRowTally(c.keys(), scalings, c.matrixRows())
	return func(draw *Draw) moments.Node {
		for range softmaxGroups(c) {
			if c.sharesKeys() {
				group.drawKeys(&draw.Lanes)
			}
			for range c.matrixRows() {
				group.drawRows(&draw.Lanes)
				group.slopes.measure(group)
				tally.add(group.scores, &group.peaks, group.slopes, &group.norm[0])
			}
			if c.sharesKeys() {
				tally.endMatrix()
			}
		}
		return tally.node()
	}
}

func refuseSoftmax(c Cell, gated bool) error {
	kept := c.keys() * c.Dimension()
	switch {
	case c.sharesKeys() && kept > mostShared:
		return fmt.Errorf("%d shared keys of %d components are %d numbers; at most 2^18 can be kept", c.keys(), c.Dimension(), kept)
	case !c.Law().Independent() && kept > mostShared:
		return fmt.Errorf("%d keys of the law %v of %d components are %d numbers; at most 2^18 can be kept", c.keys(), c.Law(), c.Dimension(), kept)
	}
	return refuseScalings(c)
}

// softmaxTheory is what quadrature knows of the rows, false for a law whose
// scores are not normal given the query.
func softmaxTheory(c Cell, s scaling) (theory.Softmax, bool) {
	if c.Law().Name() != names.LawNormal {
		return theory.Softmax{}, false
	}
	if s.hard() {
		return theory.SharedQuerySoftmax(c.keys(), c.Dimension(), math.Inf(1)), true
	}
	return theory.SharedQuerySoftmax(c.keys(), c.Dimension(), s.factor), true
}

func softmaxFindings(c Cell, n moments.Node) Findings {
	var f Findings
	for i, s := range c.scalings() {
		t, known := softmaxTheory(c, s)
		f.addRows(c, s, scalingNode(n, i, c.matrixRows()), t, known, !s.hard())
	}
	return f
}

// joinSoftmax adds the lines of theory: each mean of normal components over d_k.
func joinSoftmax(cells []Cell, doc *result.Document) {
	for _, line := range softmaxLines(cells) {
		for _, q := range meanQuantities {
			if q.theory == nil || q.gradient && line.points[0].scaling.hard() {
				continue
			}
			curve := result.Curve{Experiment: cells[0].Experiment.Name, Quantity: q.name, Axis: dimensionAxis.Name, Kind: names.TheoryQuadrature,
				Params: result.Params{keysAxis.Name: float64(line.keys), line.points[0].scaling.axis: line.points[0].scaling.value.Any()}}
			for _, at := range line.points {
				t, _ := softmaxTheory(at.cell, at.scaling)
				curve.X = append(curve.X, result.Number(at.cell.Dimension()))
				curve.Y = append(curve.Y, result.Number(q.theory(t)))
			}
			doc.Curves = append(doc.Curves, curve)
		}
	}
}

// softmaxLine is one line of theory, at rising d_k.
type softmaxLine struct {
	keys   int
	points []softmaxPoint
}

// softmaxPoint is a cell of a line with its own scaling: one exponent is
// another factor at another d_k.
type softmaxPoint struct {
	cell    Cell
	scaling scaling
}

// softmaxLines are the lines of normal components and keys of their own that go
// over at least two dimensions.
func softmaxLines(cells []Cell) []softmaxLine {
	var lines []softmaxLine
	index := map[string]int{}
	for _, c := range cells {
		if c.Law().Name() != names.LawNormal || c.sharesKeys() {
			continue
		}
		for _, s := range c.scalings() {
			key := fmt.Sprint(c.keys(), s.axis, s.value)
			i, ok := index[key]
			if !ok {
				i = len(lines)
				index[key] = i
				lines = append(lines, softmaxLine{keys: c.keys()})
			}
			lines[i].points = append(lines[i].points, softmaxPoint{c, s})
		}
	}
	return slices.DeleteFunc(lines, func(l softmaxLine) bool { return len(l.points) < 2 })
}

// softmaxChecks: the means that lie between bounds within the tolerance of
// theory, absolutely.
func softmaxChecks(cells []Cell) []gate.Check {
	var checks []gate.Check
	for _, c := range cells {
		if !c.Gated || c.Law().Name() != names.LawNormal {
			continue
		}
		for _, s := range c.scalings() {
			t, _ := softmaxTheory(c, s)
			checks = append(checks, c.meanChecks(s, t, c.matrixRows())...)
		}
	}
	return checks
}
