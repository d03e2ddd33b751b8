package claim

import (
	"fmt"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// defaultSamples is the number of pairs or rows that are sampled for a claim: a proportion of rows
// is then known to 0.2 %. Weights, training and repeated runs take longer, so their cells have the
// minimum of their experiment, and cells of large rows at most maxProducts products.
const (
	defaultSamples = 1 << 16
	maxProducts    = 1e11
)

// Unsampled is a cell that claims read and a document does not have.
type Unsampled struct {
	Experiment *experiment.Experiment
	Values     map[string][]experiment.AxisValue // by axis; several on a shared axis
	Samples    int64                             // that are enough to settle claims
	first      *RowRef                           // the first row that reads the cell
}

// Missing returns the cells that claims read and the estimates lack, in the order of the rows that
// read them. If a cell cannot be sampled, or would take more than maxProducts, the error points at
// the row that reads it.
func Missing(ledgers []*Ledger, estimates []result.Estimate) ([]Unsampled, error) {
	missing := findMissing(ledgers, estimates)
	for i := range missing {
		u := &missing[i]
		cell := u.first.Cell()
		minimum := max(u.Experiment.Sampler.MinUnits, cell.BlockUnits())
		if products := float64(minimum) * cell.UnitCost(); products > maxProducts {
			return nil, u.first.At(fmt.Errorf("takes %.2g products to draw; for a row at most %.2g are drawn",
				products, maxProducts))
		}
		if err := cell.Refuse(false); err != nil {
			return nil, u.first.At(experiment.CellError{Cell: cell, Err: err})
		}
		u.Samples = samplesOf(u.Experiment, cell, minimum)
	}
	return missing, nil
}

// Unread returns an error at the first row that does not exist although its cell is sampled.
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

// findMissing returns the cells that claims read and the estimates lack.
func findMissing(ledgers []*Ledger, estimates []result.Estimate) (missing []Unsampled) {
	rows, index := indexed(estimates), map[string]int{}
	for _, r := range read(ledgers) {
		if r.Find(rows) != nil {
			continue
		}
		id := r.Cell().ID
		i, found := index[id]
		if !found {
			i, index[id] = len(missing), len(missing)
			missing = append(missing,
				Unsampled{Experiment: r.Of, Values: map[string][]experiment.AxisValue{}, first: r})
		}
		values := missing[i].Values
		for axis, v := range r.Values {
			if !slices.Contains(values[axis], v) {
				values[axis] = append(values[axis], v)
			}
		}
	}
	return missing
}

// samplesOf returns the number of units that are sampled of a cell for claims.
func samplesOf(of *experiment.Experiment, cell experiment.Cell, minimum int64) int64 {
	if slices.Contains([]string{names.UnitWeightDraw, names.UnitSeed, names.UnitRun}, of.Unit) {
		return of.Sampler.MinUnits
	}
	affordable := int64(maxProducts / cell.UnitCost())
	affordable -= affordable % cell.BlockUnits()
	return max(minimum, min(defaultSamples, affordable))
}

// read returns the rows that ledgers read, once for each condition that reads them.
func read(ledgers []*Ledger) (all []*RowRef) {
	for _, l := range ledgers {
		for i := range l.Claims {
			for _, g := range []group{l.Claims[i].literal, l.Claims[i].weakened, l.Claims[i].because} {
				for j := range g.conditions {
					all = append(all, g.conditions[j].rows()...)
				}
			}
		}
	}
	return all
}
