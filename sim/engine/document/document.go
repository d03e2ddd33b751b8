// Package document reads the estimates off the nodes that were drawn, judges the
// gates, and puts both into one result document. All that is measured comes from the
// nodes. What a node cannot hold, single rows, is drawn again from the cells' own streams,
// which the plan's seed and attempt name: a few blocks, for lines of the kind drawn. So the
// same plan and the same nodes give the same bytes.
//
// [Build] goes through the experiments in the order of their table: first the rows of
// every cell, then what joins cells, since joins read rows that stand before them, and the
// lines through what was drawn. Behind all of them stand the rows that judge the document
// as a whole ([Agreement]). Lines of what attention costs, by package cost, and
// worked examples, by package example, are the
// same in every document. Claims of texts are judged by the rows, by package claim.
// [Judge] holds the gates against the rows, which package verify does once more.
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

// ErrNotDrawn is the error of a store that does not have all nodes of a schedule.
var ErrNotDrawn = errors.New("not sampled")

// Build returns the document of a schedule: that of Rows with curves of costs, worked examples,
// and claims, which it judges by the estimates.
func Build(s *schedule.Schedule, from *store.Store) (*result.Document, error) {
	doc, err := Rows(s, from)
	if err != nil {
		return nil, err
	}
	doc.Curves = append(doc.Curves, cost.Curves()...)
	doc.Examples = example.NewExamples()
	doc.Claims = claim.Judge(claim.Embedded(), doc.Estimates)
	return doc, nil
}

