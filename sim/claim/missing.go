package claim

import (
	"fmt"
	"slices"

	"mcsim/sim/claim/rowref"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
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
	first  *rowref.Ref                   // the first row that reads it
	values map[string][]experiment.Value // of each axis, those that claims read
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
			e = &entry{r, map[string][]experiment.Value{}}
			cells[r.Cell().ID], all = e, append(all, e)
		}
		for axis, v := range r.Values {
			if !slices.Contains(e.values[axis], v) {
				e.values[axis] = append(e.values[axis], v)
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
	p := plan.Usual()
	p.Name, p.Seed = "claims", seed
	for _, e := range all {
		of, cell := e.first.Of, e.first.Cell()
		least := max(of.Sampler.MinUnits, cell.BlockUnits())
		if takes := float64(least) * cell.UnitCost(); takes > mostProducts {
			return nil, e.first.At(fmt.Errorf("takes %.2g products to draw; for a row at most %.2g are drawn", takes, mostProducts))
		}
		if err := cell.Refuse(false); err != nil {
			return nil, e.first.At(plan.CellError{Cell: cell, Err: err})
		}
		p.Entries = append(p.Entries, plan.Entry{Experiment: of, Values: e.values, Tolerance: p.Tolerance,
			Samples: units(of, cell, least)})
	}
	return p, nil
}

// units is how many units of a cell are drawn: as few as its experiment allows where it draws
// weights, trains, or repeats runs, which is slow.
func units(of *experiment.Experiment, cell experiment.Cell, least int64) int64 {
	if slices.Contains([]string{names.UnitWeightDraw, names.UnitSeed, names.UnitRun}, of.Unit) {
		return of.Sampler.MinUnits
	}
	most := int64(mostProducts / cell.UnitCost())
	return max(least, min(samples, most-most%cell.BlockUnits()))
}

// read are the rows that ledgers read, each as often as it is.
func read(ledgers []*Ledger) (all []*rowref.Ref) {
	for _, l := range ledgers {
		for i := range l.Claims {
			for _, g := range []group{l.Claims[i].literal, l.Claims[i].weakened, l.Claims[i].because} {
				for j := range g.of {
					all = append(all, g.of[j].rows()...)
				}
			}
		}
	}
	return all
}
