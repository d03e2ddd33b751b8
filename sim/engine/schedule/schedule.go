// Package schedule works a plan out before anything is drawn.
//
// [New] lists the cells and gates of a plan ([Groups]), parts the error rates among
// the gates, and finds for each cell the smallest number of samples with which all its
// gates can decide at these rates (schedule.go; the arithmetic is [mcsim/sim/statistics/gate]).
// Where no gate and no plan says how many, an error that is not known beforehand is
// learned from a few blocks (pilot.go). budget.go adds up what the gates may spend, cost.go predicts
// the time from measured speeds (speed.go),
// attempt.go whether it would give an undecided gate a second chance at the same
// rates, and controls.go from which d_k on each deliberate mistake must be noticed.
package schedule

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/statistics/gate"
)

// Schedule is a plan with the number of samples of every cell and the rates of every gate,
// computed before anything is sampled.
type Schedule struct {
	Plan    *plan.Plan
	Jobs    []Job
	Entries []PlannedEntry
}

// Job is one cell to be drawn.
type Job struct {
	Cell   *experiment.Cell
	Blocks int64 // that hold what the rates, or the plan, ask for
	Reason string
	// First and End say which of the blocks are drawn here: those from First up to, not
	// including, End. All of them, but in a share of the schedule.
	First, End int64
}

// Units returns the number of units of the cell.
func (w Job) Units() int64 { return w.Blocks * w.Cell.BlockUnits() }

// Components returns the number of products q_i·k_i that this schedule samples of the cell.
func (w Job) Components() float64 { return w.Cost(w.End - w.First) }

// Cost returns the number of components in a number of its blocks.
func (w Job) Cost(blocks int64) float64 { return float64(blockCost(*w.Cell) * float64(blocks)) }

// blockCost returns the number of components in a block of the cell.
func blockCost(c experiment.Cell) float64 {
	return float64(float64(c.BlockUnits()) * c.UnitCost())
}

// PlannedEntry is one entry of the plan with its cells, gates and their rates.
type PlannedEntry struct {
	Entry  plan.Entry
	Cells  []experiment.Cell
	Checks []gate.Check
	Rates  gate.Rates
}

// New computes the schedule of a plan. It fails if a gate can never pass, if a cell needs more
// than 2^50 samples, or if an experiment refuses a cell.
func New(p *plan.Plan) (*Schedule, error) {
	s := &Schedule{Plan: p, Entries: allGroups(p)}
	wanted := map[string]requirement{}
	given := map[string]bool{}
	for _, g := range s.Entries {
		for _, c := range g.Cells {
			if err := c.Refuse(c.Gated); err != nil {
				return nil, experiment.CellError{Cell: c, Err: err}
			}
			given[c.ID] = given[c.ID] || g.Entry.Samples > 0 || g.Entry.RelativeSE > 0
		}
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			if given[c.Cell] {
				continue
			}
			n, err := gate.Samples(c, g.Rates)
			if err != nil {
				return nil, err
			}
			if n > wanted[c.Cell].units {
				wanted[c.Cell] = requirement{n, reasonFor(c, n, g.Rates)}
			}
		}
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			widenForJointCheck(c, g.Rates, wanted, given)
		}
	}
	for _, g := range s.Entries {
		if g.Entry.Experiment.Sampler == nil {
			continue
		}
		for i := range g.Cells {
			c := &g.Cells[i]
			w, err := planWork(g.Entry, c, wanted[c.ID], p.Attempt)
			if err != nil {
				return nil, err
			}
			s.Jobs = append(s.Jobs, w)
		}
	}
	if err := s.refuseSingle(); err != nil {
		return nil, err
	}
	s.Entries = selectGroups(p, s.Entries)
	s.Jobs = slices.DeleteFunc(s.Jobs, func(w Job) bool { return !p.Samples(w.Cell.Experiment.Name) })
	return s, nil
}

// widenForJointCheck raises the numbers of the cells that a check joins until the joint estimate
// is precise enough. Cells whose number the plan gives keep it.
func widenForJointCheck(c gate.Check, r gate.Rates, wanted map[string]requirement, given map[string]bool) {
	if c.JoinedSE == nil {
		return
	}
	n := make([]int64, len(c.Cells))
	for i, of := range c.Cells {
		if n[i] = wanted[of].units; n[i] == 0 || given[of] {
			return
		}
	}
	factor := gate.Shortage(c, c.JoinedSE(n), r)
	if factor <= 1 {
		return
	}
	for i, of := range c.Cells {
		wanted[of] = requirement{ceilUnits(float64(n[i]) * factor), c.Name}
	}
}

// requirement is the number of units that a cell needs, and the gate that needs them.
type requirement struct {
	units int64
	gate  string
}

// PlannedEntries lists the entries that the plan samples or reads, in the order of the table of
// experiments. The error rates are divided among the gates of the whole plan, so that a selection
// with only decides as the whole would.
func PlannedEntries(p *plan.Plan) []PlannedEntry { return selectGroups(p, allGroups(p)) }

// selectGroups keeps the groups that the plan samples or reads.
func selectGroups(p *plan.Plan, groups []PlannedEntry) []PlannedEntry {
	return slices.DeleteFunc(groups, func(g PlannedEntry) bool { return !p.Samples(g.Entry.Experiment.Name) })
}

