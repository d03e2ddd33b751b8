// Package document turns the nodes of a run into the estimates, gates and curves of a result
// document. The same plan and the same nodes give the same bytes. Nodes have sums only. The single
// rows that figures show are sampled again, from the streams that the plan's seed and attempt
// determine.
//
// [BuildEstimates] goes through the experiments in the order of their table. For each experiment it
// adds the estimates of every cell, the estimates that combine cells, and the curves of sampled
// rows. The last estimates are about the document as a whole ([Agreement]). [Judge] compares the
// estimates with the gates; package verify repeats this. [Build] adds curves of the cost of
// attention (package cost) and worked examples (package example), which are the same in every
// document, and claims of texts, which package claim judges by the estimates.
package document

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"unique"

	"mcsim/sim/attention/cost"
	"mcsim/sim/attention/example"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/store"
	"mcsim/sim/claim"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
)

// ErrNotSampled is the error if a store does not have all nodes of a schedule.
var ErrNotSampled = errors.New("not sampled")

// Build returns the document of a schedule: the document of BuildEstimates with curves of costs,
// worked examples, and judged claims.
func Build(s *schedule.Schedule, nodes *store.Store) (*result.Document, error) {
	doc, err := BuildEstimates(s, nodes)
	if err != nil {
		return nil, err
	}
	doc.Curves = append(doc.Curves, cost.Curves()...)
	doc.Examples = example.NewExamples()
	doc.Claims = claim.Judge(claim.Embedded(), doc.Estimates)
	return doc, nil
}

// BuildEstimates computes the estimates from the merged nodes, judges them by the gates, and
// samples again the few rows that figures show.
func BuildEstimates(s *schedule.Schedule, nodes *store.Store) (*result.Document, error) {
	plan, err := json.Marshal(s.Plan)
	if err != nil {
		return nil, err
	}
	doc := &result.Document{Schema: result.Schema, Kernel: kernel.Version, Seed: s.Plan.Seed, Plan: plan,
		Cells: make([]result.Cell, 0, len(s.Jobs))}
	if err := setPilots(s, nodes); err != nil {
		return nil, err
	}
	firstJobs := map[string]int{} // index of the first job of each experiment; its other jobs follow
	for i, job := range s.Jobs {
		if name := job.Cell.Experiment.Name; i == 0 || s.Jobs[i-1].Cell.Experiment.Name != name {
			firstJobs[name] = i
		}
		doc.Cells = append(doc.Cells,
			result.Cell{ID: job.Cell.ID, Unit: job.Cell.Experiment.Unit, N: job.Units(), Blocks: job.Blocks})
	}
	for _, x := range all.Table {
		cells := s.CellsOf(x)
		if len(cells) == 0 {
			continue
		}
		if err := readEstimates(doc, cells, s.Jobs[firstJobs[samplerOf(x)]:], nodes); err != nil {
			return nil, err
		}
		if x.Reader.Finish == nil {
			continue
		}
		jobs := s.Jobs[firstJobs[samplerOf(x)]:]
		sampled := experiment.SampledCells{Cells: cells, Seed: s.Plan.Seed, Attempt: uint64(s.Plan.Attempt),
			Node: func(i int) (moments.Node, error) { return mergedNode(jobs[i], nodes) }}
		if err := x.Reader.Finish(sampled, doc); err != nil {
			return nil, err
		}
	}
	doc.Estimates = append(doc.Estimates, Agreement(SampledCells(s), doc.Estimates)...)
	doc.Gates, err = Judge(s, doc.Estimates)
	if err != nil {
		return nil, err
	}
	doc.Budget = Budget(s, doc.Gates)
	return doc, nil
}

// CheckNodes returns an error if a node of the schedule is missing or is not one of any run.
func CheckNodes(s *schedule.Schedule, nodes *store.Store) error {
	if err := setPilots(s, nodes); err != nil {
		return err
	}
	for _, job := range s.Jobs {
		if _, err := mergedNode(job, nodes); err != nil {
			return err
		}
	}
	return nil
}

// setPilots sets the pilot's node of each cell that has a pilot.
func setPilots(s *schedule.Schedule, nodes *store.Store) error {
	for _, job := range s.Jobs {
		if !job.Cell.HasPilot() {
			continue
		}
		node, ok, err := nodes.Total(job.Cell.PilotStoreID(), 1)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("the pilot of cell %s: %w", job.Cell.ID, ErrNotSampled)
		}
		if err := job.Cell.CheckPilot(node); err != nil {
			return fmt.Errorf("the pilot of cell %s: %w", job.Cell.ID, err)
		}
		job.Cell.SetPilot(node)
	}
	return nil
}

// SampledCells returns the cells of the schedule whose experiment has a sampler.
func SampledCells(s *schedule.Schedule) []experiment.Cell {
	var cells []experiment.Cell
	for _, g := range s.Entries {
		if g.Entry.Experiment.Sampler != nil {
			cells = append(cells, g.Cells...)
		}
	}
	return cells
}

// samplerOf returns the name of the experiment that samples the cells of x.
func samplerOf(x *experiment.Experiment) string { return cmp.Or(x.ReadsFrom, x.Name) }

