package rows

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// newCell returns a cell of an experiment with rows.
func newCell(distribution string, d, keys int, shared string, exponents ...float64) experiment.Cell {
	c := experiment.NewCell(&experiment.Experiment{Name: "rows", Axes: []experiment.Axis{experiment.DistributionAxis,
		experiment.DimensionAxis, KeysAxis, SharedKeysAxis, experiment.ExponentAxis}},
		map[string]experiment.AxisValue{"distribution": {Name: distribution}, "d_k": {Number: float64(d)},
			"keys": {Number: float64(keys)}, "shared_keys": {Name: shared}})
	c.Shared = map[string][]experiment.AxisValue{}
	for _, p := range exponents {
		c.Shared["exponent"] = append(c.Shared["exponent"], experiment.AxisValue{Number: p})
	}
	return c
}

// newScalings returns scalings with the given factors.
func newScalings(factors ...float64) []Scaling {
	var s []Scaling
	for _, x := range factors {
		s = append(s, Scaling{TemperatureAxis.Name, experiment.AxisValue{Number: x}, x})
	}
	return s
}

// sampleGroup returns a sampled group of sixteen rows.
func sampleGroup(distribution string, d, keys int, scalings []Scaling) *RowGroup {
	g := NewRowGroup(newCell(distribution, d, keys, names.No), keys, scalings)
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 2, Cell: fmt.Sprint("gradients", distribution, d, keys)}).Block(&lanes, 0)
	g.SampleRows(&lanes)
	g.Gradients.Compute(g)
	return g
}

// updateScores computes the scores of a group again after its vectors were changed.
func (g *RowGroup) updateScores() {
	clear(g.Scores)
	clear(g.Norm[:])
	kernel.Dots(g.queryVectors, g.keyVectors, g.Scores)
	kernel.Dots(g.queryVectors, g.queryVectors, g.Norm[:])
	kernel.FindPeaks(g.Scores, &g.Peaks)
	g.Gradients.Compute(g)
}

// squaredGradients returns ‖∂α/∂q‖_F² and ‖∂α/∂K‖_F² of every lane, as a tally computes them.
func (g *RowGroup) squaredGradients(i int) (query, key [kernel.Width]float64) {
	t := NewTally(g.keys, g.Gradients.scalings, 1, moments.Node{})
	t.Add(g.Scores, &g.Peaks, g.Gradients, &g.Norm[0])
	copy(query[:], t.values[i*Means+meanQuery])
	copy(key[:], t.values[i*Means+meanKey])
	return query, key
}

// lane64 returns a lane's query and keys.
func (g *RowGroup) lane64(lane int) (q []float64, k [][]float64) {
	for t := range g.queryVectors {
		q = append(q, float64(g.queryVectors[t][lane]))
	}
	for j := range g.keys {
		var x []float64
		for t := range g.d {
			x = append(x, float64(g.keyVectors[j*g.d+t][lane]))
		}
		k = append(k, x)
	}
	return q, k
}

