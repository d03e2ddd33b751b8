package experiment

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	//lint:ignore SA1019 docs/dependencies.md says why the deprecated package is fine
	"golang.org/x/exp/rand"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/base/stream"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// Experiment is one question: what it is, how it draws, how that is read, and how
// it is judged. [New] makes one and says what may be left out.
type Experiment struct {
	Name   string // in the table of names, with its definition
	Of     string // the experiment whose cells it reads; empty if it draws its own
	Axes   []Axis
	Unit   string // what N counts
	Probed bool   // answers a probe
	Asked  string // the axis that a probe must name to be answered; empty for none
	// Crossed says that a cell is evaluated at every point of its shared axes, each of which
	// has a value then. Left out, each value of any of them is one scaling.
	Crossed bool

	// How a cell is drawn. An experiment that reads another's cells has nothing of this.
	BlockUnits func(Cell) int64    // units of one block; depends on the cell's point alone
	Cost       func(Cell) float64  // of one unit, in drawn components
	Columns    func(Cell) []Column // layout of a node
	Open       func(Cell) Block    // one per worker; it owns its scratch
	Headline   string              // the quantity whose relative error --rel-se means
	// Relative is N times the squared relative error of the headline, if a closed
	// form is known (exact); left out, a pilot learns it.
	Relative func(Cell) (v float64, exact bool)
	Floor    int64 // units that every cell draws at least; left out, one
	// Most is how many units every cell draws at most, where more would not be more of the
	// same; left out, there is no limit.
	Most int64
	// Stream names the stream of a cell. Cells of one name see the same bits, so that they
	// can be compared draw by draw; left out, it is the cell's id.
	Stream func(Cell) string
	// Pilot is a few blocks of a stream of the cell's own, apart from all that is measured;
	// they teach how to measure and what will be known. Left out, there is nothing to learn.
	// It depends on the cell alone, not on the seed.
	Pilot func(Cell) Pilot
	// Windowed says that nodes have histograms whose bins are fine in windows that the pilot
	// chooses, which makes them large.
	Windowed bool
	// Contents says what a node of the cell holds, where its id does not: the values of
	// the shared axes that it was reduced under. Left out, nothing.
	Contents func(Cell) string

	// What the nodes say.
	Rows func(Cell, moments.Node) Findings // of one cell
	// Join adds what needs many cells, and curves; left out, nothing.
	Join func([]Cell, *result.Document)
	// Across adds what needs the nodes of many cells at once, such as differences draw by
	// draw, behind what Join adds; node gives that of a cell by its place. Left out, nothing.
	Across func(cells []Cell, node func(int) (moments.Node, error), doc *result.Document) error
	// Drawn adds lines of the kind drawn, through single rows that are drawn again from the
	// streams of the cells under the seed, at the attempt: a few blocks. It reads the rows
	// that the document has by then. Left out, nothing.
	Drawn func(cells []Cell, seed, attempt uint64, doc *result.Document)
	// Chosen is the row of a cell whose distance from theory stands for its stream when
	// the document is judged as a whole: a quantity, and params beside the cell's. It is
	// chosen before anything is drawn. Left out, it is the headline; none if it is empty.
	Chosen func(Cell) (quantity string, more []any)
	// Told are parameters that say more of a row and follow from its others, so that a text need
	// not name it by them. Left out, none does.
	Told []string

	// What may be asked of a cell, and what it must pass.
	Refuse func(c Cell, gated bool) error // why a cell cannot be run, nil if it can; left out, every cell can
	Checks func(Cell) []gate.Check        // the gates of a cell that has any; left out, none has
	Joined func([]Cell) []gate.Check      // those on many cells at once; left out, there are none
}

// New returns the experiment with what was left out filled in.
func New(e Experiment) *Experiment {
	usually(&e.Relative, func(Cell) (float64, bool) { return math.NaN(), false })
	usually(&e.Contents, func(Cell) string { return "" })
	usually(&e.Join, func([]Cell, *result.Document) {})
	usually(&e.Stream, func(c Cell) string { return c.ID })
	usually(&e.Across, func([]Cell, func(int) (moments.Node, error), *result.Document) error { return nil })
	usually(&e.Drawn, func([]Cell, uint64, uint64, *result.Document) {})
	usually(&e.Chosen, func(Cell) (string, []any) { return e.Headline, nil })
	usually(&e.Refuse, func(Cell, bool) error { return nil })
	usually(&e.Checks, func(Cell) []gate.Check { return nil })
	usually(&e.Joined, func([]Cell) []gate.Check { return nil })
	return &e
}

// usually fills in a function that was left out.
func usually[F any](left *F, usual F) {
	if reflect.ValueOf(*left).IsNil() {
		*left = usual
	}
}

// Doc is what the experiment measures, in a line.
func (e *Experiment) Doc() string { return names.Of(names.GroupExperiment, e.Name).Title }

