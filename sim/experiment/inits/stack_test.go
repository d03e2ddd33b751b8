package inits

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// matrix64 is rows of numbers; the references below take no shortcut.
type matrix64 [][]float64

func times(a, b matrix64) matrix64 {
	out := make(matrix64, len(a))
	for i := range a {
		out[i] = make([]float64, len(b[0]))
		for j := range out[i] {
			for t := range b {
				out[i][j] += a[i][t] * b[t][j]
			}
		}
	}
	return out
}

func transposed(a matrix64) matrix64 {
	out := make(matrix64, len(a[0]))
	for j := range out {
		out[j] = make([]float64, len(a))
		for i := range a {
			out[j][i] = a[i][j]
		}
	}
	return out
}

func normalised(a matrix64) matrix64 {
	out := make(matrix64, len(a))
	for i, row := range a {
		mean, square := meanOfRow(row), 0.0
		for _, x := range row {
			square += (x - mean) * (x - mean)
		}
		out[i] = make([]float64, len(row))
		for t, x := range row {
			out[i][t] = (x - mean) / math.Sqrt(square/float64(len(row)))
		}
	}
	return out
}

func meanOfRow(row []float64) float64 {
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
		mean := meanOfRow(row)
		for _, x := range row {
			sum += (x - mean) * (x - mean)
		}
	}
	return sum / float64(len(a)*(len(a[0])-1))
}

// layerByLoops returns what a layer sees of x and what it puts out.
func layerByLoops(
	w architecture, x matrix64, weights func() matrix64, last bool,
) (seen [len(depthQuantities)]float64, out matrix64) {
	n := float64(w.tokens)
	for i, a := range x {
		for j, b := range x {
			ab, aa, bb := 0.0, 0.0, 0.0
			for t := range a {
				ab, aa, bb = ab+a[t]*b[t], aa+a[t]*a[t], bb+b[t]*b[t]
			}
			if i != j {
				seen[tokenCosine] += ab / math.Sqrt(aa*bb) / (n * (n - 1))
			} else {
				seen[tokenVariance] += aa / (n * float64(w.width))
			}
		}
	}
	y := x
	if w.norm {
		y = normalised(x)
	}
	q, k := times(y, weights()), times(y, weights())
	logits := times(q, transposed(k))
	for i := range logits {
		for j := range logits[i] {
			logits[i][j] *= w.scale()
		}
	}
	seen[scoreVariance] = rowVariance(logits)
	alpha := make(matrix64, len(logits))
	for i, row := range logits {
		alpha[i] = softmax(row)
		squares, most := 0.0, 0.0
		for _, a := range alpha[i] {
			squares, most = squares+a*a, max(most, a)
		}
		seen[relativeTrace] += (1 - squares) / (1 - 1/n) / n
		seen[maxWeight] += most / n
	}
	if last {
		return seen, nil
	}
	return seen, times(times(alpha, times(y, weights())), weights())
}

// A lane of a block against the same stack in float64 by loops, from the same
// draws: W's columns follow each other, their entries standard normal before
// they are divided by √d.
func TestStackByLoops(t *testing.T) {
	for _, size := range [][2]int{{2, 2}, {2, 5}, {7, 3}, {16, 32}} {
		for _, w := range architectures(size[0], size[1], 3) {
			cell := stream.Open(stream.ID{Seed: 4, Cell: depthCell(w).ID})
			var lanes stream.Lanes
			cell.Block(&lanes, 0)
			s := newStacks(w)
			s.draw(&lanes)
			for _, lane := range []int{0, 9, 15} {
				compareLane(t, w, s, cell, lane)
			}
		}
	}
}

func compareLane(t *testing.T, w architecture, s *stacks, cell stream.Cell, lane int) {
	t.Helper()
	var again stream.Lanes
	cell.Block(&again, 0)
	normal := kernel.Vectors(distribution.Normal)
	vectors := func(rows int, scale float64) matrix64 {
		out, draws := make(matrix64, rows), make([]perStack, w.width)
		for i := range out {
			normal(&again, draws)
			out[i] = make([]float64, w.width)
			for c := range draws {
				out[i][c] = float64(draws[c][lane]) * scale
			}
		}
		return out
	}
	x := vectors(w.tokens, 1)
	weights := func() matrix64 { return transposed(vectors(w.width, 1/math.Sqrt(float64(w.width)))) }
	for layer := range w.layers {
		want, out := layerByLoops(w, x, weights, layer == w.layers-1)
		for q, quantity := range depthQuantities {
			if got := s.seen[layer][q][lane]; math.Abs(got-want[q]) > 1e-4*max(1, math.Abs(want[q])) {
				t.Errorf("%+v, lane %d, layer %d: %s is %v, by loops %v", w, lane, layer+1, quantity.name, got, want[q])
			}
		}
		for i := range out {
			for c := range out[i] {
				if w.residual {
					out[i][c] += x[i][c]
				}
				if got := float64(s.x[i*w.width+c][lane]); layer == w.layers-2 &&
					math.Abs(got-out[i][c]) > 1e-4*max(1, math.Abs(out[i][c])) {
					t.Errorf("%+v, lane %d: component %d of token %d is %v, by loops %v", w, lane, c, i, got, out[i][c])
				}
			}
		}
		x = out
	}
}

// softmax is exp(s_i)/Σ exp(s_j).
func softmax(scores []float64) []float64 {
	weights, most, sum := make([]float64, len(scores)), slices.Max(scores), 0.0
	for i, s := range scores {
		weights[i] = math.Exp(s - most)
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}
