package samples

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
)

// observations holds the results of Measure apart from the moments of queries and keys.
type observations struct {
	*Samples
	options               inspect.Options
	ignoresLogits         bool  // whether only weights are judged
	logitFits, weightFits *fits // regressions of logits, and of logarithms of weights, on q·k
	softmaxFits           *fits // regressions of logarithms of weights on logits
	sums                  rowSums

	zeroQueries, zeroKeys int // numbers of omitted rows of zeros
	zeroHeads             int // number of blocks whose queries, or whose keys, are all 0
	overflow              overflow
}

// overflow counts products of queries and keys that are too large for float16, in blocks of arrays
// in float16.
type overflow struct {
	products          int     // number of all products
	overflowing       int     // number of products that are too large
	overflowingScaled int     // number of products that are too large even after the scale
	largest           float64 // largest absolute value
}

// maxHalf is the largest finite number of float16.
const maxHalf = 65504

// pairRow holds the pairs of one query. logits and weights are nil if there is no array of them.
type pairRow struct {
	query                   int   // row number in the array
	keys                    []int // row numbers in the array
	scores, logits, weights []float64
	sum                     float64 // sum of all weights of the query, including those of omitted keys
	queryLength             float64 // |q|
}

// addBlock adds the rows of a block.
func (o *observations) addBlock(vectors blockVectors) error {
	o.zeroQueries += vectors.zeroQueries
	o.zeroKeys += vectors.zeroKeys
	if vectors.isZero {
		o.zeroHeads++
	}
	if vectors.layer.query.array.Type == "F16" || vectors.layer.key.array.Type == "F16" {
		o.overflow.addProducts(vectors, o.options.Scale)
	}
	if vectors.layer.logits+vectors.layer.weights == "" {
		return nil
	}
	sum := 0.0
	for i := range vectors.queries {
		r, err := o.readRow(vectors, i)
		if err != nil {
			return err
		}
		if r.logits != nil {
			o.logitFits.addRow(vectors.headBlock, o.Queries, r, o.options, o.Dimension)
		}
		if r.weights == nil {
			continue
		}
		sum += r.sum
		o.sums.addRow(r, vectors.text, o.blocks)
		if r.logits != nil {
			onLogits := pairRow{query: r.query, keys: r.keys, scores: withoutInfinities(r.logits), weights: r.weights}
			row, _ := o.softmaxFits.selectVisible(onLogits, inspect.Options{Scale: 1}, 1)
			var line scalefit.Line
			line.Add(row.X, row.Y, 0, 0)
			o.softmaxFits.joinLine(vectors.headBlock, r.query, o.Queries, line)
		}
		if len(r.keys) == o.Keys && r.sum > 0 {
			o.sums.compareRow(r, o.options.Scale)
		}
		r.logits = nil
		o.weightFits.addRow(vectors.headBlock, o.Queries, r, o.options, o.Dimension)
	}
	o.sums.blockRange = [2]float64{min(o.sums.blockRange[0], sum), max(o.sums.blockRange[1], sum)}
	return nil
}

// addProducts adds the products of all pairs of a block. It does not compute them if the lengths of
// the vectors show that no product is too large.
func (o *overflow) addProducts(vectors blockVectors, scale float64) {
	maxLength := func(v inspect.Vectors) float64 {
		square := 0.0
		for i := range v.Rows {
			square = max(square, elementary.SumOfSquares(v.Row(i)))
		}
		return math.Sqrt(square)
	}
	o.products += vectors.q.Rows * vectors.k.Rows
	if maxLength(vectors.q)*maxLength(vectors.k) <= maxHalf {
		return
	}
	for i := range vectors.q.Rows {
		for j := range vectors.k.Rows {
			size := math.Abs(elementary.Dot(vectors.q.Row(i), vectors.k.Row(j)))
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
func (o *observations) readRow(vectors blockVectors, i int) (r pairRow, err error) {
	query := vectors.q.Row(i)
	r = pairRow{query: vectors.queries[i], keys: vectors.keys, scores: make([]float64, vectors.k.Rows),
		queryLength: math.Sqrt(elementary.SumOfSquares(query))}
	for c := range r.scores {
		r.scores[c] = elementary.Dot(query, vectors.k.Row(c))
	}
	if !o.ignoresLogits {
		if r.logits, _, err = o.readPairs(vectors, r, vectors.layer.logit, math.Inf(-1)); err != nil {
			return r, err
		}
	}
	r.weights, r.sum, err = o.readPairs(vectors, r, vectors.layer.weight, 0)
	return r, err
}

// readPairs reads the numbers of the pairs of a row and the sum of the row in the array, including
// omitted keys. Each number must be at least lowest and less than infinity. readPairs returns nil
// if there is no array.
func (o *observations) readPairs(
	vectors blockVectors, r pairRow, axes arrayAxes, lowest float64,
) (row []float64, sum float64, err error) {
	if axes.array == nil {
		return nil, 0, nil
	}
	matrix, err := axes.matrix(vectors.text, vectors.headInLayer())
	if err != nil {
		return nil, 0, err
	}
	matrix.AllowInfinite = true
	start, end := o.rowRange(vectors.block, o.Keys)
	row = make([]float64, end-start)
	if err := tensor.Read(matrix.Submatrix(r.query, r.query+1, start, end), row); err != nil {
		return nil, 0, err
	}
	sum = elementary.Sum(row)
	for c, key := range vectors.keys {
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
			axes.array.Name, row[c], r.query, key, product, remedy)
	}
	return row[:len(vectors.keys)], sum, nil
}
