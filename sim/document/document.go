// Package document reads the estimates off the nodes that were drawn, judges the
// gates, and puts both into one result document. It draws nothing: the same nodes give
// the same bytes.
//
// [Build] goes through the experiments in the order of their table: first the rows of
// every cell, then what joins cells, since joins read rows that stand before them.
// [Judge] holds the gates against the rows, which package verify does once more.
package document

import (
	"encoding/json"
	"fmt"
	"slices"
	"unique"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/gate"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// Build reads the estimates off the merged nodes and judges them. It
// draws nothing: the same store gives the same document.
func Build(s *schedule.Schedule, from *store.Store) (*result.Document, error) {
	plan, err := json.Marshal(s.Plan)
	if err != nil {
		return nil, err
	}
	doc := &result.Document{Schema: result.Schema, Kernel: kernel.Version, Seed: s.Plan.Seed, Plan: plan,
		Cells: make([]result.Cell, 0, len(s.Works))}
	works := make(map[string]int, len(s.Works)) // places of what drew the cells
	for i, w := range s.Works {
		works[w.Cell.ID] = i
		doc.Cells = append(doc.Cells, result.Cell{ID: w.Cell.ID, Unit: w.Cell.Experiment.Unit, N: w.Drawn(), Blocks: w.Blocks})
	}
	for _, x := range all.Table {
		cells := s.CellsOf(x)
		if len(cells) == 0 {
			continue
		}
		if err := readOff(doc, s, cells, works, from); err != nil {
			return nil, err
		}
		x.Join(cells, doc)
	}
	doc.Gates, err = Judge(s, doc.Estimates)
	if err != nil {
		return nil, err
	}
	doc.Budget = Budget(s, doc.Gates)
	return doc, nil
}

// readOff adds what the nodes of an experiment's cells say.
func readOff(doc *result.Document, s *schedule.Schedule, cells []experiment.Cell, works map[string]int, from *store.Store) error {
	for i, c := range cells {
		w := s.Works[works[c.ID]]
		node, ok := from.Total(w.Cell.Key(), w.Blocks)
		if !ok {
			return fmt.Errorf("cell %s is not drawn to its %d blocks", c.ID, w.Blocks)
		}
		found := c.Experiment.Rows(c, node)
		if i == 0 { // lists that grow bit by bit would be held twice
			doc.Estimates = slices.Grow(doc.Estimates, len(cells)*len(found.Rows))
			doc.Warnings = slices.Grow(doc.Warnings, len(cells)*len(found.Warnings))
		}
		doc.Estimates = append(doc.Estimates, found.Rows...)
		for _, w := range found.Warnings {
			w.Text = unique.Make(w.Text).Value() // of many thousands few differ
			doc.Warnings = append(doc.Warnings, w)
		}
	}
	return nil
}

// Judge holds every check of the schedule against its row.
func Judge(s *schedule.Schedule, rows []result.Estimate) ([]result.Gate, error) {
	index := checked(s, rows)
	var gates []result.Gate
	for _, g := range s.Groups {
		for _, c := range g.Checks {
			row, ok := index[RowKey(c.Experiment, c.Cell, c.Quantity, c.Params)]
			if !ok {
				return nil, fmt.Errorf("gate %q: there is no row %s of %s", c.Name, c.Quantity, c.Cell)
			}
			gates = append(gates, gate.Judge(c, rows[row], g.Rates))
		}
	}
	return gates, nil
}

// checked finds the rows of the cells that have a check, which may be few of many.
func checked(s *schedule.Schedule, rows []result.Estimate) map[string]int {
	cells := map[string]bool{}
	for _, g := range s.Groups {
		for _, c := range g.Checks {
			cells[c.Cell] = true
		}
	}
	index := map[string]int{}
	for i, r := range rows {
		if cells[r.Cell] {
			index[RowKey(r.Experiment, r.Cell, r.Quantity, r.Params)] = i
		}
	}
	return index
}

// RowKey tells rows apart.
func RowKey(experiment, cell, quantity string, params result.Params) string {
	point, err := json.Marshal(params)
	if err != nil {
		panic("document: params that JSON cannot hold")
	}
	return experiment + "\x00" + cell + "\x00" + quantity + "\x00" + string(point)
}

// Budget is what the schedule's gates may spend together, with how many there are,
// how many have too few samples, and the verdict on all of them.
func Budget(s *schedule.Schedule, gates []result.Gate) result.Budget {
	alpha, beta := s.Budget()
	return result.Budget{Alpha: result.Number(alpha), Beta: result.Number(beta), Gates: len(gates), Short: s.Short(), Verdict: gate.Sum(gates)}
}
