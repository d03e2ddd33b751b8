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

// rowsCell returns a cell of an experiment that draws rows.
func rowsCell(distribution string, d, keys int, shared string, exponents ...float64) experiment.Cell {
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

// factors are scalings of the given factors.
func factors(all ...float64) []Scaling {
	var s []Scaling
	for _, x := range all {
		s = append(s, Scaling{TemperatureAxis.Name, experiment.AxisValue{Number: x}, x})
	}
	return s
}

// drawnGroup returns a group of sixteen rows with its draws.
func drawnGroup(distribution string, d, keys int, scalings []Scaling) *Group {
	g := NewGroup(rowsCell(distribution, d, keys, names.No), keys, scalings)
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 2, Cell: fmt.Sprint("gradients", distribution, d, keys)}).Block(&lanes, 0)
	g.DrawRows(&lanes)
	g.Gradients.Measure(g)
	return g
}

// score computes the scores of a group again, after its vectors were changed.
func (g *Group) score() {
	clear(g.Scores)
	clear(g.Norm[:])
	kernel.Dots(g.query, g.key, g.Scores)
	kernel.Dots(g.query, g.query, g.Norm[:])
	kernel.FindPeaks(g.Scores, &g.Peaks)
	g.Gradients.Measure(g)
}

// gradients are ‖∂α/∂q‖_F² and ‖∂α/∂K‖_F² of every lane, as a tally takes them.
func (g *Group) gradients(i int) (query, key [kernel.Width]float64) {
	t := NewTally(g.keys, g.Gradients.scalings, 1, moments.Node{})
	t.Add(g.Scores, &g.Peaks, g.Gradients, &g.Norm[0])
	copy(query[:], t.values[i*Means+meanQuery])
	copy(key[:], t.values[i*Means+meanKey])
	return query, key
}

