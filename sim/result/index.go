package result

import (
	"iter"

	"mcsim/sim/names"
)

// index finds estimates by experiment, quantity and d_k. Most plans vary d_k.
type index struct {
	size      int                  // number of estimates when the index was made
	positions map[indexKey][]int32 // positions in Document.Estimates, in order
}

// indexKey selects the estimates of an experiment and a quantity: those with the given d_k, or all
// of them if dimension is nil.
type indexKey struct {
	experiment, quantity string
	dimension            any
}

// Index prepares d for many calls of Rows. The estimates must not change afterwards. If Index was
// not called, or if estimates were added or removed since, every call of Rows scans all estimates.
func (d *Document) Index() {
	x := &index{size: len(d.Estimates), positions: map[indexKey][]int32{}}
	for i := range d.Estimates {
		e := &d.Estimates[i]
		key := indexKey{e.Experiment, e.Quantity, nil}
		x.positions[key] = append(x.positions[key], int32(i))
		if dimension, ok := e.Params.Number(names.ParamDimension); ok {
			key.dimension = dimension
			x.positions[key] = append(x.positions[key], int32(i))
		}
	}
	d.index = x
}

// Rows yields the estimates of an experiment and a quantity whose parameters include params, in
// order.
func (d *Document) Rows(experiment, quantity string, params Params) iter.Seq[*Estimate] {
	isIndexed, n := d.index != nil && d.index.size == len(d.Estimates), len(d.Estimates)
	var positions []int32
	if isIndexed {
		dimension := params[names.ParamDimension] // nil if params do not give d_k
		positions = d.index.positions[indexKey{experiment, quantity, dimension}]
		n = len(positions)
	}
	return func(yield func(*Estimate) bool) {
		for i := range n {
			position := i
			if isIndexed {
				position = int(positions[i])
			}
			e := &d.Estimates[position]
			if e.Experiment == experiment && e.Quantity == quantity && params.Within(e.Params) && !yield(e) {
				return
			}
		}
	}
}

// Within reports whether q has all parameters of p, with the same values.
func (p Params) Within(q Params) bool {
	for name, value := range p {
		if current, ok := q[name]; !ok || current != value {
			return false
		}
	}
	return true
}
