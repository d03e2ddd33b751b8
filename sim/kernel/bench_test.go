package kernel

import (
	"math/rand/v2"
	"testing"

	"mcsim/sim/base/distribution"
)

// BenchmarkKernels times every function of every kernel that the processor has, on
// dimension and keys of 64 (.ci/instructions counts the same).
func BenchmarkKernels(b *testing.B) {
	const size = 64
	rng := rand.New(rand.NewPCG(29, 30))
	q, k, rows := laneRows(rng, size, ordinary), laneRows(rng, 3*size, ordinary), make([][Width]float32, size)
	scores, e, e2 := laneRows(rng, size, ordinary), make([][Width]float32, size), make([][Width]float32, size)
	var (
		counts [Width]int32
		peaks  Peaks
		sums   RowSums
		tile   Tile
		grams  Sums
	)
	FindPeaks(scores, &peaks)
	// A matrix of 384 queries by 384 keys by 256 components, as the Gram estimator has from
	// d_k = 4096 on.
	const side, chunk = 384, 256
	queries, keys := laneRows(rng, side/Width*chunk, ordinary), laneRows(rng, side/Width*chunk, ordinary)
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
		"gram":        gram,
		"products":    func(i implementation) func() { return func() { i.products(q, 0, k, size, &tile, true, true, &grams) } },
		"dots":        func(i implementation) func() { return func() { i.dots(q, k, rows[:3]) } },
		"differences": func(i implementation) func() { return func() { i.differences(k, q, k, rows[:3]) } },
		"blend":       func(i implementation) func() { return func() { i.blend(k, q[:3], rows) } },
		"above":       func(i implementation) func() { return func() { i.above(scores, &q[0], &counts) } },
		"weights":     func(i implementation) func() { return func() { i.weights(scores, &peaks, 1, e, e2) } },
		"peaks":       func(i implementation) func() { return func() { i.findPeaks(scores, &peaks) } },
		"rows":        func(i implementation) func() { return func() { i.rows(scores, &peaks, 1, &sums) } },
	}
	for _, l := range distribution.Defaults() {
		s := lanesOf(l.String())
		functions["pairs/"+l.String()] = func(i implementation) func() {
			pairs := i.pairs(l)
			return func() { pairs(s, size, &rows[0]) }
		}
		functions["vectors/"+l.String()] = func(i implementation) func() {
			vectors := i.vectors(l)
			return func() { vectors(s, rows) }
		}
	}
	for name, of := range functions {
		for _, kernel := range Names() {
			call := of(by(kernel))
			b.Run(name+"/"+kernel, func(b *testing.B) {
				for b.Loop() {
					call()
				}
			})
		}
	}
}

// by is the kernel of a name, which must be one of Names.
func by(name string) implementation {
	k, err := choose(name)
	if err != nil {
		panic("kernel: no such kernel is available")
	}
	return k
}
