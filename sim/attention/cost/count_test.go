package cost_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"mcsim/sim/attention/cost"
	"mcsim/sim/names"
)

// counter has the number of executed operations of each part of a layer.
type counter map[string]int64

// multiplyAdd adds x·y to a sum and counts two operations.
func (c counter) multiplyAdd(part string, sum *float64, x, y float64) {
	c[part] += 2
	*sum += x * y
}

// count counts one operation, whose result is x, and returns x.
func (c counter) count(part string, x float64) float64 {
	c[part]++
	return x
}

// multiply returns the product of two matrices.
func (c counter) multiply(part string, x, y [][]float64) [][]float64 {
	result := make([][]float64, len(x))
	for i := range x {
		result[i] = make([]float64, len(y[0]))
		for j := range result[i] {
			for k := range y {
				c.multiplyAdd(part, &result[i][j], x[i][k], y[k][j])
			}
		}
	}
	return result
}

// applySoftmax replaces a row of scores by weights.
func (c counter) applySoftmax(row []float64) {
	largest, sum := math.Inf(-1), 0.0
	for _, s := range row {
		largest = c.count(names.PartSoftmax, max(largest, s))
	}
	for j := range row {
		row[j] = c.count(names.PartSoftmax, row[j]-largest)
		row[j] = c.count(names.PartSoftmax, math.Exp(row[j]))
		sum = c.count(names.PartSoftmax, sum+row[j])
	}
	for j := range row {
		row[j] = c.count(names.PartSoftmax, row[j]/sum)
	}
}

// computeHead computes one head and writes its output of d_v numbers to each row of blend.
func (c counter) computeHead(l cost.Layer, q, k, v, blend [][]float64) {
	for i := range q {
		keyCount := len(k)
		if l.Causal {
			keyCount = i + 1
		}
		row := make([]float64, keyCount)
		for j := range row {
			for m := range q[i] {
				c.multiplyAdd(names.PartScores, &row[j], q[i][m], k[j][m])
			}
			row[j] = c.count(names.PartScale, row[j]/math.Sqrt(float64(l.Key)))
		}
		c.applySoftmax(row)
		for j, w := range row {
			for m := range blend[i] {
				c.multiplyAdd(names.PartBlend, &blend[i][m], w, v[j][m])
			}
		}
	}
}

// selectColumns returns the columns in [first, end) of a matrix, which share memory with it.
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

// computedLayer has the queries, keys, values and blends (weighted sums of values) of a layer.
type computedLayer struct{ q, k, v, blend [][]float64 }

// computeLayer computes a layer with random tokens and weights.
func (c counter) computeLayer(l cost.Layer) computedLayer {
	x := randomMatrix(l.Context, l.Model)
	computed := computedLayer{
		q:     c.multiply(names.PartQueries, x, randomMatrix(l.Model, l.Heads*l.Key)),
		k:     c.multiply(names.PartKeys, x, randomMatrix(l.Model, l.KeyHeads*l.Key)),
		v:     c.multiply(names.PartValues, x, randomMatrix(l.Model, l.KeyHeads*l.Value)),
		blend: make([][]float64, l.Context),
	}
	for i := range computed.blend {
		computed.blend[i] = make([]float64, l.Heads*l.Value)
	}
	for h := range l.Heads {
		g := h / (l.Heads / l.KeyHeads) // the key head of query head h
		c.computeHead(l, selectColumns(computed.q, h*l.Key, (h+1)*l.Key),
			selectColumns(computed.k, g*l.Key, (g+1)*l.Key),
			selectColumns(computed.v, g*l.Value, (g+1)*l.Value),
			selectColumns(computed.blend, h*l.Value, (h+1)*l.Value))
	}
	c.multiply(names.PartOutput, computed.blend, randomMatrix(l.Heads*l.Value, l.Model))
	return computed
}

// TestCountedAsComputed compares the numbers of operations with an implementation that counts each
// operation when it executes it, and the numbers of bytes with the size of its matrices.
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
				t.Errorf("%+v: CacheBytes() = %d, but the stored keys and values have %d bytes", l, got, want)
			}
			for _, p := range l.Parts() {
				if !l.Causal && p.Outputs != stored[p.Name] {
					t.Errorf("%+v: the output of %s has %d bytes, want %d", l, p.Name, p.Outputs, stored[p.Name])
				}
				if p.Operations != counted[p.Name] {
					t.Errorf("%+v: %s has %d operations, want the %d that were executed", l, p.Name, p.Operations,
						counted[p.Name])
				}
				delete(counted, p.Name)
			}
			if len(counted) > 0 {
				t.Errorf("%+v: operations of parts that Parts does not return: %v", l, counted)
			}
		}
	}
}