// allGroups lists all entries of the plan in the order of the table of experiments, with their
// cells and gates, and divides the error rates among the gates.
func allGroups(p *plan.Plan) []PlannedEntry {
	out := orderGroups(p)
	common := 0
	for i := range out {
		out[i].Checks = out[i].Entry.Experiment.Gates(out[i].Cells)
	}
	for _, g := range out {
		if g.Entry.Rates == nil {
			common += countSharing(g.Checks)
		}
	}
	if common > 0 {
		common++ // for the two gates on the whole document, which share one part
	}
	for i := range out {
		g := &out[i]
		g.Rates = gate.Rates{Alpha: p.Alpha, Beta: p.Beta, Gates: common}
		if own := g.Entry.Rates; own != nil {
			g.Rates = gate.Rates{Alpha: own.Alpha, Beta: own.Beta, Gates: countSharing(g.Checks)}
		}
		g.Rates = g.Rates.ForAttempt(p.Attempt)
	}
	return out
}

// orderGroups lists the entries of the plan in the order of the table of experiments, with their
// cells.
func orderGroups(p *plan.Plan) (out []PlannedEntry) {
	for _, x := range all.Table {
		for _, e := range p.Entries {
			if e.Experiment != x {
				continue
			}
			g := PlannedEntry{Entry: e, Cells: e.Cells()}
			if x.ReadsFrom != "" {
				g.Cells = e.Views(cellsSampledBy(p, x.ReadsFrom))
			}
			out = append(out, g)
		}
	}
	return out
}

// cellsSampledBy returns the cells that the plan's entries of an experiment sample.
func cellsSampledBy(p *plan.Plan, name string) []experiment.Cell {
	var cells []experiment.Cell
	for _, e := range p.Entries {
		if e.Experiment.Name == name {
			cells = append(cells, e.Cells()...)
		}
	}
	return cells
}

// ungatedSamples is the number of units of a cell without a gate whose relative error is infinite.
// If it is unknown, the minimum of the experiment is sampled.
const ungatedSamples = 1 << 20

// planWork determines the number of units of a cell: the plan's number; else what the gates need;
// else, without a gate, what gives an error of a tenth of the tolerance. Unless the plan gives a
// number it is at least the experiment's minimum.
func planWork(e plan.Entry, c *experiment.Cell, w requirement, attempt int) (Job, error) {
	units, reason := unitsAtAttempt(attempt, w.units), w.gate
	sampler := e.Experiment.Sampler
	switch {
	case e.Samples > 0:
		units, reason = unitsAtAttempt(attempt, e.Samples), "the plan"
	case e.RelativeSE > 0:
		v, err := relativeVariance(*c, e)
		if err != nil {
			return Job{}, err
		}
		units, reason = unitsAtAttempt(attempt, ceilUnits(v/(e.RelativeSE*e.RelativeSE))), "the plan's rel_se"
	case units == 0:
		units, reason = ungatedSamples, "nothing: it has no gate"
		v := 0.0
		if sampler.RelativeVariance != nil {
			v = sampler.RelativeVariance(*c)
		}
		if v == 0 { // of no use, or not known
			units = 1 // which the experiment's floor raises
		} else if !math.IsInf(v, 0) {
			units = ceilUnits(v * 100 / (e.Tolerance * e.Tolerance))
		}
	}
	if e.Samples == 0 && units < sampler.MinUnits {
		units, reason = sampler.MinUnits, "the floor of "+e.Experiment.Name
	}
	if most := sampler.MaxUnits; most > 0 && units > most {
		if e.Samples > most {
			return Job{}, experiment.CellError{Cell: *c,
				Err: fmt.Errorf("samples is %d; %s draws at most %d of a cell", e.Samples, e.Experiment.Name, most)}
		}
		units = most
	}
	if units > plan.MaxSamples {
		return Job{}, tooManySamples(c.ID, attempt, reason)
	}
	block := c.BlockUnits()
	blocks := (units + block - 1) / block
	if e.Samples == 0 {
		blocks = moments.RoundUpBlocks(blocks)
	}
	c.Units = blocks * block
	return Job{Cell: c, Blocks: blocks, Reason: reason, End: blocks}, nil
}

// ceilUnits rounds x up and clamps it to [1, 2^62]. NaN gives 2^62, which the caller rejects.
func ceilUnits(x float64) int64 {
	if math.IsNaN(x) {
		return 1 << 62
	}
	return int64(min(max(math.Ceil(x), 1), 1<<62))
}

// relativeVariance returns N times the squared relative error of the cell's headline, in closed
// form or from a sizing pilot.
func relativeVariance(c experiment.Cell, e plan.Entry) (float64, error) {
	var v float64
	if exact := e.Experiment.Sampler.RelativeVariance; exact != nil {
		v = exact(c)
	} else {
		v = sizingPilot(c)
	}
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, fmt.Errorf("cell %s: the variance of s² is infinite, so no number of samples reaches "+
			"a relative standard error; give samples instead", c.ID)
	}
	return v, nil
}

// StoreCells returns the store keys of the schedule's cells and of their pilots.
func (s *Schedule) StoreCells() []store.CellID {
	var keys []store.CellID
	for _, w := range s.Jobs {
		keys = append(keys, w.Cell.StoreID(), w.Cell.PilotStoreID())
	}
	return keys
}

// CheckCount returns the number of gates.
func (s *Schedule) CheckCount() int {
	total := 0
	for _, g := range s.Entries {
		total += len(g.Checks)
	}
	return total
}

// CellsOf returns the cells of an experiment, over all its entries.
func (s *Schedule) CellsOf(of *experiment.Experiment) []experiment.Cell {
	var cells []experiment.Cell
	for _, g := range s.Entries {
		switch {
		case g.Entry.Experiment != of:
		case cells == nil: // of one entry there is no need to copy them
			cells = slices.Clip(g.Cells)
		default:
			cells = append(cells, g.Cells...)
		}
	}
	return cells
}
