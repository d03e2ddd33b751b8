package result

import (
	"iter"

	"mcsim/sim/names"
)

// index finds rows by what most queries name: the experiment and the quantity, and d_k if it is
// given, of which plans have most values.
type index struct {
	rows   int // that it was made of
	places map[quantity][]int32
}

// quantity is a quantity of an experiment, at a d_k or, with nil, at all of them.
type quantity struct {
	experiment, name string
	dimension        any
}

// Index prepares d for many calls of Rows. The rows must not change afterwards. Without it, and
// after rows were added or dropped, every call of Rows reads all rows.
func (d *Document) Index() {
	x := &index{rows: len(d.Estimates), places: map[quantity][]int32{}}
	for i := range d.Estimates {
		e := &d.Estimates[i]
		of := quantity{e.Experiment, e.Quantity, nil}
		x.places[of] = append(x.places[of], int32(i))
		if d, ok := e.Params.Number(names.ParamDimension); ok {
			of.dimension = d
			x.places[of] = append(x.places[of], int32(i))
		}
	}
	d.index = x
}

// Rows yields the rows of a quantity of an experiment that have these parameters, in order.
func (d *Document) Rows(experiment, name string, at Params) iter.Seq[*Estimate] {
	indexed, n := d.index != nil && d.index.rows == len(d.Estimates), len(d.Estimates)
	var places []int32
	if indexed {
		places = d.index.places[quantity{experiment, name, at[names.ParamDimension]}]
		n = len(places)
	}
	return func(yield func(*Estimate) bool) {
		for i := range n {
			if indexed {
				i = int(places[i])
			}
			e := &d.Estimates[i]
			if e.Experiment == experiment && e.Quantity == name && at.Within(e.Params) && !yield(e) {
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
