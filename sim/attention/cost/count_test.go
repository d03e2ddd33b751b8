package cost_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// counter counts the operations of each part of a layer while they are executed.
type counter map[string]int64

// multiplyAdd adds a product to a sum: two operations.
func (t counter) multiplyAdd(part string, sum *float64, x, y float64) {
	t[part] += 2
	*sum += x * y
}

// count counts one operation and returns its result x.
func (t counter) count(part string, x float64) float64 {
	t[part]++
	return x
}

// multiply multiplies two matrices.
func (t counter) multiply(part string, x, y [][]float64) [][]float64 {
	result := make([][]float64, len(x))
	for i := range x {
		result[i] = make([]float64, len(y[0]))
		for j := range result[i] {
			for k := range y {
				t.multiplyAdd(part, &result[i][j], x[i][k], y[k][j])
			}
		}
	}
	return result
}

// applySoftmax replaces a row of scores by weights.
func (t counter) applySoftmax(row []float64) {
	largest, sum := math.Inf(-1), 0.0
	for _, s := range row {
		largest = t.count(names.PartSoftmax, max(largest, s))
	}
	for j := range row {
		row[j] = t.count(names.PartSoftmax, row[j]-largest)
		row[j] = t.count(names.PartSoftmax, math.Exp(row[j]))
		sum = t.count(names.PartSoftmax, sum+row[j])
	}
	for j := range row {
		row[j] = t.count(names.PartSoftmax, row[j]/sum)
	}
}

// computeHead computes one head and writes d_v numbers to each row of blend.
func (t counter) computeHead(l cost.Layer, q, k, v, blend [][]float64) {
	for i := range q {
		seen := len(k)
		if l.Causal {
			seen = i + 1
		}
		row := make([]float64, seen)
		for j := range row {
			for c := range q[i] {
				t.multiplyAdd(names.PartScores, &row[j], q[i][c], k[j][c])
			}
			row[j] = t.count(names.PartScale, row[j]/math.Sqrt(float64(l.Key)))
		}
		t.applySoftmax(row)
		for j, w := range row {
			for c := range blend[i] {
				t.multiplyAdd(names.PartBlend, &blend[i][c], w, v[j][c])
			}
		}
	}
}

// selectColumns returns the columns from first to end of a matrix, as views of its rows.
func selectColumns(x [][]float64, first, end int64) [][]float64 {
	result := make([][]float64, len(x))
	for i := range x {
		result[i] = x[i][first:end]
	}
	return result
}

func randomMatrix(rows, columns int64) [][]float64 {
	result := make([][]float64, rows)
	for i := range result {
		result[i] = make([]float64, columns)
		for j := range result[i] {
			result[i][j] = rand.NormFloat64()
		}
	}
	return result
}

// computedLayer has the queries, keys, values and blends of a layer.
type computedLayer struct{ q, k, v, blend [][]float64 }

// computeLayer computes a layer with random tokens and weights.
func (t counter) computeLayer(l cost.Layer) computedLayer {
	x := randomMatrix(l.Context, l.Model)
	c := computedLayer{
		q:     t.multiply(names.PartQueries, x, randomMatrix(l.Model, l.Heads*l.Key)),
		k:     t.multiply(names.PartKeys, x, randomMatrix(l.Model, l.KeyHeads*l.Key)),
		v:     t.multiply(names.PartValues, x, randomMatrix(l.Model, l.KeyHeads*l.Value)),
		blend: make([][]float64, l.Context),
	}
	for i := range c.blend {
		c.blend[i] = make([]float64, l.Heads*l.Value)
	}
	for h := range l.Heads {
		g := h / (l.Heads / l.KeyHeads)
		t.computeHead(l, selectColumns(c.q, h*l.Key, (h+1)*l.Key), selectColumns(c.k, g*l.Key, (g+1)*l.Key),
			selectColumns(c.v, g*l.Value, (g+1)*l.Value), selectColumns(c.blend, h*l.Value, (h+1)*l.Value))
	}
	t.multiply(names.PartOutput, c.blend, randomMatrix(l.Heads*l.Value, l.Model))
	return c
}

// TestCountedAsComputed compares the formulas with the counts of an implementation that executes
// each operation separately, and the bytes with the size of its matrices.
func TestCountedAsComputed(t *testing.T) {
	for _, l := range []cost.Layer{
		{Context: 1, Model: 1, Key: 1, Value: 1, Heads: 1, KeyHeads: 1, Bits: 8},
		{Context: 7, Model: 6, Key: 3, Value: 3, Heads: 2, KeyHeads: 2, Bits: 16},
		{Context: 9, Model: 5, Key: 2, Value: 4, Heads: 6, KeyHeads: 3, Bits: 32},
		{Context: 8, Model: 4, Key: 5, Value: 1, Heads: 4, KeyHeads: 1, Bits: 64},
		{Context: 12, Model: 3, Key: 2, Value: 3, Heads: 2, KeyHeads: 1, Bits: 16},
	} {
		for _, l.Causal = range []bool{false, true} {
			counted := counter{}
			c, bytes := counted.computeLayer(l), l.Bits/8
			size := func(x [][]float64) int64 { return bytes * int64(len(x)*len(x[0])) }
			stored := map[string]int64{names.PartQueries: size(c.q), names.PartKeys: size(c.k),
				names.PartValues: size(c.v),
				names.PartBlend:  size(c.blend),
				names.PartScores: bytes * l.Heads * l.Context * l.Context,
				names.PartOutput: bytes * l.Context * l.Model}
			if got, want := l.CacheBytes(), size(c.k)+size(c.v); got != want {
				t.Errorf("%+v: keys and values have %d bytes, but %d are stored", l, got, want)
			}
			for _, p := range l.Parts() {
				if p.Outputs != stored[p.Name] && !l.Causal {
					t.Errorf("%+v: %s has outputs of %d bytes, but %d are stored", l, p.Name, p.Outputs, stored[p.Name])
				}
				if p.Operations != counted[p.Name] {
					t.Errorf("%+v: %s has %d operations, but %d are executed", l, p.Name, p.Operations, counted[p.Name])
				}
				delete(counted, p.Name)
			}
			if len(counted) > 0 {
				t.Errorf("%+v: not among the parts: %v", l, counted)
			}
		}
	}
}