// lane64 returns a lane's query and keys.
func (g *Group) lane64(lane int) (q []float64, k [][]float64) {
	for t := range g.query {
		q = append(q, float64(g.query[t][lane]))
	}
	for j := range g.keys {
		var x []float64
		for t := range g.d {
			x = append(x, float64(g.key[j*g.d+t][lane]))
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

// weights64 returns the weights of a query's scores times a scale.
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

// squareOf returns the sum of the squares of the derivatives of all weights by each
// of the numbers, by central differences.
func squareOf(numbers []float64, weights func() []float64) (sum float64) {
	const h = 1.0 / (1 << 17) // off by h²/6 of the third derivative, and 2⁻⁵³/h
	for i, x := range numbers {
		numbers[i] = x + h
		up := weights()
		numbers[i] = x - h
		down := weights()
		numbers[i] = x
		for j := range up {
			difference := (up[j] - down[j]) / (2 * h)
			sum += difference * difference
		}
	}
	return sum
}

// The gradients are those of central differences, by each component of the query and of
// every key, of weights of the same vectors in float64. Away from saturation a hundredth of a
// per cent is far more than what d·2⁻²⁴ of a score and the differences leave.
func TestGradientsByDifferences(t *testing.T) {
	scales := []float64{0.05, 0.3, 1}
	for _, size := range [][2]int{{1, 2}, {2, 3}, {3, 5}, {5, 2}, {7, 8}, {4, 17}} {
		g := drawnGroup("normal", size[0], size[1], factors(scales...))
		for i, scale := range scales {
			query, key := g.gradients(i)
			for lane := range kernel.Width {
				q, k := g.lane64(lane)
				weights := func() []float64 { return weights64(q, k, scale) }
				want := [2]float64{squareOf(q, weights)}
				for j := range k {
					want[1] += squareOf(k[j], weights)
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

// spreadWithout is Σα_i²(|k_i'| + Σα_j|k_j'|)².
func spreadWithout(alpha []float64, k [][]float64, m int) (b2 float64) {
	var mean float64
	size := make([]float64, len(k))
	for j := range k {
		size[j] = distance(k[j], k[m])
		mean += alpha[j] * size[j]
	}
	for j := range k {
		// Of the greatest α is near 1, and all that its gradient has is the mean.
		term := alpha[j] * (size[j] + mean)
		b2 += term * term
	}
	return b2
}

// gradient64 is ‖∂α/∂q‖_F² and ‖J‖_F² of logits that the group's own scores
// make, in float64 with all weights as logarithms, and how far off the first may
// be with sums of a relative tolerance. Without differences of nearly equal numbers: with k' the
// distance to the key of the greatest and k̄' = Σαk', the rows of JK are α_i(k_i' − k̄').
func (g *Group) gradient64(lane int, scale, tolerance float64) (query, jacobian, bound float64) {
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
				x = alpha[i] * (rest / (1 + rest)) // of the greatest
				if i != m {
					x = alpha[i] * (1 - alpha[i])
				}
			}
			jacobian += x * x
		}
	}
	// Keys 2^−41.5 below the runner-up count as nothing, which is all that there
	// is where the runner-up has the greatest's key.
	var runner, left float64
	for j := range k {
		if j != m {
			runner = max(runner, alpha[j])
		}
		left += distance(k[j], k[m])
	}
	left *= scale * runner * math.Exp2(-41)
	b2 := scale * scale * spreadWithout(alpha, k, m)
	return query, jacobian, tolerance*b2 + 2*math.Sqrt(b2)*left + left*left
}

// Near saturation there are no differences left to take: unscaled, 256
// components put the logits some 16 apart from each other, and beyond. There
// and everywhere else the gradients are those of float64, to the rounding of
// sums in float32.
func TestGradientsNearSaturation(t *testing.T) {
	scales := []float64{1.0 / 16, 1, 4, 20}
	least := 1.0
	for _, keys := range []int{2, 8, 40} {
		g := drawnGroup("normal", 256, keys, factors(scales...))
		for i, scale := range scales {
			least = min(least, g.matches(t, i, scale))
		}
	}
	if least > 1e-100 {
		t.Errorf("the least ‖∂α/∂q‖² is %v, not near saturation", least)
	}
}

// matches holds the gradients of a group under one scaling against float64.
func (g *Group) matches(t *testing.T, i int, scale float64) (least float64) {
	t.Helper()
	least = 1
	query, key := g.gradients(i)
	for lane := range kernel.Width {
		q, _ := g.lane64(lane)
		// 3 units of each e for every unit of its logarithm, which is at most 29
		// below the runner-up's, and the sums; squared.
		const unit = 0x1p-24
		tolerance := 2 * unit * (3*29 + 3*16 + 2*float64(g.keys+g.d))
		want, jacobian, bound := g.gradient64(lane, scale, tolerance)
		byKey := scale * scale * inner64(q, q) * jacobian
		for _, c := range []struct {
			name             string
			got, want, bound float64
		}{{"‖∂α/∂q‖²", query[lane], want, bound}, {"‖∂α/∂K‖²", key[lane], byKey, tolerance * byKey}} {
			// Below the least normal number there are no digits.
			if !(math.Abs(c.got-c.want) <= c.bound+0x1p-1020) {
				t.Errorf("%d keys of %d, lane %d times %v: %s is %v, float64 has %v", g.keys, g.d, lane, scale, c.name,
					c.got, c.want)
			}
		}
		least = min(least, want)
	}
	return least
}

// Two keys may tie for the greatest score: the same key twice, or two that
// differ where the query is 0. Either may then be the one that all are taken
// from.
func TestGradientsOfTies(t *testing.T) {
	scales := []float64{0.1, 1, 50}
	for _, apart := range []bool{false, true} {
		g := drawnGroup("normal", 5, 6, factors(scales...))
		for lane := range kernel.Width {
			m := int(g.Peaks.Index[lane])
			twin := (m + 1 + lane%5) % 6
			for t := range g.d {
				g.key[twin*g.d+t][lane] = g.key[m*g.d+t][lane]
			}
			if apart {
				g.query[2][lane] = 0
				g.key[twin*g.d+2][lane] += 3
			}
		}
		g.score()
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
			g.matches(t, i, scale)
		}
	}
}

// Vectors that come in chunks of components, twice, give the bits that they
// give as a whole; and the second time they are what they were the first.
func TestChunkedGroup(t *testing.T) {
	const d, keys, chunk = 96, 5, 32
	scalings := factors(1/math.Sqrt(d), 1)
	c := rowsCell("laplace", d, keys, names.No)
	g := NewGroup(c, keys, scalings)
	g.chunk = chunk
	g.query, g.key = g.query[:chunk], g.key[:chunk*keys]
	g.Gradients = newQueryGradients(keys, scalings)
	whole := NewGroup(c, keys, scalings)

	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 2, Cell: "chunks"}).Block(&lanes, 0)
	for range 3 {
		start := lanes
		g.DrawRows(&lanes)
		after := lanes
		g.Gradients.Measure(g)
		if lanes != after {
			t.Error("the second drawing moves the stream")
		}
		from := 0
		g.redrawKeys(func(k [][kernel.Width]float32) {
			for j := range keys {
				copy(whole.key[j*d+from:], k[j*chunk:(j+1)*chunk])
			}
			from += chunk
		})
		replay := start
		from = 0
		g.chunks(&replay, func(q, k [][kernel.Width]float32) {
			copy(whole.query[from:], q)
			for j := range keys {
				if !slices.Equal(whole.key[j*d+from:j*d+from+chunk], k[j*chunk:(j+1)*chunk]) {
					t.Errorf("key %d from component %d on is drawn as another the second time", j, from)
				}
			}
			from += chunk
		})
		if replay != after {
			t.Error("chunks leave the stream elsewhere")
		}
		whole.score()
		if !slices.Equal(whole.Scores, g.Scores) || whole.Norm != g.Norm || whole.Peaks != g.Peaks {
			t.Error("the scores are not those of the vectors")
		}
		for i := range scalings {
			q, k := g.gradients(i)
			wholeQ, wholeK := whole.gradients(i)
			if q != wholeQ || k != wholeK {
				t.Errorf("gradients %v and %v, of whole vectors %v and %v", q, k, wholeQ, wholeK)
			}
		}
	}
}