// Rows reads the estimates off the merged nodes, judges them, and samples again the few rows that
// figures show. The same nodes of the plan give the same document.
func Rows(s *schedule.Schedule, from *store.Store) (*result.Document, error) {
	plan, err := json.Marshal(s.Plan)
	if err != nil {
		return nil, err
	}
	doc := &result.Document{Schema: result.Schema, Kernel: kernel.Version, Seed: s.Plan.Seed, Plan: plan,
		Cells: make([]result.Cell, 0, len(s.Jobs))}
	if err := setPilots(s, from); err != nil {
		return nil, err
	}
	first := map[string]int{} // place of what drew an experiment's first cell; the others follow in order
	for i, w := range s.Jobs {
		if name := w.Cell.Experiment.Name; i == 0 || s.Jobs[i-1].Cell.Experiment.Name != name {
			first[name] = i
		}
		doc.Cells = append(doc.Cells,
			result.Cell{ID: w.Cell.ID, Unit: w.Cell.Experiment.Unit, N: w.Units(), Blocks: w.Blocks})
	}
	for _, x := range all.Table {
		cells := s.CellsOf(x)
		if len(cells) == 0 {
			continue
		}
		if err := readEstimates(doc, cells, s.Jobs[first[samplerOf(x)]:], from); err != nil {
			return nil, err
		}
		if x.Reader.Finish == nil {
			continue
		}
		works := s.Jobs[first[samplerOf(x)]:]
		sampled := experiment.Sampled{Cells: cells, Seed: s.Plan.Seed, Attempt: uint64(s.Plan.Attempt),
			Node: func(i int) (moments.Node, error) { return mergedNode(works[i], from) }}
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

// setPilots gives each cell that has a pilot the pilot's node.
func setPilots(s *schedule.Schedule, from *store.Store) error {
	for _, w := range s.Jobs {
		if !w.Cell.HasPilot() {
			continue
		}
		node, ok, err := from.Total(w.Cell.PilotStoreID(), 1)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("the pilot of cell %s: %w", w.Cell.ID, ErrNotDrawn)
		}
		w.Cell.SetPilot(node)
	}
	return nil
}

// SampledCells returns the cells that the schedule's plan samples.
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
func readEstimates(doc *result.Document, cells []experiment.Cell, works []schedule.Job, from *store.Store) error {
	for i, c := range cells {
		node, err := mergedNode(works[i], from)
		if err != nil {
			return err
		}
		if works[i].Cell.ID != c.ID {
			return fmt.Errorf("cell %s: %w", c.ID, ErrNotDrawn)
		}
		found := c.Experiment.Reader.Estimates(c, node)
		// Room for the cells that are left, if all are as this one: lists that grow bit by bit
		// would be held twice. Most cells have a z-score, too.
		doc.Estimates = slices.Grow(doc.Estimates, (len(cells)-i)*(len(found.Estimates)+1))
		doc.Warnings = slices.Grow(doc.Warnings, (len(cells)-i)*len(found.Warnings))
		doc.Estimates = append(doc.Estimates, found.Estimates...)
		for _, w := range found.Warnings {
			w.Text = unique.Make(w.Text).Value() // of many thousands few differ
			doc.Warnings = append(doc.Warnings, w)
		}
	}
	return nil
}

// mergedNode returns the node of all blocks of a work.
func mergedNode(w schedule.Job, from *store.Store) (moments.Node, error) {
	node, ok, err := from.Total(w.Cell.StoreID(), w.Blocks)
	if err == nil && !ok {
		err = fmt.Errorf("cell %s: %w to its %d blocks", w.Cell.ID, ErrNotDrawn, w.Blocks)
	}
	return node, err
}

// Judge judges every check of the schedule by its estimate.
func Judge(s *schedule.Schedule, rows []result.Estimate) ([]result.Gate, error) {
	gates := []result.Gate{}
	err := Checked(s, rows, func(g schedule.PlannedEntry, c gate.Check, row *result.Estimate) {
		gates = append(gates, gate.Judge(c, *row, g.Rates))
	})
	return append(gates, judgeWhole(s, rows)...), err
}

// minScores is the minimum number of cells for a judgement of the document as a whole.
const minScores = 10

// judgeWhole returns the gates on all cells and on all estimates together, if gates share a rate
// and there are enough cells. Both together spend one gate's part of α. If all is as theory says,
// the p-value of the test of all z-scores is below one half of it with that chance, and the
// farthest estimate is beyond its limit with at most the other half.
func judgeWhole(s *schedule.Schedule, found []result.Estimate) []result.Gate {
	g := slices.IndexFunc(s.Entries,
		func(g schedule.PlannedEntry) bool { return g.Entry.Rates == nil && len(g.Checks) > 0 })
	r := slices.IndexFunc(found, func(r result.Estimate) bool {
		joint := r.Quantity == names.PValue && r.Params[names.ParamTest] == names.TestJoint
		return OfAgreement(r) && joint && r.N >= minScores
	})
	if g < 0 || r < 0 {
		return nil
	}
	rates := s.Entries[g].Rates
	half := rates.Alpha / float64(rates.Gates) / 2
	gates := []result.Gate{holdWhole(names.GateJoint, found[r], [2]float64{half, 1})}
	if farthest, judged := findFarthest(found); judged > 0 {
		gates = append(gates, holdWhole(names.GateEstimates, farthest, [2]float64{0, limitFarthest(half, judged)}))
	}
	return gates
}

// holdWhole returns the gate that a value without an error lies in a band.
func holdWhole(name string, e result.Estimate, band [2]float64) result.Gate {
	k := gate.Check{Name: name, Expect: names.ExpectInside,
		Experiment: e.Experiment, Cell: e.Cell, Params: e.Params, Quantity: e.Quantity}
	return k.NewResult(e, math.NaN(), float64(e.Value), float64(e.Value), band)
}

// Checked visits every check of the schedule with its estimate, and returns an error at the first
// check without one.
func Checked(s *schedule.Schedule, rows []result.Estimate,
	visit func(schedule.PlannedEntry, gate.Check, *result.Estimate)) error {
	type some struct{ cell, quantity string }
	checked := map[some]bool{}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			checked[some{c.Cell, c.Quantity}] = true
		}
	}
	index := map[string]*result.Estimate{} // of what has a check, which may be few rows of many
	for i := range rows {
		if r := &rows[i]; checked[some{r.Cell, r.Quantity}] {
			index[RowKey(r.Experiment, r.Cell, r.Quantity, r.Params)] = r
		}
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			row := index[RowKey(c.Experiment, c.Cell, c.Quantity, c.Params)]
			if row == nil {
				return fmt.Errorf("gate %q: there is no row %s of %s", c.Name, c.Quantity, c.Cell)
			}
			visit(g, c, row)
		}
	}
	return nil
}

// RowKey returns a key that identifies an estimate.
func RowKey(experiment, cell, quantity string, params result.Params) string {
	return experiment + "\x00" + cell + "\x00" + quantity + "\x00" + params.Key()
}

// Budget returns what the schedule's gates may spend together, their number, how many have too few
// samples, and the verdict on all of them.
func Budget(s *schedule.Schedule, gates []result.Gate) result.Budget {
	alpha, beta := s.Budget()
	return result.Budget{Alpha: result.Number(alpha), Beta: result.Number(beta), Gates: len(gates), Short: s.Short(),
		Verdict: gate.Combine(gates)}
}
