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

func newScalings(factors ...float64) []Scaling {
	var s []Scaling
	for _, x := range factors {
		s = append(s, Scaling{TemperatureAxis.Name, experiment.AxisValue{Number: x}, x})
	}
	return s
}

// sampleGroup returns a sampled group of sixteen rows with the sums of its gradients.
func sampleGroup(distribution string, d, keys int, scalings []Scaling) *RowGroup {
	g := NewRowGroup(newCell(distribution, d, keys, names.No), keys, scalings)
	var lanes stream.Lanes
	stream.Open(stream.ID{Seed: 2, Cell: fmt.Sprint("gradients", distribution, d, keys)}).Block(&lanes, 0)
	g.SampleRows(&lanes)
	g.Gradients.Compute(g)
	return g
}

// updateScores computes the scores and gradients of a group again after its vectors were changed.
func (g *RowGroup) updateScores() {
	clear(g.Scores)
	clear(g.Norm[:])
	kernel.Dots(g.queryVectors, g.keyVectors, g.Scores)
	kernel.Dots(g.queryVectors, g.queryVectors, g.Norm[:])
	kernel.FindPeaks(g.Scores, &g.Peaks)
	g.Gradients.Compute(g)
}

// squaredGradients returns ‖∂α/∂q‖_F² and ‖∂α/∂K‖_F² of every lane under scaling i, as a Tally
// computes them.
func (g *RowGroup) squaredGradients(i int) (query, key [kernel.Width]float64) {
	t := NewTally(g.keys, g.Gradients.scalings, 1, moments.Node{})
	t.Add(g.Scores, &g.Peaks, g.Gradients, &g.Norm[0])
	copy(query[:], t.values[i*Means+meanQuery])
	copy(key[:], t.values[i*Means+meanKey])
	return query, key
}

// lane64 returns the query and the keys of a lane in float64.
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

// weights64 returns the softmax of the logits scale·q·k in float64.
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

