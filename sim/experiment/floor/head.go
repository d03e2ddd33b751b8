package floor

import (
	"context"
	"math"

	"golang.org/x/sync/errgroup"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
)

// Operands has the formats of the operands of the two products of attention. Nil means float64.
type Operands struct{ QueryKey, Weights, Values *Format }

// Setting describes heads: the distribution of a component, d_k, the number of keys, and σ, the
// standard deviation of a logit, by which queries are multiplied.
type Setting struct {
	Distribution    distribution.Distribution
	Dimension, Keys int
	Sigma           float64
	// Queries is the number of queries of the tensor, which determines a scale of the whole tensor.
	// The output of the first sixteen is computed; 0 means sixteen.
	Queries int
}

// head has at least sixteen queries that share their keys and values. Blocks of a format lie along the axis
// over which a product sums, which is therefore the rows of each tensor.
type head struct {
	Setting
	queries, keys []float64 // vector by vector
	values        []float64 // first components of all keys, then second ones, and so on
}

// sample returns the next head of the streams.
func (s Setting) sample(lanes *stream.Lanes) *head {
	queries := max(kernel.Width, s.Queries)
	h := &head{s, make([]float64, queries*s.Dimension), make([]float64, s.Keys*s.Dimension),
		make([]float64, s.Keys*s.Dimension)}
	sampleVectors, vectors := kernel.Vectors(s.Distribution), make([][kernel.Width]float32, s.Dimension)
	fill := func(n int, set func(vector, t int, x float64)) {
		for first := 0; first < n; first += kernel.Width {
			sampleVectors(lanes, vectors)
			for t := range vectors {
				for lane := range min(kernel.Width, n-first) {
					set(first+lane, t, float64(vectors[t][lane]))
				}
			}
		}
	}
	fill(queries, func(i, t int, x float64) { h.queries[i*s.Dimension+t] = float64(x * s.Sigma) })
	fill(s.Keys, func(j, t int, x float64) { h.keys[j*s.Dimension+t] = x })
	fill(s.Keys, func(j, t int, x float64) { h.values[t*s.Keys+j] = x })
	return h
}

// rowWeights has the weights of each row before the division by their sum: e^(s − max s).
type rowWeights struct{ weights, sums []float64 }

// weigh returns the weights of queries and keys that are stored in the format.
func (h *head) weigh(f *Format) rowWeights {
	queries := f.store(h.queries, h.Dimension)[:kernel.Width*h.Dimension]
	scores := multiply(queries, f.store(h.keys, h.Dimension), h.Dimension)
	sums, factor := make([]float64, kernel.Width), 1/math.Sqrt(float64(h.Dimension))
	for i := range sums {
		row := scores[i*h.Keys : (i+1)*h.Keys]
		largest := row[0]
		for _, s := range row {
			largest = max(largest, s)
		}
		for j, s := range row {
			row[j] = elementary.Exp(float64((s - largest) * factor))
		}
		sums[i] = elementary.Sum(row)
	}
	return rowWeights{scores, sums}
}

// output returns the output of each query, with values as they are stored. As in kernels of the kind
// of FlashAttention, weights are stored before the division by the sum of the unrounded ones.
func (h *head) output(w rowWeights, weightsFormat *Format, values []float64) []float64 {
	out := multiply(weightsFormat.store(w.weights, h.Keys), values, h.Keys)
	for i := range out {
		out[i] /= w.sums[i/h.Dimension]
	}
	return out
}

// multiply returns the products a·bᵀ of rows of the given length. It adds in the order of a row, to
// four sums at a time, since a has sixteen rows.
func multiply(a, b []float64, length int) []float64 {
	columns := len(b) / length
	products := make([]float64, len(a)/length*columns)
	for i := 0; i*length < len(a); i += 4 {
		a0 := a[i*length:][:length]
		a1, a2, a3 := a[(i+1)*length:][:len(a0)], a[(i+2)*length:][:len(a0)], a[(i+3)*length:][:len(a0)]
		for j := range columns {
			var s0, s1, s2, s3 float64
			row := b[j*length:][:len(a0)] // the lengths are equal, so that the loop needs no checks
			for t, x := range row {
				s0 += float64(a0[t] * x)
				s1 += float64(a1[t] * x)
				s2 += float64(a2[t] * x)
				s3 += float64(a3[t] * x)
			}
			for k, s := range [4]float64{s0, s1, s2, s3} {
				products[(i+k)*columns+j] = s
			}
		}
	}
	return products
}

// Indexes into Errors.
const (
	Largest  = iota // largest absolute error
	Distance        // cosine distance, 1 − cosine
	Mean            // mean absolute error
)

// Errors has the errors of all outputs of a head.
type Errors [3]float64

// compare returns the errors of an output.
func compare(output, exact []float64) (e Errors) {
	for i, x := range output {
		difference := math.Abs(x - exact[i])
		e[Largest] = max(e[Largest], difference)
		e[Mean] += difference / float64(len(output))
	}
	norms := math.Sqrt(float64(elementary.SumOfSquares(output) * elementary.SumOfSquares(exact)))
	e[Distance] = 1 - elementary.Dot(output, exact)/norms
	return e
}

// Sample returns the errors of the given number of heads, and the error of ctx if it ends first. It
// calls afterHead after each head, on any goroutine.
func (s Setting) Sample(
	ctx context.Context, o Operands, heads int, seed uint64, workers int, afterHead func(),
) ([]Errors, error) {
	cell, sample := stream.Open(stream.ID{Seed: seed, Cell: names.ExperimentOutputError}), make([]Errors, heads)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(workers, 1))
	for i := range sample {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			var lanes stream.Lanes
			cell.Block(&lanes, uint64(i))
			h := s.sample(&lanes)
			exact := h.output(h.weigh(nil), nil, h.values)
			sample[i] = compare(h.output(h.weigh(o.QueryKey), o.Weights, o.Values.store(h.values, h.Keys)), exact)
			afterHead()
			return nil
		})
	}
	return sample, group.Wait()
}
