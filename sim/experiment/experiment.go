package experiment

import (
	"fmt"
	"slices"

	//lint:ignore SA1019 docs/dependencies.md says why the deprecated package is fine
	"golang.org/x/exp/rand"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// Experiment is one question: how its cells are sampled, how their nodes are read, and how the
// estimates are judged. [New] checks that nothing that it needs is missing.
type Experiment struct {
	Name      string // in the table of names, with its definition
	Axes      []Axis
	Unit      string // that N counts
	Probeable bool   // a probe of a point can include it
	ProbeFlag string // the axis that a probe must name to include it; empty if any probe does
	// CartesianScalings means that each combination of the values of the shared axes is a
	// scaling. Otherwise each value of each shared axis is one.
	CartesianScalings bool

	ReadsFrom string   // the experiment whose cells it reads; empty if it has a Sampler
	Sampler   *Sampler // samples the cells; nil if ReadsFrom names the experiment that does
	Reader    Reader
	Judge     Judge
}

// Sampler says how the cells of an experiment are sampled. The first five fields are required.
type Sampler struct {
	BlockUnits func(Cell) int64     // units of one block, which the point of the cell determines
	Cost       func(Cell) float64   // of one unit, in sampled components
	Columns    func(Cell) []Column  // layout of a node
	Open       func(Cell) BlockFunc // called once for each worker; the function owns its scratch
	Headline   string               // the quantity whose relative error --rel-se means

	// RelativeVariance returns N times the squared relative standard error of the headline, in
	// closed form. If it is nil, a pilot estimates it.
	RelativeVariance func(Cell) float64
	MinUnits         int64 // of a cell, unless the plan gives a number; 0 means 1
	MaxUnits         int64 // of a cell, if more would repeat the same; 0 means no limit
	// Stream names the random stream of a cell; nil means its id. Cells of the same name get the
	// same bits, which makes them comparable unit by unit.
	Stream func(Cell) string
	// Pilot returns the bin pilot of a cell: a few blocks of another stream, sampled before the
	// cell. They place bins, and say which errors will be known. They depend on the cell, not on
	// the seed. If it is nil, there is no bin pilot. (Package schedule has sizing pilots, of
	// another stream, which estimate an unknown RelativeVariance.)
	Pilot func(Cell) Pilot
	// HasFineBins means that nodes have histograms with windows of fine bins, placed by the pilot.
	// Such nodes are large.
	HasFineBins bool
	// Contents describes what nodes hold that the id of the cell does not name, such as the values
	// of shared axes. Nil means nothing.
	Contents func(Cell) string
}

// Reader turns the nodes of an experiment into estimates and curves.
type Reader struct {
	Estimates func(Cell, moments.Node) CellEstimates // of one cell; required
	// Finish adds what needs several cells: slopes, differences, curves. The document has the
	// estimates of each cell by then. Nil adds nothing.
	Finish func(SampledCells, *result.Document) error
	// HeadlineRow selects the estimate of a cell whose z-score enters the gates on the whole
	// document: its quantity, and the parameters that it has besides those of the cell. Nil
	// selects the headline with the parameters of the cell.
	HeadlineRow func(Cell) (quantity string, more result.Params)
	// ImpliedParams are parameters of estimates that follow from the others, so that a text may
	ImpliedParams []string
}

// SampledCells is what [Reader.Finish] works with.
type SampledCells struct {
	Cells         []Cell                            // all cells of the experiment
	Node          func(i int) (moments.Node, error) // the merged node of Cells[i]
	Seed, Attempt uint64                            // of the streams of the cells
}

// Judge says which cells an experiment accepts, and by which gates they are judged. Each field may
// be nil: every cell is accepted, and no cell has gates.
type Judge struct {
	Refuse      func(c Cell, gated bool) error // returns why a cell cannot be run
	Checks      func(Cell) []gate.Check        // the gates on one cell
	JointChecks func([]Cell) []gate.Check      // the gates on several cells together
}

// New returns the experiment. It panics if a required part is missing.
func New(e Experiment) *Experiment {
	s := e.Sampler
	switch {
	case e.Name == "" || len(e.Axes) == 0 || e.Unit == "" || e.Reader.Estimates == nil:
		panic(fmt.Sprintf("experiment %q: no name, axes, unit or estimates", e.Name))
	case (s == nil) != (e.ReadsFrom != ""):
		panic(fmt.Sprintf("experiment %q: must either have a sampler or read from another experiment", e.Name))
	case s != nil && (s.BlockUnits == nil || s.Cost == nil || s.Columns == nil || s.Open == nil || s.Headline == ""):
		panic(fmt.Sprintf("experiment %q: no block units, cost, columns, block or headline", e.Name))
	}
	return &e
}

// Doc returns what the experiment measures, in a line.
func (e *Experiment) Doc() string { return names.EntryOf(names.GroupExperiment, e.Name).Title }

// Gates returns the gates on the cells: on each that is gated, then on many at once.
func (e *Experiment) Gates(cells []Cell) []gate.Check {
	var checks []gate.Check
	for _, c := range cells {
		if c.Gated && e.Judge.Checks != nil {
			checks = append(checks, e.Judge.Checks(c)...)
		}
	}
	if e.Judge.JointChecks != nil {
		checks = append(checks, e.Judge.JointChecks(cells)...)
	}
	return checks
}

// HeadlineRow returns the quantity, and the parameters besides those of the cell, of the estimate
// whose z-score enters the gates on the whole document. The experiment must have a sampler.
func (e *Experiment) HeadlineRow(c Cell) (quantity string, more result.Params) {
	if e.Reader.HeadlineRow != nil {
		return e.Reader.HeadlineRow(c)
	}
	return e.Sampler.Headline, nil
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

// Columns returns n columns of one name and order.
func Columns(name string, order, n int) []Column {
	return slices.Repeat([]Column{{Name: name, Order: order}}, n)
}

// BlockStream has the random streams of one block.
type BlockStream struct {
	Lanes stream.Lanes
	// HasNext means that the next block is sampled too and merged with this one. Histograms, whose
	// counts add up in any order, may then be returned with the last block.
	HasNext bool
	// FewUnits means that a few units are enough, for a fingerprint of the samples.
	FewUnits bool
	cell     stream.Cell
	block    uint64
}

// Begin sets d to the start of a block.
func (d *BlockStream) Begin(c stream.Cell, block int64) {
	d.cell, d.block = c, uint64(block)
	c.Block(&d.Lanes, d.block)
}

// Rand returns the block's second stream, for single numbers and choices.
func (d *BlockStream) Rand() *rand.Rand { return d.cell.Rand(d.block) }

// BlockFunc samples one block and returns its node.
type BlockFunc func(*BlockStream) moments.Node

// CellEstimates has the estimates of the node of one cell, and warnings about them.
type CellEstimates struct {
	Estimates []result.Estimate
	Warnings  []result.Warning
}