func inner64(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// weights64 returns the softmax of scale·q·k in float64.
func weights64(q []float64, k [][]float64, scale float64) (alpha []float64) {
	var z float64
	for j := range k {
		alpha = append(alpha, math.Exp(scale*inner64(q, k[j])))
		z += alpha[j]
	}
	for j := range alpha {
		alpha[j] /= z
	}
	return alpha
}

// differentiate returns the sum of the squares of the derivatives of all weights by each of the
// numbers, by central differences.
func differentiate(numbers []float64, weights func() []float64) (sum float64) {
	const h = 1.0 / (1 << 17) // the errors are h²/6 of the third derivative, and 2⁻⁵³/h
	for i, x := range numbers {
		numbers[i] = x + h
		raised := weights()
		numbers[i] = x - h
		lowered := weights()
		numbers[i] = x
		for j := range raised {
			difference := (raised[j] - lowered[j]) / (2 * h)
			sum += difference * difference
		}
	}
	return sum
}

// TestGradientsByDifferences compares with central differences in float64 by each component of the
// query and of every key. Away from saturation the tolerance of 0.01 % is far larger than the
// errors of the scores, d·2⁻²⁴, and of the differences.
func TestGradientsByDifferences(t *testing.T) {
	scales := []float64{0.05, 0.3, 1}
	for _, size := range [][2]int{{1, 2}, {2, 3}, {3, 5}, {5, 2}, {7, 8}, {4, 17}} {
		g := sampleGroup("normal", size[0], size[1], newScalings(scales...))
		for i, scale := range scales {
			query, key := g.squaredGradients(i)
			for lane := range kernel.Width {
				q, k := g.lane64(lane)
				weights := func() []float64 { return weights64(q, k, scale) }
				want := [2]float64{differentiate(q, weights)}
				for j := range k {
					want[1] += differentiate(k[j], weights)
				}
				for by, got := range [2]float64{query[lane], key[lane]} {
					if !(math.Abs(got-want[by]) <= 1e-4*want[by]+1e-12) {
						t.Errorf("%v, lane %d times %v: gradient %d is %v, differences give %v", size, lane, scale, by,
							got, want[by])
					}
				}
			}
		}
	}
}

func distance(a, b []float64) float64 {
	var square float64
	for t := range a {
		square += (a[t] - b[t]) * (a[t] - b[t])
	}
	return math.Sqrt(square)
}

// boundSpread returns Σα_i²(|k_i'| + Σα_j|k_j'|)², where k' is the distance to key m.
func boundSpread(alpha []float64, k [][]float64, m int) (b2 float64) {
	var mean float64
	size := make([]float64, len(k))
	for j := range k {
		size[j] = distance(k[j], k[m])
		mean += alpha[j] * size[j]
	}
	for j := range k {
		// For key m itself, |k'| is 0 and only the mean remains.
		term := alpha[j] * (size[j] + mean)
		b2 += term * term
	}
	return b2
}

// gradient64 returns ‖∂α/∂q‖_F² and ‖J‖_F² of the group's scores, computed in float64 from the
// logarithms of all weights, and a bound on the error of the former for sums with the given
// relative tolerance. It has no differences of nearly equal numbers: with k' = k − k_m and k̄' =
// Σαk', the rows of JK are α_i(k_i' − k̄').
func (g *RowGroup) gradient64(lane int, scale, tolerance float64) (query, jacobian, bound float64) {
	_, k := g.lane64(lane)
	m := int(g.Peaks.Index[lane])
	logs := make([]float64, g.keys)
	var rest float64
	for j := range logs {
		logs[j] = scale * (float64(g.Scores[j][lane]) - float64(g.Scores[m][lane]))
		if j != m {
			rest += math.Exp(logs[j])
		}
	}
	alpha := make([]float64, g.keys)
	for j := range alpha {
		alpha[j] = math.Exp(logs[j] - math.Log1p(rest))
	}
	mean := make([]float64, g.d)
	for j := range k {
		for t := range mean {
			mean[t] += alpha[j] * (k[j][t] - k[m][t])
		}
	}
	for j := range k {
		for t := range mean {
			x := alpha[j] * (k[j][t] - k[m][t] - mean[t])
			query += scale * scale * x * x
		}
		for i := range k {
			x := -alpha[i] * alpha[j]
			if i == j {
				x = alpha[i] * (rest / (1 + rest)) // exact for the largest weight
				if i != m {
					x = alpha[i] * (1 - alpha[i])
				}
			}
			jacobian += x * x
		}
	}
	// The kernel neglects keys whose weight is 2^−41.5 of the runner-up's. If the runner-up equals
	// the largest key, they are all that remains.
	var runner, neglected float64
	for j := range k {
		if j != m {
			runner = max(runner, alpha[j])
		}
		neglected += distance(k[j], k[m])
	}
	neglected *= scale * runner * math.Exp2(-41)
	b2 := scale * scale * boundSpread(alpha, k, m)
	return query, jacobian, tolerance*b2 + 2*math.Sqrt(b2)*neglected + neglected*neglected
}

// TestGradientsNearSaturation compares with float64, since central differences fail near
// saturation: without a scale, 256 components make logits that differ by 16 and more. The bound is
// the rounding of sums in float32.
func TestGradientsNearSaturation(t *testing.T) {
	scales := []float64{1.0 / 16, 1, 4, 20}
	smallest := 1.0
	for _, keys := range []int{2, 8, 40} {
		g := sampleGroup("normal", 256, keys, newScalings(scales...))
		for i, scale := range scales {
			smallest = min(smallest, g.checkGradients(t, i, scale))
		}
	}
	if smallest > 1e-100 {
		t.Errorf("the smallest ‖∂α/∂q‖² is %v, not near saturation", smallest)
	}
}

// checkGradients compares the gradients of a group under one scaling with float64.
func (g *RowGroup) checkGradients(t *testing.T, i int, scale float64) (smallest float64) {
	t.Helper()
	smallest = 1
	query, key := g.squaredGradients(i)
	for lane := range kernel.Width {
		q, _ := g.lane64(lane)
		// 3 units of rounding for each unit of ln e, which is at most 29 below the runner-up's, and
		// the rounding of the sums; twice, since the results are squares.
		const unit = 0x1p-24
		tolerance := 2 * unit * (3*29 + 3*16 + 2*float64(g.keys+g.d))
		want, jacobian, bound := g.gradient64(lane, scale, tolerance)
		byKey := scale * scale * inner64(q, q) * jacobian
		for _, c := range []struct {
			name             string
			got, want, bound float64
		}{{"‖∂α/∂q‖²", query[lane], want, bound}, {"‖∂α/∂K‖²", key[lane], byKey, tolerance * byKey}} {
			// Below the smallest normal number there are no digits.
			if !(math.Abs(c.got-c.want) <= c.bound+0x1p-1020) {
				t.Errorf("%d keys of %d, lane %d times %v: %s is %v, float64 has %v", g.keys, g.d, lane, scale, c.name,
					c.got, c.want)
			}
		}
		smallest = min(smallest, want)
	}
	return smallest
}

// TestGradientsOfTies checks rows in which two keys have the largest score: the same key twice, or
// two keys that differ only where the query is 0. Either of them may then be key m.
func TestGradientsOfTies(t *testing.T) {
	scales := []float64{0.1, 1, 50}
	for _, apart := range []bool{false, true} {
		g := sampleGroup("normal", 5, 6, newScalings(scales...))
		for lane := range kernel.Width {
			m := int(g.Peaks.Index[lane])
			twin := (m + 1 + lane%5) % 6
			for t := range g.d {
				g.keyVectors[twin*g.d+t][lane] = g.keyVectors[m*g.d+t][lane]
			}
			if apart {
				g.queryVectors[2][lane] = 0
				g.keyVectors[twin*g.d+2][lane] += 3
			}
		}
		g.updateScores()
		tied := 0
		for lane := range kernel.Width {
			if g.Peaks.First[lane] == g.Peaks.Second[lane] {
				tied++
			}
		}
		if tied < 10 {
			t.Fatalf("%d lanes tie", tied)
		}
		for i, scale := range scales {
			g.checkGradients(t, i, scale)
		}
	}
}

// TestChunkedGroup checks that vectors which are sampled in chunks have the same bits as whole
// vectors, also if they are sampled a second time.
func TestChunkedGroup(t *testing.T) {
	const d, keys, chunk = 96, 5, 32
	scalings := newScalings(1/math.Sqrt(d), 1)
	c := newCell("laplace", d, keys, names.No)
	g := NewRowGroup(c, keys, scalings)
	g.chunk = chunk
	g.queryVectors, g.keyVectors = g.queryVectors[:chunk], g.keyVectors[:chunk*keys]
	g.Gradients = newQueryGradients(keys, scalings)
	wholeGroup := NewRowGroup(c, keys, scalings)

	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 2, Cell: "chunks"}).Block(&lanes, 0)
	for range 3 {
		start := lanes
		g.SampleRows(&lanes)
		after := lanes
		g.Gradients.Compute(g)
		if lanes != after {
			t.Error("sampling again moves the stream")
		}
		component := 0
		g.resampleKeys(func(k [][kernel.Width]float32) {
			for j := range keys {
				copy(wholeGroup.keyVectors[j*d+component:], k[j*chunk:(j+1)*chunk])
			}
			component += chunk
		})
		replay := start
		component = 0
		g.sampleChunks(&replay, func(q, k [][kernel.Width]float32) {
			copy(wholeGroup.queryVectors[component:], q)
			for j := range keys {
				if !slices.Equal(wholeGroup.keyVectors[j*d+component:j*d+component+chunk], k[j*chunk:(j+1)*chunk]) {
					t.Errorf("key %d is different from component %d on the second time", j, component)
				}
			}
			component += chunk
		})
		if replay != after {
			t.Error("chunks leave the stream at another position")
		}
		wholeGroup.updateScores()
		if !slices.Equal(wholeGroup.Scores, g.Scores) || wholeGroup.Norm != g.Norm || wholeGroup.Peaks != g.Peaks {
			t.Error("the scores differ from those of the whole vectors")
		}
		for i := range scalings {
			q, k := g.squaredGradients(i)
			wholeQ, wholeK := wholeGroup.squaredGradients(i)
			if q != wholeQ || k != wholeK {
				t.Errorf("gradients %v and %v, of whole vectors %v and %v", q, k, wholeQ, wholeK)
			}
		}
	}
}
