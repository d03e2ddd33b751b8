// Package schedule determines the sample size of every cell of a plan before anything is sampled.
//
// [New] lists the cells and gates of a plan ([PlannedEntries]), divides the error rates among the
// gates, and finds for each cell the smallest number of samples with which all its gates can decide
// at these rates (schedule.go; the arithmetic is in [mcsim/sim/statistics/gate]). If neither a gate
// nor the plan determines the number, a sizing pilot of a few blocks estimates the error
// (pilot.go). single.go refuses plans with too few samples of a distribution with heavy tails.
//
// budget.go adds up the error rates of all gates. cost.go predicts the time from measured speeds
// (speed.go), and outline.go lists what a plan samples. shards.go divides a schedule into shards of
// equal cost. attempt.go detects a schedule that would give an undecided gate a second chance at
// the same rates. controls.go finds the d_k from which on each deliberate mistake must be noticed.
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

// Job is one cell with its sample size.
type Job struct {
	Cell   *experiment.Cell
	Blocks int64  // number of blocks of the cell
	Reason string // the gate or setting that determined the number
	// The blocks in [First, End) are sampled here: all blocks, unless the schedule is a shard.
	First, End int64
}

// Units returns the number of units of the cell.
func (j Job) Units() int64 { return j.Blocks * j.Cell.BlockUnits() }

// Components returns the number of products q_i·k_i that this schedule samples of the cell.
func (j Job) Components() float64 { return j.Cost(j.End - j.First) }

// Cost returns the number of components in a number of its blocks.
func (j Job) Cost(blocks int64) float64 { return float64(blockCost(*j.Cell) * float64(blocks)) }

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
	s := &Schedule{Plan: p, Entries: listEntries(p)}
	required := map[string]requirement{}
	fixed := map[string]bool{}
	for _, g := range s.Entries {
		for _, c := range g.Cells {
			if err := c.Refuse(c.Gated); err != nil {
				return nil, experiment.CellError{Cell: c, Err: err}
			}
			fixed[c.ID] = fixed[c.ID] || g.Entry.Samples > 0 || g.Entry.RelativeSE > 0
		}
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			if fixed[c.Cell] {
				continue
			}
			n, err := gate.Samples(c, g.Rates)
			if err != nil {
				return nil, err
			}
			if n > required[c.Cell].units {
				required[c.Cell] = requirement{n, reasonFor(c, n, g.Rates)}
			}
		}
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			widenForJointCheck(c, g.Rates, required, fixed)
		}
	}
	for _, g := range s.Entries {
		if g.Entry.Experiment.Sampler == nil {
			continue
		}
		for i := range g.Cells {
			c := &g.Cells[i]
			job, err := planJob(g.Entry, c, required[c.ID], p.Attempt)
			if err != nil {
				return nil, err
			}
			s.Jobs = append(s.Jobs, job)
		}
	}
	if err := s.refuseDominantProducts(); err != nil {
		return nil, err
	}
	s.Entries = filterEntries(p, s.Entries)
	s.Jobs = slices.DeleteFunc(s.Jobs, func(job Job) bool { return !p.Samples(job.Cell.Experiment.Name) })
	return s, nil
}

// widenForJointCheck raises the required units of the cells that a check joins until their joint
// estimate is precise enough. It changes nothing if the plan fixes the number of a cell.
func widenForJointCheck(c gate.Check, r gate.Rates, required map[string]requirement, fixed map[string]bool) {
	if c.JoinedSE == nil {
		return
	}
	n := make([]int64, len(c.Cells))
	for i, cell := range c.Cells {
		n[i] = required[cell].units
		if n[i] == 0 || fixed[cell] {
			return
		}
	}
	factor := gate.Shortage(c, c.JoinedSE(n), r)
	if factor <= 1 {
		return
	}
	for i, cell := range c.Cells {
		required[cell] = requirement{ceilUnits(float64(n[i]) * factor), c.Name}
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
func PlannedEntries(p *plan.Plan) []PlannedEntry { return filterEntries(p, listEntries(p)) }

// filterEntries keeps the entries that the plan samples or reads.
func filterEntries(p *plan.Plan, entries []PlannedEntry) []PlannedEntry {
	return slices.DeleteFunc(entries, func(g PlannedEntry) bool { return !p.Samples(g.Entry.Experiment.Name) })
}

// listEntries lists all entries of the plan in the order of the table of experiments, with their
// cells and gates, and divides the error rates among the gates.
func listEntries(p *plan.Plan) []PlannedEntry {
	entries := orderEntries(p)
	common := 0
	for i := range entries {
		entries[i].Checks = entries[i].Entry.Experiment.Gates(entries[i].Cells)
	}
	for _, g := range entries {
		if g.Entry.Rates == nil {
			common += countSharing(g.Checks)
		}
	}
	if common > 0 {
		common++ // for the two gates on the whole document, which together count as one
	}
	for i := range entries {
		g := &entries[i]
		g.Rates = gate.Rates{Alpha: p.Alpha, Beta: p.Beta, Gates: common}
		if rates := g.Entry.Rates; rates != nil {
			g.Rates = gate.Rates{Alpha: rates.Alpha, Beta: rates.Beta, Gates: countSharing(g.Checks)}
		}
		g.Rates = g.Rates.ForAttempt(p.Attempt)
	}
	return entries
}

// orderEntries lists the entries of the plan in the order of the table of experiments, with their
// cells.
func orderEntries(p *plan.Plan) (entries []PlannedEntry) {
	for _, x := range all.Table {
		for _, e := range p.Entries {
			if e.Experiment != x {
				continue
			}
			g := PlannedEntry{Entry: e, Cells: e.Cells()}
			if x.ReadsFrom != "" {
				g.Cells = e.Views(cellsSampledBy(p, x.ReadsFrom))
			}
			entries = append(entries, g)
		}
	}
	return entries
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

// planJob determines the number of units of a cell: the plan's number; else what the gates need;
// else, without a gate, what gives an error of a tenth of the tolerance. Unless the plan gives a
// number it is at least the experiment's minimum.
func planJob(e plan.Entry, c *experiment.Cell, job requirement, attempt int) (Job, error) {
	units, reason := unitsAtAttempt(attempt, job.units), job.gate
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
		if v == 0 { // the error is zero or unknown
			units = 1 // the minimum of the experiment raises it
		} else if !math.IsInf(v, 0) {
			units = ceilUnits(v * 100 / (e.Tolerance * e.Tolerance))
		}
	}
	if e.Samples == 0 && units < sampler.MinUnits {
		units, reason = sampler.MinUnits, "the floor of "+e.Experiment.Name
	}
	if limit := sampler.MaxUnits; limit > 0 && units > limit {
		if e.Samples > limit {
			return Job{}, experiment.CellError{Cell: *c,
				Err: fmt.Errorf("samples is %d; %s samples at most %d units of a cell", e.Samples, e.Experiment.Name,
					limit)}
		}
		units = limit
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
	if relative := e.Experiment.Sampler.RelativeVariance; relative != nil {
		v = relative(c)
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
	for _, job := range s.Jobs {
		keys = append(keys, job.Cell.StoreID(), job.Cell.PilotStoreID())
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
func (s *Schedule) CellsOf(x *experiment.Experiment) []experiment.Cell {
	var cells []experiment.Cell
	for _, g := range s.Entries {
		switch {
		case g.Entry.Experiment != x:
		case cells == nil: // one entry needs no copy
			cells = slices.Clip(g.Cells)
		default:
			cells = append(cells, g.Cells...)
		}
	}
	return cells
}
