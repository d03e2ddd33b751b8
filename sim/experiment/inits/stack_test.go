package inits

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// matrix64 is a matrix by rows. The reference implementations below are direct.
type matrix64 [][]float64

func multiply(a, b matrix64) matrix64 {
	output := make(matrix64, len(a))
	for i := range a {
		output[i] = make([]float64, len(b[0]))
		for j := range output[i] {
			for t := range b {
				output[i][j] += a[i][t] * b[t][j]
			}
		}
	}
	return output
}

func transpose(a matrix64) matrix64 {
	output := make(matrix64, len(a[0]))
	for j := range output {
		output[j] = make([]float64, len(a))
		for i := range a {
			output[j][i] = a[i][j]
		}
	}
	return output
}

func normaliseRows(a matrix64) matrix64 {
	output := make(matrix64, len(a))
	for i, row := range a {
		mean, square := rowMean(row), 0.0
		for _, x := range row {
			square += (x - mean) * (x - mean)
		}
		output[i] = make([]float64, len(row))
		for t, x := range row {
			output[i][t] = (x - mean) / math.Sqrt(square/float64(len(row)))
		}
	}
	return output
}

func rowMean(row []float64) float64 {
	sum := 0.0
	for _, x := range row {
		sum += x
	}
	return sum / float64(len(row))
}

// rowVariance returns the mean over rows of their unbiased variance.
func rowVariance(a matrix64) float64 {
	sum := 0.0
	for _, row := range a {
		mean := rowMean(row)
		for _, x := range row {
			sum += (x - mean) * (x - mean)
		}
	}
	return sum / float64(len(a)*(len(a[0])-1))
}

// computeLayer returns the means of a layer with the input x, and its output.
func computeLayer(
	w architecture, x matrix64, weights func() matrix64, last bool,
) (means [len(depthQuantities)]float64, output matrix64) {
	n := float64(w.tokens)
	for i, a := range x {
		for j, b := range x {
			ab, aa, bb := 0.0, 0.0, 0.0
			for t := range a {
				ab, aa, bb = ab+a[t]*b[t], aa+a[t]*a[t], bb+b[t]*b[t]
			}
			if i != j {
				means[tokenCosine] += ab / math.Sqrt(aa*bb) / (n * (n - 1))
			} else {
				means[tokenVariance] += aa / (n * float64(w.width))
			}
		}
	}
	y := x
	if w.norm {
		y = normaliseRows(x)
	}
	q, k := multiply(y, weights()), multiply(y, weights())
	logits := multiply(q, transpose(k))
	for i := range logits {
		for j := range logits[i] {
			logits[i][j] *= w.scale()
		}
	}
	means[scoreVariance] = rowVariance(logits)
	alpha := make(matrix64, len(logits))
	for i, row := range logits {
		alpha[i] = softmaxRow(row)
		squares, largest := 0.0, 0.0
		for _, a := range alpha[i] {
			squares, largest = squares+a*a, max(largest, a)
		}
		means[relativeTrace] += (1 - squares) / (1 - 1/n) / n
		means[maxWeight] += largest / n
	}
	if last {
		return means, nil
	}
	return means, multiply(multiply(alpha, multiply(y, weights())), weights())
}

// TestStackByLoops compares lanes of a block with the same stack computed in float64 by loops,
// from the same draws. The columns of W follow each other, with standard normal entries that are
// then divided by √d.
func TestStackByLoops(t *testing.T) {
	for _, size := range [][2]int{{2, 2}, {2, 5}, {7, 3}, {16, 32}} {
		for _, w := range architectures(size[0], size[1], 3) {
			cell := stream.Open(stream.ID{Seed: 4, Cell: newDepthCell(w).ID})
			var lanes stream.Lanes
			cell.Block(&lanes, 0)
			s := newStacks(w)
			s.sample(&lanes)
			for _, lane := range []int{0, 9, 15} {
				compareLane(t, w, s, cell, lane)
			}
		}
	}
}

func compareLane(t *testing.T, w architecture, s *stacks, cell stream.Cell, lane int) {
	t.Helper()
	var lanes stream.Lanes
	cell.Block(&lanes, 0)
	normal := kernel.Vectors(distribution.Normal)
	vectors := func(rows int, scale float64) matrix64 {
		output, draws := make(matrix64, rows), make([]stackLanes, w.width)
		for i := range output {
			normal(&lanes, draws)
			output[i] = make([]float64, w.width)
			for c := range draws {
				output[i][c] = float64(draws[c][lane]) * scale
			}
		}
		return output
	}
	x := vectors(w.tokens, 1)
	weights := func() matrix64 { return transpose(vectors(w.width, 1/math.Sqrt(float64(w.width)))) }
	for layer := range w.layers {
		want, output := computeLayer(w, x, weights, layer == w.layers-1)
		for q, quantity := range depthQuantities {
			if got := s.means[layer][q][lane]; math.Abs(got-want[q]) > 1e-4*max(1, math.Abs(want[q])) {
				t.Errorf("%+v, lane %d, layer %d: %s is %v, by loops %v", w, lane, layer+1, quantity.name, got, want[q])
			}
		}
		for i := range output {
			for c := range output[i] {
				if w.residual {
					output[i][c] += x[i][c]
				}
				if got := float64(s.x[i*w.width+c][lane]); layer == w.layers-2 &&
					math.Abs(got-output[i][c]) > 1e-4*max(1, math.Abs(output[i][c])) {
					t.Errorf("%+v, lane %d: component %d of token %d is %v, by loops %v", w, lane, c, i, got, output[i][c])
				}
			}
		}
		x = output
	}
}

// softmaxRow returns exp(s_i)/Σ exp(s_j).
func softmaxRow(scores []float64) []float64 {
	weights, maxScore, sum := make([]float64, len(scores)), slices.Max(scores), 0.0
	for i, s := range scores {
		weights[i] = math.Exp(s - maxScore)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}
