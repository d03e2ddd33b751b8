package samples

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// observed is what is seen beside the moments of queries and keys.
type observed struct {
	*Samples
	options         inspect.Options
	byWeights       bool  // logits are not looked at
	logits, weights *fits // of q·k, weights by their logarithms
	softmax         *fits // of the logarithms of weights on logits
	sums            rowSums

	zeroQueries, zeroKeys int
	empty                 int // heads of texts whose queries, or keys, are all 0
	overflow              overflow
}

// overflow counts products of queries and keys that float16 does not hold.
type overflow struct {
	products, beyond, scaled int
	largest                  float64
}

// maxHalf is the largest number of float16.
const maxHalf = 65504

// pairRow is a row of scores, with what the file has of logits and weights.
type pairRow struct {
	query                   int
	keys                    []int
	scores, logits, weights []float64
	sum                     float64 // of weights, those of rows of zeros included
	size                    float64 // length of the query
}

// add looks at the rows of a place.
func (o *observed) add(m meeting) error {
	o.zeroQueries += m.zeroQueries
	o.zeroKeys += m.zeroKeys
	if m.empty {
		o.empty++
	}
	if m.layer.query.array.Type == "F16" || m.layer.key.array.Type == "F16" {
		o.overflow.count(m, o.options.Scale)
	}
	if m.layer.logits+m.layer.weights == "" {
		return nil
	}
	whole := 0.0
	for i := range m.queries {
		r, err := o.row(m, i)
		if err != nil {
			return err
		}
		if r.logits != nil {
			o.logits.add(m.place, o.Queries, r, o.options, o.Dimension)
		}
		if r.weights == nil {
			continue
		}
		whole += r.sum
		o.sums.add(r, m.text, o.blocks)
		if r.logits != nil {
			onLogits := pairRow{query: r.query, keys: r.keys, scores: withoutInfinities(r.logits), weights: r.weights}
			row, _ := o.softmax.visible(onLogits, inspect.Options{Scale: 1}, 1)
			o.softmax.join(m.place, r.query, o.Queries, row.X, row.Y, 0, 0)
		}
		if len(r.keys) == o.Keys && r.sum > 0 {
			o.sums.compare(r, o.options.Scale)
		}
		r.logits = nil
		o.weights.add(m.place, o.Queries, r, o.options, o.Dimension)
	}
	o.sums.byPlace = [2]float64{min(o.sums.byPlace[0], whole), max(o.sums.byPlace[1], whole)}
	return nil
}

// count counts the products of all pairs, unless lengths tell that none is too large.
func (o *overflow) count(m meeting, scale float64) {
	longest := func(v inspect.Vectors) (size float64) {
		for i := range v.Rows {
			size = max(size, elementary.SumOfSquares(v.Row(i)))
		}
		return math.Sqrt(size)
	}
	o.products += m.q.Rows * m.k.Rows
	if longest(m.q)*longest(m.k) <= maxHalf {
		return
	}
	for i := range m.q.Rows {
		for j := range m.k.Rows {
			size := math.Abs(elementary.Dot(m.q.Row(i), m.k.Row(j)))
			o.largest = max(o.largest, size)
			if size > maxHalf {
				o.beyond++
			}
			if float64(size*math.Abs(scale)) > maxHalf {
				o.scaled++
			}
		}
	}
}

// row reads the i-th row of a place: its scores, logits and weights.
func (o *observed) row(m meeting, i int) (r pairRow, err error) {
	query := m.q.Row(i)
	r = pairRow{query: m.queries[i], keys: m.keys, scores: make([]float64, m.k.Rows),
		size: math.Sqrt(elementary.SumOfSquares(query))}
	for c := range r.scores {
		r.scores[c] = elementary.Dot(query, m.k.Row(c))
	}
	if !o.byWeights {
		if r.logits, _, err = o.readPairs(m, r, m.layer.logit, math.Inf(-1)); err != nil {
			return r, err
		}
	}
	r.weights, r.sum, err = o.readPairs(m, r, m.layer.weight, 0)
	return r, err
}

// readPairs reads the numbers of a row's pairs, at least the lowest and finite, and the sum of the whole
// row; nil if there is no such array.
func (o *observed) readPairs(m meeting, r pairRow, from axes, lowest float64) (row []float64, sum float64, err error) {
	if from.array == nil {
		return nil, 0, nil
	}
	matrix, err := from.matrix(m.text, m.headInLayer())
	if err != nil {
		return nil, 0, err
	}
	matrix.AllowInfinite = true
	start, end := o.rows(m.block, o.Keys)
	row = make([]float64, end-start)
	if err := tensor.Read(matrix.Submatrix(r.query, r.query+1, start, end), row); err != nil {
		return nil, 0, err
	}
	sum = elementary.Sum(row)
	for c, key := range m.keys {
		row[c] = row[key-start]
		if row[c] >= lowest && !math.IsInf(row[c], 1) {
			continue
		}
		product, remedy := fmt.Sprintf("%.4g", r.scores[c]), ""
		if math.Abs(r.scores[c]) > maxHalf {
			product += fmt.Sprintf(": float16 ends at %d; multiply q by the scale before the product", maxHalf)
		}
		if lowest == 0 {
			remedy = ": weights are 0 or more; save logits under the name logits"
		}
		return nil, 0, fmt.Errorf("%s has %v for query %d and key %d, where q·k is %s%s",
			from.array.Name, row[c], r.query, key, product, remedy)
	}
	return row[:len(m.keys)], sum, nil
}
