package kernel

import (
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/distribution"
)

// BenchmarkKernels measures every function of every available kernel for 64 keys and the dimension
// 64. (.ci/instructions counts the instructions of these benchmarks.)
func BenchmarkKernels(b *testing.B) {
	const size = 64
	rng := rand.New(rand.NewPCG(29, 30))
	q, k, rows := newRows(rng, size, newNormal), newRows(rng, 3*size, newNormal), make([][Width]float32, size)
	scores, e, e2 := newRows(rng, size, newNormal), make([][Width]float32, size), make([][Width]float32, size)
	var (
		counts [Width]int32
		peaks  Peaks
		sums   RowSums
		tile   Tile
		grams  Sums
	)
	FindPeaks(scores, &peaks)
	// The products of 384 queries and 384 keys in a chunk of 256 components, as the Gram estimator
	// computes them for d_k ≥ 4096.
	const side, chunk = 384, 256
	queries, keys := newRows(rng, side/Width*chunk, newNormal), newRows(rng, side/Width*chunk, newNormal)
	gram := func(i implementation) func() {
		return func() {
			for query := 0; query < side; query += TileQueries {
				panel := queries[query/Width*chunk:][:chunk]
				for key := 0; key < side; key += TileKeys {
					i.products(panel, query%Width/TileQueries, keys[key/Width*chunk:], chunk, &tile, true, true, &grams)
				}
			}
		}
	}
	functions := map[string]func(i implementation) func(){
		"gram": gram,
		"products": func(i implementation) func() {
			return func() { i.products(q, 0, k, size, &tile, true, true, &grams) }
		},
		"dots":        func(i implementation) func() { return func() { i.dots(q, k, rows[:3]) } },
		"differences": func(i implementation) func() { return func() { i.differences(k, q, k, rows[:3]) } },
		"blend":       func(i implementation) func() { return func() { i.blend(k, q[:3], rows) } },
		"above":       func(i implementation) func() { return func() { i.countAbove(scores, &q[0], &counts) } },
		"weights":     func(i implementation) func() { return func() { i.weights(scores, &peaks, 1, e, e2) } },
		"peaks":       func(i implementation) func() { return func() { i.findPeaks(scores, &peaks) } },
		"rows":        func(i implementation) func() { return func() { i.sumRows(scores, &peaks, 1, &sums) } },
	}
	for _, dist := range distribution.Defaults() {
		s := openLanes(dist.String())
		functions["pairs/"+dist.String()] = func(i implementation) func() {
			pairs := i.pairs(dist)
			return func() { pairs(s, size, &rows[0]) }
		}
		functions["vectors/"+dist.String()] = func(i implementation) func() {
			vectors := i.vectors(dist)
			return func() { vectors(s, rows) }
		}
	}
	for name, newCall := range functions {
		for _, kernel := range Names() {
			call := newCall(mustChoose(kernel))
			b.Run(name+"/"+kernel, func(b *testing.B) {
				for b.Loop() {
					call()
				}
			})
		}
	}
}

// mustChoose returns a kernel of Names.
func mustChoose(name string) implementation {
	k, err := chooseImplementation(name)
	if err != nil {
		panic("kernel: " + err.Error())
	}
	return k
}
