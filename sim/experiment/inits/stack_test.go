package inits

import (
	"math"
	"slices"
	"testing"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
)

// matrix64 is a matrix as a list of its rows. Its operations are the reference for package kernel.
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

// meanRowVariance returns the mean over rows of the unbiased variance of a row.
func meanRowVariance(a matrix64) float64 {
	sum := 0.0
	for _, row := range a {
		mean := rowMean(row)
		for _, x := range row {
			sum += (x - mean) * (x - mean)
		}
	}
	return sum / float64(len(a)*(len(a[0])-1))
}

// computeLayer returns the means of a layer with the input x, and its output without the residual,
// which is nil for the last layer. sampleWeights returns the next weight matrix of the stack.
func computeLayer(
	w architecture, x matrix64, sampleWeights func() matrix64, isLast bool,
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
	q, k := multiply(y, sampleWeights()), multiply(y, sampleWeights())
	logits := multiply(q, transpose(k))
	for i := range logits {
		for j := range logits[i] {
			logits[i][j] *= w.scale()
		}
	}
	means[scoreVariance] = meanRowVariance(logits)
	alpha := make(matrix64, len(logits))
	for i, row := range logits {
		alpha[i] = softmaxRow(row)
		squares := 0.0
		for _, a := range alpha[i] {
			squares += a * a
		}
		means[relativeTrace] += (1 - squares) / (1 - 1/n) / n
		means[maxWeight] += slices.Max(alpha[i]) / n
	}
	if isLast {
		return means, nil
	}
	values := multiply(y, sampleWeights())
	return means, multiply(multiply(alpha, values), sampleWeights())
}

// TestStackByLoops compares the means and the outputs of some lanes of a block with the same stacks
// computed in float64 by loops, from the same random numbers. The weight matrices of the reference
// have entries of variance 1/d.
func TestStackByLoops(t *testing.T) {
	for _, size := range []struct{ tokens, width int }{{2, 2}, {2, 5}, {7, 3}, {16, 32}} {
		for _, w := range architectures(size.tokens, size.width, 3) {
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

// compareLane compares the means of a lane of s, and the output of the last layer that has one,
// with computeLayer. s must be the result of sampling block 0 of the cell.
func compareLane(t *testing.T, w architecture, s *stacks, cell stream.Cell, lane int) {
	t.Helper()
	var lanes stream.Lanes
	cell.Block(&lanes, 0)
	fillNormal := kernel.Vectors(distribution.Normal)
	sampleVectors := func(count int, sd float64) matrix64 {
		vectors, components := make(matrix64, count), make([]stackLanes, w.width)
		for i := range vectors {
			fillNormal(&lanes, components)
			vectors[i] = make([]float64, w.width)
			for c := range components {
				vectors[i][c] = float64(components[c][lane]) * sd
			}
		}
		return vectors
	}
	x := sampleVectors(w.tokens, 1)
	sampleWeights := func() matrix64 { return transpose(sampleVectors(w.width, 1/math.Sqrt(float64(w.width)))) }
	isNear := func(got, want float64) bool { return math.Abs(got-want) <= 1e-4*max(1, math.Abs(want)) }
	for layer := range w.layers {
		want, output := computeLayer(w, x, sampleWeights, layer == w.layers-1)
		for q, quantity := range depthQuantities {
			if got := s.means[layer][q][lane]; !isNear(got, want[q]) {
				t.Errorf("%+v, lane %d, layer %d: %s: got %v, want %v by loops", w, lane, layer+1, quantity.name, got,
					want[q])
			}
		}
		for i := range output {
			for c := range output[i] {
				if w.residual {
					output[i][c] += x[i][c]
				}
				if layer != w.layers-2 {
					continue // s.x has only the last output
				}
				if got, want := float64(s.x[i*w.width+c][lane]), output[i][c]; !isNear(got, want) {
					t.Errorf("%+v, lane %d: component %d of output token %d: got %v, want %v by loops", w, lane, c, i,
						got, want)
				}
			}
		}
		x = output
	}
}

// softmaxRow returns the softmax exp(s_i)/Σ exp(s_j) of the scores s.
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
