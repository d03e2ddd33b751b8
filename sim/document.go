package sim

import (
	"encoding/json"
	"fmt"
	"slices"
	"unique"

	"mcsim/sim/experiment"
	"mcsim/sim/gate"
	"mcsim/sim/kernel"
	"mcsim/sim/result"
	"mcsim/sim/store"
)

// BuildDocument reads the estimates off the merged nodes and judges them. It
// draws nothing: the same store gives the same document.
func BuildDocument(s *Schedule, from *store.Store) (*result.Document, error) {
	works := make(map[string]*Work, len(s.Works))
	for i := range s.Works {
		works[s.Works[i].Cell.ID] = &s.Works[i]
	}
	return s.document(func(x *experiment.Experiment, c experiment.Cell) (experiment.Findings, error) {
		w := works[c.ID]
		node, ok := from.Total(w.Cell.Key(), w.Blocks)
		if !ok {
			return experiment.Findings{}, fmt.Errorf("cell %s is not drawn to its %d blocks", c.ID, w.Blocks)
		}
		return x.Rows(c, node), nil
	})
}

// document puts together what is found in the cells.
func (s *Schedule) document(find func(*experiment.Experiment, experiment.Cell) (experiment.Findings, error)) (*result.Document, error) {
	plan, err := json.Marshal(s.Plan)
	if err != nil {
		return nil, err
	}
	doc := &result.Document{Schema: result.Schema, Kernel: kernel.Version, Seed: s.Plan.Seed, Plan: plan,
		Cells: make([]result.Cell, 0, len(s.Works))}
	for _, w := range s.Works {
		doc.Cells = append(doc.Cells, result.Cell{ID: w.Cell.ID, Unit: w.Cell.Experiment.Unit, N: w.Drawn(), Blocks: w.Blocks})
	}
	for _, x := range experiment.Table {
		var all []experiment.Cell
		for _, g := range s.groups {
			if g.entry.Experiment == x {
				all = append(all, g.cells...)
			}
		}
		if len(all) == 0 {
			continue
		}
		for i, c := range all {
			found, err := find(x, c)
			if err != nil {
				return nil, err
			}
			if i == 0 { // lists that grow bit by bit would be held twice
				doc.Estimates = slices.Grow(doc.Estimates, len(all)*len(found.Rows))
				doc.Warnings = slices.Grow(doc.Warnings, len(all)*len(found.Warnings))
			}
			doc.Estimates = append(doc.Estimates, found.Rows...)
			for _, w := range found.Warnings {
				w.Text = unique.Make(w.Text).Value() // of many thousands few differ
				doc.Warnings = append(doc.Warnings, w)
			}
		}
		if x.Join != nil {
			x.Join(all, doc)
		}
	}
	doc.Gates, err = s.judge(doc.Estimates)
	if err != nil {
		return nil, err
	}
	doc.Budget = s.budget(doc.Gates)
	return doc, nil
}

// judge holds every check of the schedule against its row.
func (s *Schedule) judge(rows []result.Estimate) ([]result.Gate, error) {
	index := s.checked(rows)
	var gates []result.Gate
	for _, g := range s.groups {
		for _, c := range g.checks {
			row, ok := index[rowKey(c.Experiment, c.Cell, c.Quantity, c.Params)]
			if !ok {
				return nil, fmt.Errorf("gate %q: there is no row %s of %s", c.Name, c.Quantity, c.Cell)
			}
			gates = append(gates, gate.Judge(c, rows[row], g.rates))
		}
	}
	return gates, nil
}

// checked finds the rows of the cells that have a check, which may be few of many.
func (s *Schedule) checked(rows []result.Estimate) map[string]int {
	cells := map[string]bool{}
	for _, g := range s.groups {
		for _, c := range g.checks {
			cells[c.Cell] = true
		}
	}
	index := map[string]int{}
	for i, r := range rows {
		if cells[r.Cell] {
			index[rowKey(r.Experiment, r.Cell, r.Quantity, r.Params)] = i
		}
	}
	return index
}

// rowKey tells rows apart.
func rowKey(experiment, cell, quantity string, params result.Params) string {
	point, err := json.Marshal(params)
	if err != nil {
		panic("sim: params that JSON cannot hold")
	}
	return experiment + "\x00" + cell + "\x00" + quantity + "\x00" + string(point)
}

func (s *Schedule) budget(gates []result.Gate) result.Budget {
	alpha, beta := s.Budget()
	return result.Budget{Alpha: result.Number(alpha), Beta: result.Number(beta), Gates: len(gates), Short: s.Short(), Verdict: gate.Sum(gates)}
}
