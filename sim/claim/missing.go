package claim

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/markup"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/row"
)

// samples is how many pairs or rows of a cell are drawn: they know a share of rows to 0.2 %.
// Draws of weights and the like, which take longer, are as few as their experiment allows,
// and large rows so few that they take mostProducts.
const (
	samples      = 1 << 16
	mostProducts = 1e11
)

// entry is a cell with the scalings that claims read it under.
type entry struct {
	of     *experiment.Experiment
	first  *row.Row            // the first row that reads it
	values map[string][]string // of each axis, those that claims read
}

// Missing is a plan of the cells that claims read and a document lacks, of a seed; nil where
// it lacks none. A cell that cannot be drawn is an error at the row that reads it.
func Missing(ledgers []*Ledger, estimates []result.Estimate, seed uint64) (*plan.Plan, error) {
	return planned(lacking(ledgers, estimates), seed)
}

// Unread is an error at the first row that is none though its cell is drawn.
func Unread(ledgers []*Ledger, estimates []result.Estimate) error {
	rows, has := indexed(estimates), map[string][]string{}
	for _, e := range estimates {
		has[e.Cell] = append(has[e.Cell], e.Quantity)
	}
	for _, r := range read(ledgers) {
		quantities := has[r.Cell().ID]
		switch {
		case len(quantities) == 0 || r.Find(rows) != nil:
		case slices.Contains(quantities, r.Quantity):
			return r.At(fmt.Errorf("%s has no %s at this scale", r.Of.Name, r.Quantity))
		default:
			return r.At(fmt.Errorf("%s has no %s%s", r.Of.Name, r.Quantity, names.Suggest(r.Quantity, quantities)))
		}
	}
	return nil
}

// lacking are the cells that claims read and a document lacks, in the order of the rows that
// read them.
func lacking(ledgers []*Ledger, estimates []result.Estimate) (all []*entry) {
	rows, cells := indexed(estimates), map[string]*entry{}
	for _, r := range read(ledgers) {
		if r.Find(rows) != nil {
			continue
		}
		e := cells[r.Cell().ID]
		if e == nil {
			e = &entry{of: r.Of, first: r, values: map[string][]string{}}
			cells[r.Cell().ID], all = e, append(all, e)
		}
		for axis, v := range r.Values {
			if text := v.String(); !slices.Contains(e.values[axis], text) {
				e.values[axis] = append(e.values[axis], text)
			}
		}
	}
	return all
}

// planned is a plan of some cells; nil for none.
func planned(all []*entry, seed uint64) (*plan.Plan, error) {
	if len(all) == 0 {
		return nil, nil
	}
	parse := func(of []*entry) (*plan.Plan, error) {
		var entries []map[string]any
		for _, e := range of {
			entries = append(entries, e.document())
		}
		text, err := json.Marshal(map[string]any{"name": "claims", "seed": seed, "experiments": entries})
		if err != nil {
			return nil, err
		}
		return plan.Parse("the plan of the claims", text)
	}
	for i, e := range all {
		if takes := e.takes(e.least()); takes > mostProducts {
			return nil, e.first.At(fmt.Errorf("takes %.2g products to draw; for a row at most %.2g are drawn", takes, mostProducts))
		}
		_, err := parse(all[i : i+1])
		var at *markup.Error
		if errors.As(err, &at) {
			return nil, e.first.At(at.Err)
		}
	}
	return parse(all)
}

// slow reports whether the experiment draws weights, trains, or repeats runs.
func (e *entry) slow() bool {
	return slices.Contains([]string{names.UnitWeightDraw, names.UnitSeed, names.UnitRun}, e.of.Unit)
}

// least is how few units of the cell are drawn.
func (e *entry) least() int64 { return max(e.of.Floor, e.of.BlockUnits(e.first.Cell())) }

// samples is how many units of the cell are drawn.
func (e *entry) samples() int64 {
	if e.slow() {
		return e.of.Floor
	}
	block := e.of.BlockUnits(e.first.Cell())
	most := int64(mostProducts / e.takes(1))
	return max(e.least(), min(samples, most-most%block))
}

// takes is how many products so many units of the cell take.
func (e *entry) takes(units int64) float64 { return float64(units) * e.of.Cost(e.first.Cell()) }

// read are the rows that ledgers read, each as often as it is.
func read(ledgers []*Ledger) (all []*row.Row) {
	for _, l := range ledgers {
		for i := range l.Claims {
			for _, g := range []group{l.Claims[i].literal, l.Claims[i].weakened} {
				for j := range g.of {
					all = append(all, g.of[j].rows()...)
				}
			}
		}
	}
	return all
}

// document is the entry as a plan has it.
func (e *entry) document() map[string]any {
	m := map[string]any{"experiment": e.of.Name, "gate": false, "samples": e.samples()}
	for axis, values := range e.values {
		m[axis] = values
	}
	return m
}