// sumSquaredDerivatives returns the sum of the squared derivatives of all weights by all numbers.
// The derivatives are central differences; weights must return the weights for the current numbers.
func sumSquaredDerivatives(numbers []float64, weights func() []float64) (sum float64) {
	const h = 1.0 / (1 << 17) // the errors are h²/6 times the third derivative, and 2⁻⁵³/h
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

// TestGradientsByDifferences compares the gradients with central differences in float64, by each
// component of the query and of every key. If no weight is nearly 1, the tolerance of 0.01 % is far
// larger than the errors of the scores, d·2⁻²⁴, and of the differences.
func TestGradientsByDifferences(t *testing.T) {
	scales := []float64{0.05, 0.3, 1}
	for _, size := range []struct{ d, keys int }{{1, 2}, {2, 3}, {3, 5}, {5, 2}, {7, 8}, {4, 17}} {
		g := sampleGroup("normal", size.d, size.keys, newScalings(scales...))
		for i, scale := range scales {
			query, key := g.squaredGradients(i)
			for lane := range kernel.Width {
				q, k := g.lane64(lane)
				weights := func() []float64 { return weights64(q, k, scale) }
				wantQuery, wantKey := sumSquaredDerivatives(q, weights), 0.0
				for j := range k {
					wantKey += sumSquaredDerivatives(k[j], weights)
				}
				for _, c := range []struct {
					name      string
					got, want float64
				}{{"‖∂α/∂q‖²", query[lane], wantQuery}, {"‖∂α/∂K‖²", key[lane], wantKey}} {
					if !(math.Abs(c.got-c.want) <= 1e-4*c.want+1e-12) {
						t.Errorf("%+v, lane %d, scale %v: %s: got %v, want %v by differences", size, lane, scale,
							c.name, c.got, c.want)
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

// boundGradient returns Σα_i²(|k_i'| + Σα_j|k_j'|)², an upper bound of ‖JK‖_F², where k' = k − k_m.
func boundGradient(alpha []float64, k [][]float64, m int) (bound float64) {
	var mean float64
	distances := make([]float64, len(k))
	for j := range k {
		distances[j] = distance(k[j], k[m])
		mean += alpha[j] * distances[j]
	}
	for j := range k {
		term := alpha[j] * (distances[j] + mean)
		bound += term * term
	}
	return bound
}

// gradient64 returns ‖∂α/∂q‖_F² and ‖J‖_F² of the group's scores, computed in float64 from the
// logarithms of all weights. It also returns a bound on the difference between this ‖∂α/∂q‖_F² and
// a float32 result whose sums have the given relative tolerance. The computation has no differences
// of nearly equal numbers: with k' = k − k_m and k̄' = Σαk', the rows of JK are α_i(k_i' − k̄').
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
			entry := -alpha[i] * alpha[j]
			switch {
			case i == j && i == m:
				entry = alpha[i] * (rest / (1 + rest)) // 1 − α_m without cancellation
			case i == j:
				entry = alpha[i] * (1 - alpha[i])
			}
			jacobian += entry * entry
		}
	}
	// The kernel neglects keys whose weight is below 2^−41.5 times the weight of the runner-up.
	// This matters if the runner-up equals key m: then only the neglected keys contribute to the
	// result.
	var runner, neglected float64
	for j := range k {
		if j != m {
			runner = max(runner, alpha[j])
		}
		neglected += distance(k[j], k[m])
	}
	neglected *= scale * runner * math.Exp2(-41)
	gradientBound := scale * scale * boundGradient(alpha, k, m)
	bound = tolerance*gradientBound + 2*math.Sqrt(gradientBound)*neglected + neglected*neglected
	return query, jacobian, bound
}

// TestGradientsNearSaturation compares the gradients with results in float64 if one weight is
// nearly
// 1. With the scale 1, logits of 256 components differ by 16 and more, so that central differences
// fail. The tolerance is the rounding of sums in float32.
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
		t.Errorf("the smallest ‖∂α/∂q‖² is %v; a row near saturation should have at most 1e-100", smallest)
	}
}

// checkGradients compares the gradients of a group under scaling i with results in float64. It
// returns the smallest expected ‖∂α/∂q‖².
func (g *RowGroup) checkGradients(t *testing.T, i int, scale float64) (smallest float64) {
	t.Helper()
	smallest = 1
	query, key := g.squaredGradients(i)
	for lane := range kernel.Width {
		q, _ := g.lane64(lane)
		// The tolerance is 3 units of rounding for each unit of ln e (the kernel uses keys with
		// ln e ≥ −29), and the rounding of the sums. It is doubled since the results are squares.
		const unit = 0x1p-24
		tolerance := 2 * unit * (3*29 + 3*16 + 2*float64(g.keys+g.d))
		want, jacobian, bound := g.gradient64(lane, scale, tolerance)
		wantKey := scale * scale * inner64(q, q) * jacobian
		for _, c := range []struct {
			name             string
			got, want, bound float64
		}{{"‖∂α/∂q‖²", query[lane], want, bound}, {"‖∂α/∂K‖²", key[lane], wantKey, tolerance * wantKey}} {
			// Results below the smallest normal number have no significant digits.
			if !(math.Abs(c.got-c.want) <= c.bound+0x1p-1020) {
				t.Errorf("%d keys of %d components, lane %d, scale %v: %s: got %v, want %v by float64", g.keys, g.d,
					lane, scale, c.name, c.got, c.want)
			}
		}
		smallest = min(smallest, want)
	}
	return smallest
}

// TestGradientsOfTies compares the gradients with results in float64 for rows in which two keys
// have the largest score, so that either may be key m. The two keys are equal, or they differ only
// in a component in which the query is 0.
func TestGradientsOfTies(t *testing.T) {
	scales := []float64{0.1, 1, 50}
	for _, keysDiffer := range []bool{false, true} {
		g := sampleGroup("normal", 5, 6, newScalings(scales...))
		for lane := range kernel.Width {
			m := int(g.Peaks.Index[lane])
			twin := (m + 1 + lane%5) % 6
			for t := range g.d {
				g.keyVectors[twin*g.d+t][lane] = g.keyVectors[m*g.d+t][lane]
			}
			if keysDiffer {
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
			t.Fatalf("the two largest scores are equal in %d lanes, want at least 10", tied)
		}
		for i, scale := range scales {
			g.checkGradients(t, i, scale)
		}
	}
}

// TestChunkedGroup samples vectors in chunks, and then the same vectors again. It checks that both
// passes have the same bits, and that the scores and gradients have the same bits as those of a
// group that holds the whole vectors.
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
			t.Error("Gradients.Compute, which samples the keys again, changed the stream of the caller")
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
					t.Errorf("key %d: the chunk at component %d differs from the same chunk of resampleKeys", j,
						component)
				}
			}
			component += chunk
		})
		if replay != after {
			t.Error("sampling the chunks again leaves the stream at another position than SampleRows")
		}
		wholeGroup.updateScores()
		if !slices.Equal(wholeGroup.Scores, g.Scores) {
			t.Error("the scores differ from the scores of the whole vectors")
		}
		if wholeGroup.Norm != g.Norm {
			t.Error("the |q|² differ from the |q|² of the whole vectors")
		}
		if wholeGroup.Peaks != g.Peaks {
			t.Error("the largest scores differ from the largest scores of the whole vectors")
		}
		for i := range scalings {
			query, key := g.squaredGradients(i)
			wantQuery, wantKey := wholeGroup.squaredGradients(i)
			if query != wantQuery {
				t.Errorf("‖∂α/∂q‖² of the lanes: got %v, want %v as with whole vectors", query, wantQuery)
			}
			if key != wantKey {
				t.Errorf("‖∂α/∂K‖² of the lanes: got %v, want %v as with whole vectors", key, wantKey)
			}
		}
	}
}
