package result

import (
	"iter"

	"mcsim/sim/names"
)

// index finds estimates by experiment and quantity and, if d_k is given, by d_k, which most plans
// vary.
type index struct {
	size      int // number of estimates when it was made
	positions map[indexKey][]int32
}

// indexKey is a quantity of an experiment at one d_k, or at all if dimension is nil.
type indexKey struct {
	experiment, quantity string
	dimension            any
}

// Index prepares d for many calls of Rows. The estimates must not change afterwards. Without it,
// and after estimates were added or removed, every call of Rows scans all estimates.
func (d *Document) Index() {
	x := &index{size: len(d.Estimates), positions: map[indexKey][]int32{}}
	for i := range d.Estimates {
		e := &d.Estimates[i]
		key := indexKey{e.Experiment, e.Quantity, nil}
		x.positions[key] = append(x.positions[key], int32(i))
		if d, ok := e.Params.Number(names.ParamDimension); ok {
			key.dimension = d
			x.positions[key] = append(x.positions[key], int32(i))
		}
	}
	d.index = x
}

// Rows yields the estimates of a quantity of an experiment that have the parameters, in order.
func (d *Document) Rows(experiment, quantity string, params Params) iter.Seq[*Estimate] {
	isIndexed, n := d.index != nil && d.index.size == len(d.Estimates), len(d.Estimates)
	var positions []int32
	if isIndexed {
		positions = d.index.positions[indexKey{experiment, quantity, params[names.ParamDimension]}]
		n = len(positions)
	}
	return func(yield func(*Estimate) bool) {
		for i := range n {
			if isIndexed {
				i = int(positions[i])
			}
			e := &d.Estimates[i]
			if e.Experiment == experiment && e.Quantity == quantity && params.Within(e.Params) && !yield(e) {
				return
			}
		}
	}
}

// Within reports whether q has all parameters of p, with the same values.
func (p Params) Within(q Params) bool {
	for name, value := range p {
		if other, ok := q[name]; !ok || other != value {
			return false
		}
	}
	return true
}
