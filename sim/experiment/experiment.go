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

// Experiment defines how the cells of one question are sampled, how estimates are computed from
// their nodes, and how the estimates are judged. [New] checks that no required part is missing.
type Experiment struct {
	Name      string // also the name of its entry in package names
	Axes      []Axis
	Unit      string // what the N of an estimate counts, such as pairs
	Probeable bool   // the command probe can run the experiment
	// ProbeFlag is the axis whose flag selects the experiment in a probe. If it is empty, every
	// probe runs the experiment.
	ProbeFlag string
	// CartesianScalings means that each combination of the values of the shared axes is one scaling
	// of the scores. Otherwise each value of each shared axis is one scaling.
	CartesianScalings bool

	// An experiment has either a Sampler or the name of the experiment whose cells it reads.
	Sampler   *Sampler
	ReadsFrom string
	Reader    Reader
	Judge     Judge
}

// Sampler says how the cells of an experiment are sampled. The first five fields are required.
type Sampler struct {
	BlockUnits func(Cell) int64    // number of units of one block
	Cost       func(Cell) float64  // cost of one unit, in sampled components
	Columns    func(Cell) []Column // layout of a node
	// Open returns a function that samples blocks for one worker. The function owns its scratch.
	Open     func(Cell) BlockFunc
	Headline string // the quantity whose relative standard error the flag --rel-se limits

	// RelativeVariance returns N times the squared relative standard error of the headline, in
	// closed form. If it is nil, a pilot estimates it.
	RelativeVariance func(Cell) float64
	// MinUnits is the smallest number of units of a cell if the plan does not give a number. 0
	// means 1.
	MinUnits int64
	// MaxUnits is the number of different units of a cell, if this number is finite. 0 means no
	// limit.
	MaxUnits int64
	// Stream returns the name of the random stream of a cell. Nil means the id of the cell. Cells
	// with the same stream get the same bits, which makes them comparable unit by unit.
	Stream func(Cell) string
	// Pilot returns the bin pilot of a cell: a few blocks of another stream, sampled before the
	// cell. The bin pilot places bins and predicts which standard errors will be known. It depends
	// on the cell, not on the seed. If Pilot is nil, there is no bin pilot. (Package schedule has
	// other pilots, sizing pilots, which estimate an unknown RelativeVariance.)
	Pilot func(Cell) Pilot
	// HasFineBins means that nodes have histograms with windows of fine bins, placed by the pilot.
	// Such nodes are large.
	HasFineBins bool
	// Shape returns the numbers of counts and histograms of a node. Nil means that it has none.
	Shape func(Cell) Shape
	// Contents returns what determines the contents of nodes in addition to the id of the cell,
	// such as the values of shared axes. Nil means that the id determines them.
	Contents func(Cell) string
}

// Reader computes estimates and curves from the nodes of an experiment.
type Reader struct {
	// Estimates returns the estimates of one cell. It is required.
	Estimates func(Cell, moments.Node) CellEstimates
	// Finish adds slopes, differences and curves that need several cells. It is called after the
	// document has the estimates of each cell. Nil adds nothing.
	Finish func(SampledCells, *result.Document) error
	// HeadlineEstimate selects the estimate of a cell whose z-score enters the gates on the whole
	// document. It returns the quantity of the estimate and the parameters that the estimate has in
	// addition to the parameters of the cell. Nil selects the headline without more parameters.
	HeadlineEstimate func(Cell) (quantity string, more result.Params)
	// ImpliedParams names the parameters of estimates that follow from the other parameters. A
	// claim that refers to an estimate may omit them.
	ImpliedParams []string
}

// SampledCells has the sampled cells of an experiment and their nodes, for [Reader.Finish].
type SampledCells struct {
	Cells         []Cell                            // all cells of the experiment
	Node          func(i int) (moments.Node, error) // the merged node of Cells[i]
	Seed, Attempt uint64                            // parts of the stream ids of the cells
}

// Judge decides which cells an experiment accepts, and which gates judge the accepted ones. If
// Refuse is nil, every cell is accepted. If Checks or JointChecks is nil, it defines no gates.
type Judge struct {
	// Refuse returns why a cell cannot be run, or why it cannot have gates if gated is true. It
	// returns nil if nothing prevents either.
	Refuse      func(c Cell, gated bool) error
	Checks      func(Cell) []gate.Check   // the gates on one cell
	JointChecks func([]Cell) []gate.Check // the gates on several cells together
}

// New returns the experiment. It panics if a required part is missing.
func New(e Experiment) *Experiment {
	s := e.Sampler
	switch {
	case e.Name == "" || len(e.Axes) == 0 || e.Unit == "" || e.Reader.Estimates == nil:
		panic(fmt.Sprintf("experiment %q: a name, axes, a unit and estimates are required", e.Name))
	case (s == nil) != (e.ReadsFrom != ""):
		panic(fmt.Sprintf("experiment %q: must either have a sampler or read from another experiment", e.Name))
	case s != nil && (s.BlockUnits == nil || s.Cost == nil || s.Columns == nil || s.Open == nil || s.Headline == ""):
		panic(fmt.Sprintf("experiment %q: a sampler requires BlockUnits, Cost, Columns, Open and Headline", e.Name))
	}
	return &e
}

// Doc returns one line that says what the experiment measures.
func (e *Experiment) Doc() string { return names.EntryOf(names.GroupExperiment, e.Name).Title }

// Gates returns the gates on each cell that has gates, followed by the gates on several cells.
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

// HeadlineEstimate returns the quantity of the estimate whose z-score enters the gates on the whole
// document, and the parameters that this estimate has in addition to the parameters of the cell.
// The experiment must have a sampler.
func (e *Experiment) HeadlineEstimate(c Cell) (quantity string, more result.Params) {
	if e.Reader.HeadlineEstimate != nil {
		return e.Reader.HeadlineEstimate(c)
	}
	return e.Sampler.Headline, nil
}

// Axis returns the axis with the given name, or nil if the experiment does not have it.
func (e *Experiment) Axis(name string) *Axis {
	i := slices.IndexFunc(e.Axes, func(a Axis) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	return &e.Axes[i]
}

// Column describes one of the Moments of a node, which have sums of powers up to Order.
type Column struct {
	Name     string
	Order    int
	PerBlock int64 // how many numbers a block has; 0 means one for each unit
}

// Columns returns n columns with the same name and order.
func Columns(name string, order, n int) []Column {
	return slices.Repeat([]Column{{Name: name, Order: order}}, n)
}

// BlockStream has the random streams of one block.
type BlockStream struct {
	Lanes stream.Lanes
	// HasNext means that the next block will be sampled too and merged with this one. A BlockFunc
	// may then omit the histograms of this block and add them to those of the last block, since
	// their counts may be added in any order.
	HasNext bool
	// FewUnits means that a few units are enough, for a fingerprint of the samples.
	FewUnits bool
	cell     stream.Cell
	block    uint64
}

// Begin sets b to the start of a block.
func (b *BlockStream) Begin(c stream.Cell, block int64) {
	b.cell, b.block = c, uint64(block)
	c.Block(&b.Lanes, b.block)
}

// Rand returns the second stream of the block, for single numbers and random choices.
func (b *BlockStream) Rand() *rand.Rand { return b.cell.Rand(b.block) }

// BlockFunc samples one block and returns its node.
type BlockFunc func(*BlockStream) moments.Node

// CellEstimates has the estimates from the node of one cell, and warnings about them.
type CellEstimates struct {
	Estimates []result.Estimate
	Warnings  []result.Warning
}
