package samples

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
)

// observations holds what is found in addition to the moments of queries and keys.
type observations struct {
	*Samples
	options               inspect.Options
	ignoresLogits         bool  // only weights are judged
	logitFits, weightFits *fits // on q·k; the logarithms for weights
	softmaxFits           *fits // logarithms of weights on logits
	sums                  rowSums

	zeroQueries, zeroKeys int
	zeroHeads             int // blocks whose queries, or keys, are all 0
	overflow              overflow
}

// overflow counts products of queries and keys that are too large for float16.
type overflow struct {
	products, overflowing, overflowingScaled int
	largest                                  float64
}

// maxHalf is the largest finite number of float16.
const maxHalf = 65504

// pairRow is a row of scores with its logits and weights; these are nil if there are none.
type pairRow struct {
	query                   int
	keys                    []int
	scores, logits, weights []float64
	sum                     float64 // of weights, including those of rows of zeros
	queryLength             float64 // |q|
}

// addBlock adds the rows of a block.
func (o *observations) addBlock(m blockVectors) error {
	o.zeroQueries += m.zeroQueries
	o.zeroKeys += m.zeroKeys
	if m.isZero {
		o.zeroHeads++
	}
	if m.layer.query.array.Type == "F16" || m.layer.key.array.Type == "F16" {
		o.overflow.addProducts(m, o.options.Scale)
	}
	if m.layer.logits+m.layer.weights == "" {
		return nil
	}
	sum := 0.0
	for i := range m.queries {
		r, err := o.readRow(m, i)
		if err != nil {
			return err
		}
		if r.logits != nil {
			o.logitFits.addRow(m.headBlock, o.Queries, r, o.options, o.Dimension)
		}
		if r.weights == nil {
			continue
		}
		sum += r.sum
		o.sums.addRow(r, m.text, o.blocks)
		if r.logits != nil {
			onLogits := pairRow{query: r.query, keys: r.keys, scores: withoutInfinities(r.logits), weights: r.weights}
			row, _ := o.softmaxFits.selectVisible(onLogits, inspect.Options{Scale: 1}, 1)
			o.softmaxFits.joinRow(m.headBlock, r.query, o.Queries, row.X, row.Y, 0, 0)
		}
		if len(r.keys) == o.Keys && r.sum > 0 {
			o.sums.compareRow(r, o.options.Scale)
		}
		r.logits = nil
		o.weightFits.addRow(m.headBlock, o.Queries, r, o.options, o.Dimension)
	}
	o.sums.blockRange = [2]float64{min(o.sums.blockRange[0], sum), max(o.sums.blockRange[1], sum)}
	return nil
}

// addProducts counts the products of all pairs. It skips them if the lengths of vectors show that
// none is too large.
func (o *overflow) addProducts(m blockVectors, scale float64) {
	maxLength := func(v inspect.Vectors) (size float64) {
		for i := range v.Rows {
			size = max(size, elementary.SumOfSquares(v.Row(i)))
		}
		return math.Sqrt(size)
	}
	o.products += m.q.Rows * m.k.Rows
	if maxLength(m.q)*maxLength(m.k) <= maxHalf {
		return
	}
	for i := range m.q.Rows {
		for j := range m.k.Rows {
			size := math.Abs(elementary.Dot(m.q.Row(i), m.k.Row(j)))
			o.largest = max(o.largest, size)
			if size > maxHalf {
				o.overflowing++
			}
			if float64(size*math.Abs(scale)) > maxHalf {
				o.overflowingScaled++
			}
		}
	}
}

// readRow reads row i of a block: its scores, logits and weights.
func (o *observations) readRow(m blockVectors, i int) (r pairRow, err error) {
	query := m.q.Row(i)
	r = pairRow{query: m.queries[i], keys: m.keys, scores: make([]float64, m.k.Rows),
		queryLength: math.Sqrt(elementary.SumOfSquares(query))}
	for c := range r.scores {
		r.scores[c] = elementary.Dot(query, m.k.Row(c))
	}
	if !o.ignoresLogits {
		if r.logits, _, err = o.readPairs(m, r, m.layer.logit, math.Inf(-1)); err != nil {
			return r, err
		}
	}
	r.weights, r.sum, err = o.readPairs(m, r, m.layer.weight, 0)
	return r, err
}

// readPairs reads the numbers of the pairs of a row, which must be at least lowest and finite, and
// the sum of the row including rows of zeros. It returns nil if there is no array.
func (o *observations) readPairs(m blockVectors, r pairRow, array arrayAxes, lowest float64) (row []float64,
	sum float64, err error) {
	if array.array == nil {
		return nil, 0, nil
	}
	matrix, err := array.matrix(m.text, m.headInLayer())
	if err != nil {
		return nil, 0, err
	}
	matrix.Infinite = true
	start, end := o.rowRange(m.block, o.Keys)
	row = make([]float64, end-start)
	if err := tensor.Read(matrix.Part(r.query, r.query+1, start, end), row); err != nil {
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
			array.array.Name, row[c], r.query, key, product, remedy)
	}
	return row[:len(m.keys)], sum, nil
}
