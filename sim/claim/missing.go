package claim

import (
	"fmt"
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

const (
	// defaultSamples is the number of pairs or rows that are sampled for a claim. The standard
	// error of a proportion of rows is then at most 0.2 %.
	defaultSamples = 1 << 16
	// maxComponents is the largest number of components that are sampled for a cell of a claim.
	maxComponents = 1e11
)

// MissingCell is a cell that is read by claims and is not in a document.
type MissingCell struct {
	Experiment *experiment.Experiment
	Values     map[string][]experiment.AxisValue // by axis; several on a shared axis
	Samples    int64                             // number of units to sample
	firstRef   *RowRef                           // the first row that reads the cell
}

// Missing returns the cells that are read by claims and have no estimate, in the order of the
// claims. If a cell cannot be sampled, or would take more than maxComponents, the error points at
// the row that reads it.
func Missing(ledgers []*Ledger, estimates []result.Estimate) ([]MissingCell, error) {
	missing := findMissing(ledgers, estimates)
	for i := range missing {
		m := &missing[i]
		cell := m.firstRef.Cell()
		minimum := max(m.Experiment.Sampler.MinUnits, cell.BlockUnits())
		if components := float64(minimum) * cell.UnitCost(); components > maxComponents {
			return nil, m.firstRef.WrapError(fmt.Errorf("takes %.2g sampled components; the maximum for a cell is %.2g",
				components, maxComponents))
		}
		const isGated = false
		if err := cell.Refuse(isGated); err != nil {
			return nil, m.firstRef.WrapError(experiment.CellError{Cell: cell, Err: err})
		}
		m.Samples = chooseSamples(m.Experiment, cell, minimum)
	}
	return missing, nil
}

// CheckRows returns an error if a row that is read by a claim is not among the estimates although
// its cell is sampled. The error is about the first such row.
func CheckRows(ledgers []*Ledger, estimates []result.Estimate) error {
	rows, quantities := newIndexedDocument(estimates), map[string][]string{}
	for _, e := range estimates {
		quantities[e.Cell] = append(quantities[e.Cell], e.Quantity)
	}
	for _, ref := range collectRowRefs(ledgers) {
		available := quantities[ref.Cell().ID]
		switch {
		case len(available) == 0 || ref.Find(rows) != nil:
		case slices.Contains(available, ref.Quantity): // the cell has it, but not under the scaling of the row
			return ref.WrapError(fmt.Errorf("%s has no %s at this scale", ref.Experiment.Name, ref.Quantity))
		default:
			return ref.WrapError(fmt.Errorf("%s has no %s%s", ref.Experiment.Name, ref.Quantity,
				names.Suggest(ref.Quantity, available)))
		}
	}
	return nil
}

// findMissing returns the cells that are read by claims and have no estimate.
func findMissing(ledgers []*Ledger, estimates []result.Estimate) (missing []MissingCell) {
	rows, index := newIndexedDocument(estimates), map[string]int{}
	for _, ref := range collectRowRefs(ledgers) {
		if ref.Find(rows) != nil {
			continue
		}
		id := ref.Cell().ID
		i, found := index[id]
		if !found {
			i = len(missing)
			index[id] = i
			missing = append(missing,
				MissingCell{Experiment: ref.Experiment, Values: map[string][]experiment.AxisValue{}, firstRef: ref})
		}
		values := missing[i].Values
		for axis, v := range ref.Values {
			if !slices.Contains(values[axis], v) {
				values[axis] = append(values[axis], v)
			}
		}
	}
	return missing
}

// chooseSamples returns the number of units to sample for a cell, at least minimum. For draws of
// weights, training and repeated runs, which take long, it is the minimum of the experiment; the
// run rounds it up to whole blocks.
func chooseSamples(e *experiment.Experiment, cell experiment.Cell, minimum int64) int64 {
	if slices.Contains([]string{names.UnitWeightDraw, names.UnitSeed, names.UnitRun}, e.Unit) {
		return e.Sampler.MinUnits
	}
	affordable := int64(maxComponents / cell.UnitCost())
	affordable -= affordable % cell.BlockUnits()
	return max(minimum, min(defaultSamples, affordable))
}

// collectRowRefs returns the rows that ledgers read, once for each condition that reads them.
func collectRowRefs(ledgers []*Ledger) (refs []*RowRef) {
	for _, l := range ledgers {
		for i := range l.Claims {
			for _, g := range []conditionGroup{l.Claims[i].literal, l.Claims[i].weakened, l.Claims[i].because} {
				for j := range g.conditions {
					refs = append(refs, g.conditions[j].rowRefs()...)
				}
			}
		}
	}
	return refs
}
