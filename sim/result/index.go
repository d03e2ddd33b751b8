package result

import (
	"iter"

	"mcsim/sim/names"
)

// index finds rows by what most questions name: the experiment and the quantity, with d_k
// where it is asked for, of which plans have most values; or the cell.
type index struct {
	rows     int // that it was made of
	quantity map[quantity][]int32
	cell     map[string][]int32
}

// quantity is a quantity of an experiment, at a d_k or, without one, at all of them.
type quantity struct {
	experiment, name string
	dimension        any
}

// Index prepares d for many questions to Rows and RowsOf. The rows must not change any
// more; without it, and after rows were added or dropped, every question reads all rows.
func (d *Document) Index() {
	x := &index{rows: len(d.Estimates), quantity: map[quantity][]int32{}, cell: map[string][]int32{}}
	for i := range d.Estimates {
		e := &d.Estimates[i]
		of := quantity{e.Experiment, e.Quantity, nil}
		x.quantity[of] = append(x.quantity[of], int32(i))
		if d, ok := e.Params.Number(names.ParamDimension); ok {
			of.dimension = d
			x.quantity[of] = append(x.quantity[of], int32(i))
		}
		x.cell[e.Cell] = append(x.cell[e.Cell], int32(i))
	}
	d.index = x
}

// indexed reports whether the index is that of the rows.
func (d *Document) indexed() bool { return d.index != nil && d.index.rows == len(d.Estimates) }

// Rows yields the rows of a quantity of an experiment that have these parameters, in
// their order.
func (d *Document) Rows(experiment, name string, at Params) iter.Seq[*Estimate] {
	if !d.indexed() {
		return d.all(func(e *Estimate) bool { return e.Experiment == experiment && e.Quantity == name && at.Within(e.Params) })
	}
	return d.among(d.index.quantity[quantity{experiment, name, at[names.ParamDimension]}], at)
}

// RowsOf yields the rows of a cell, in their order.
func (d *Document) RowsOf(cell string) iter.Seq[*Estimate] {
	if d.indexed() {
		return d.among(d.index.cell[cell], nil)
	}
	return d.all(func(e *Estimate) bool { return e.Cell == cell })
}

// among yields the rows at the given places that have these parameters.
func (d *Document) among(places []int32, at Params) iter.Seq[*Estimate] {
	return func(yield func(*Estimate) bool) {
		for _, i := range places {
			if e := &d.Estimates[i]; at.Within(e.Params) && !yield(e) {
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

// Within reports whether q has all of p's parameters, with the same values.
func (p Params) Within(q Params) bool {
	for name, value := range p {
		if other, ok := q[name]; !ok || other != value {
			return false
		}
	}
	return true
}