// Gates are the gates on the cells: on each that is gated, then on many at once.
func (e *Experiment) Gates(cells []Cell) []gate.Check {
	var checks []gate.Check
	for _, c := range cells {
		if c.Gated {
			checks = append(checks, e.Checks(c)...)
		}
	}
	return append(checks, e.Joined(cells)...)
}

// Axis returns the axis of that name, nil if the experiment has none.
func (e *Experiment) Axis(name string) *Axis {
	i := slices.IndexFunc(e.Axes, func(a Axis) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &e.Axes[i]
}

// Column is one Moments of a node, of the powers up to the given order.
type Column struct {
	Name  string
	Order int
}

// Draw is the random bits of one block.
type Draw struct {
	Lanes stream.Lanes
	// More says that the next block follows and is merged with this one: histograms, whose
	// counts add up in any order, may wait for the last.
	More bool
	// Few says that a few units will do, to tell the bits of one version from another's.
	Few   bool
	cell  stream.Cell
	block uint64
}

// Begin sets d to the start of a block.
func (d *Draw) Begin(c stream.Cell, block int64) {
	d.cell, d.block = c, uint64(block)
	c.Block(&d.Lanes, d.block)
}

// Rand returns the block's second stream, for single numbers and choices.
func (d *Draw) Rand() *rand.Rand { return d.cell.Rand(d.block) }

// Block draws one block into an empty node.
type Block func(*Draw) moments.Node

// Findings is what one cell's node says.
type Findings struct {
	Rows     []result.Estimate
	Warnings []result.Warning
}

// Cell is one point of an experiment. A cell of an experiment that reads
// another's has that one's id and values, and its own shared values.
type Cell struct {
	Experiment   *Experiment
	ID           string
	Shared       map[string][]Value        // of the shared axes
	Tolerance    float64                   // of its gates: relative, or absolute where the quantity says so
	Gated        bool                      // has gates
	Units        int64                     // that a plan draws of it, 0 where no plan says
	pilot        *moments.Node             // what its pilot taught, nil until it is drawn
	params       result.Params             // its point on the drawn axes, but for what they omit
	distribution distribution.Distribution // that its point names
}

// NewCell makes the cell of e at the given point.
func NewCell(e *Experiment, values map[string]Value) Cell {
	parts := []string{e.Name}
	for i := range e.Axes {
		a := &e.Axes[i]
		v, ok := values[a.Name]
		if a.Shared || !ok || a.omits(v) {
			continue
		}
		switch v.Name {
		case "":
			parts = append(parts, a.Name+"="+v.String())
		case names.Yes:
			parts = append(parts, a.Name)
		default:
			parts = append(parts, v.Name)
		}
	}
	return NewPoint(e, strings.Join(parts, "/"), values)
}

// NewPoint makes a cell that stands for what several cells say together, such as
// a slope through them, under an id of its own.
func NewPoint(e *Experiment, id string, values map[string]Value) Cell {
	c := Cell{Experiment: e, ID: id, params: result.Params{}}
	for name, v := range values {
		if a := e.Axis(name); a == nil || !a.omits(v) {
			c.params[name] = v.Any()
		}
	}
	if v, ok := values[DistributionAxis.Name]; ok {
		var err error
		if c.distribution, err = distribution.Parse(v.Name, Number); err != nil {
			panic("experiment: a cell wants a distribution as the axis writes it")
		}
	}
	return c
}

// Key is what of the cell its nodes are stored under: all of it that decides their bits.
func (c Cell) Key() store.Cell {
	var columns []byte
	for _, k := range c.Experiment.Columns(c) {
		columns = strconv.AppendInt(append(append(columns, k.Name...), ' '), int64(k.Order), 10)
		columns = append(columns, ' ')
	}
	return store.Cell{ID: c.ID, Contents: c.Experiment.Contents(c), Columns: string(columns), Units: c.Experiment.BlockUnits(c)}
}

// Distribution is the cell's distribution, of an experiment that has the axis.
func (c Cell) Distribution() distribution.Distribution { return c.distribution }

// Point stands for several cells that have these values of the cell in common.
func (c Cell) Point(id string, axes ...string) Cell {
	values := map[string]Value{}
	for _, axis := range axes {
		values[axis] = c.Value(axis)
	}
	return NewPoint(c.Experiment, id, values)
}

// Value is the cell's value on a drawn axis, the one that params leave out if they have none,
// and zero for an axis that the experiment has not.
func (c Cell) Value(axis string) Value {
	switch v := c.params[axis].(type) {
	case string:
		return Value{Name: v}
	case float64:
		return Value{Number: v}
	}
	if a := c.Experiment.Axis(axis); a != nil && a.Omit != "" {
		v, _ := a.Parse(a.Omit)
		return v
	}
	return Value{}
}

// Dimension is the cell's d_k.
func (c Cell) Dimension() int { return int(c.Value(names.ParamDimension).Number) }

// Params returns the cell's point as params, with further pairs of a name
// and a value added. Rows without further pairs share one map; nobody may
// change it.
func (c Cell) Params(more ...any) result.Params {
	if len(more) == 0 {
		return c.params
	}
	return maps.Clone(c.params).Add(more...)
}
