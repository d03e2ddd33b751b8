package result

import "iter"

// index finds rows by what most questions name: the experiment and the quantity, or the
// cell.
type index struct {
	rows     int // that it was made of
	quantity map[[2]string][]int32
	cell     map[string][]int32
}

// Index prepares d for many questions to Rows and RowsOf. The rows must not change any
// more; without it, and after rows were added or dropped, every question reads all rows.
func (d *Document) Index() {
	x := &index{rows: len(d.Estimates), quantity: map[[2]string][]int32{}, cell: map[string][]int32{}}
	for i := range d.Estimates {
		e := &d.Estimates[i]
		of := [2]string{e.Experiment, e.Quantity}
		x.quantity[of] = append(x.quantity[of], int32(i))
		x.cell[e.Cell] = append(x.cell[e.Cell], int32(i))
	}
	d.index = x
}

// indexed reports whether the index is that of the rows.
func (d *Document) indexed() bool { return d.index != nil && d.index.rows == len(d.Estimates) }

// Rows yields the rows of a quantity of an experiment, in their order.
func (d *Document) Rows(experiment, quantity string) iter.Seq[*Estimate] {
	if d.indexed() {
		return d.at(d.index.quantity[[2]string{experiment, quantity}])
	}
	return d.all(func(e *Estimate) bool { return e.Experiment == experiment && e.Quantity == quantity })
}

// RowsOf yields the rows of a cell, in their order.
func (d *Document) RowsOf(cell string) iter.Seq[*Estimate] {
	if d.indexed() {
		return d.at(d.index.cell[cell])
	}
	return d.all(func(e *Estimate) bool { return e.Cell == cell })
}

// at yields the rows at the given places.
func (d *Document) at(places []int32) iter.Seq[*Estimate] {
	return func(yield func(*Estimate) bool) {
		for _, i := range places {
			if !yield(&d.Estimates[i]) {
				return
			}
		}
	}
}

// all yields the rows that are wanted, from all.
func (d *Document) all(wanted func(*Estimate) bool) iter.Seq[*Estimate] {
	return func(yield func(*Estimate) bool) {
		for i := range d.Estimates {
			if e := &d.Estimates[i]; wanted(e) && !yield(e) {
				return
			}
		}
	}
}