// readEstimates adds the estimates of an experiment's cells to the document.
func readEstimates(doc *result.Document, cells []experiment.Cell, jobs []schedule.Job, nodes *store.Store) error {
	for i, c := range cells {
		node, err := mergedNode(jobs[i], nodes)
		if err != nil {
			return err
		}
		if jobs[i].Cell.ID != c.ID {
			return fmt.Errorf("cell %s: %w", c.ID, ErrNotSampled)
		}
		read := c.Experiment.Reader.Estimates(c, node)
		// Reserve memory for the remaining cells, because a list that grows step by step needs
		// twice the memory. Most cells have as many estimates as this one, and one z-score.
		doc.Estimates = slices.Grow(doc.Estimates, (len(cells)-i)*(len(read.Estimates)+1))
		doc.Warnings = slices.Grow(doc.Warnings, (len(cells)-i)*len(read.Warnings))
		doc.Estimates = append(doc.Estimates, read.Estimates...)
		for _, w := range read.Warnings {
			w.Text = unique.Make(w.Text).Value() // many thousands of warnings have few texts
			doc.Warnings = append(doc.Warnings, w)
		}
	}
	return nil
}

// mergedNode returns the node of all blocks of a job.
func mergedNode(job schedule.Job, nodes *store.Store) (moments.Node, error) {
	node, ok, err := nodes.Total(job.Cell.StoreID(), job.Blocks)
	if err == nil && !ok {
		err = fmt.Errorf("cell %s: %w to its %d blocks", job.Cell.ID, ErrNotSampled, job.Blocks)
	}
	if err == nil {
		err = job.Cell.CheckNode(node)
		if err != nil {
			err = fmt.Errorf("cell %s: %w", job.Cell.ID, err)
		}
	}
	return node, err
}

// Judge returns the gates: the verdict on every check of the schedule, and on the document as a
// whole.
func Judge(s *schedule.Schedule, estimates []result.Estimate) ([]result.Gate, error) {
	gates := []result.Gate{}
	err := VisitChecks(s, estimates, func(g schedule.PlannedEntry, c gate.Check, row *result.Estimate) {
		gates = append(gates, gate.Judge(c, *row, g.Rates))
	})
	return append(gates, judgeWhole(s, estimates)...), err
}

// minScores is the smallest number of z-scores for which the document as a whole is judged.
const minScores = 10

// judgeWhole returns two gates, on the z-scores of all cells together and on the farthest of all
// estimates. It returns nil if no checks use the plan's α, or if there are fewer than minScores
// z-scores. A gate's part of α is α divided by the number of gates. Each of the two gates fails
// with a probability of at most half of such a part if all theory is right.
func judgeWhole(s *schedule.Schedule, estimates []result.Estimate) []result.Gate {
	entry := slices.IndexFunc(s.Entries,
		func(g schedule.PlannedEntry) bool { return g.Entry.Rates == nil && len(g.Checks) > 0 })
	joint := slices.IndexFunc(estimates, func(r result.Estimate) bool {
		isJoint := r.Quantity == names.PValue && r.Params[names.ParamTest] == names.TestJoint
		return IsAgreement(r) && isJoint && r.N >= minScores
	})
	if entry < 0 || joint < 0 {
		return nil
	}
	rates := s.Entries[entry].Rates
	halfRate := rates.Alpha / float64(rates.Gates) / 2
	gates := []result.Gate{newBandGate(names.GateJoint, estimates[joint], [2]float64{halfRate, 1})}
	if farthest, judged := findFarthest(estimates); judged > 0 {
		gates = append(gates, newBandGate(names.GateEstimates, farthest,
			[2]float64{0, limitFarthest(halfRate, judged)}))
	}
	return gates
}

// newBandGate returns the gate that checks that the value of an estimate without an error is in a
// band.
func newBandGate(name string, e result.Estimate, band [2]float64) result.Gate {
	check := gate.Check{Name: name, Expect: names.ExpectInside,
		Experiment: e.Experiment, Cell: e.Cell, Params: e.Params, Quantity: e.Quantity}
	return check.NewResult(e, math.NaN(), float64(e.Value), float64(e.Value), band)
}

// VisitChecks calls visit for every check of the schedule and its estimate. It returns an error at
// the first check without an estimate.
func VisitChecks(s *schedule.Schedule, estimates []result.Estimate,
	visit func(schedule.PlannedEntry, gate.Check, *result.Estimate)) error {
	type target struct{ cell, quantity string }
	checked := map[target]bool{}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			checked[target{c.Cell, c.Quantity}] = true
		}
	}
	estimateOf := map[string]*result.Estimate{} // by EstimateKey; only the few estimates with a check
	for i := range estimates {
		if r := &estimates[i]; checked[target{r.Cell, r.Quantity}] {
			estimateOf[EstimateKey(r.Experiment, r.Cell, r.Quantity, r.Params)] = r
		}
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			estimate := estimateOf[EstimateKey(c.Experiment, c.Cell, c.Quantity, c.Params)]
			if estimate == nil {
				return fmt.Errorf("gate %q: there is no estimate %s of %s", c.Name, c.Quantity, c.Cell)
			}
			visit(g, c, estimate)
		}
	}
	return nil
}

// EstimateKey returns a key that identifies an estimate.
func EstimateKey(experiment, cell, quantity string, params result.Params) string {
	return experiment + "\x00" + cell + "\x00" + quantity + "\x00" + params.Key()
}

// Budget returns the error rates of all gates together, the number of gates, the number of gates
// with too few samples, and the verdict on all gates.
func Budget(s *schedule.Schedule, gates []result.Gate) result.Budget {
	alpha, beta := s.Budget()
	short, _ := s.Short()
	return result.Budget{Alpha: result.Number(alpha), Beta: result.Number(beta), Gates: len(gates), Short: short,
		Verdict: gate.Combine(gates)}
}
