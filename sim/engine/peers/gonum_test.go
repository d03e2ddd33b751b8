package peers

import (
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Goroutines of an iteration of BenchmarkGonum, and pairs in each goroutine.
const (
	gonumWorkers = 2
	gonumPairs   = 1 << 14
)

// BenchmarkGonum measures Var(q·k) of independent normal pairs with gonum, as its users write
// it: distuv.Normal, floats.Dot, one goroutine for each core.
func BenchmarkGonum(b *testing.B) {
	for b.Loop() {
		scores := make([][]float64, gonumWorkers)
		var group sync.WaitGroup
		for w := range scores {
			group.Go(func() {
				normal := distuv.Normal{Mu: 0, Sigma: 1, Src: rand.NewPCG(1, uint64(w))}
				q, k := make([]float64, dimension), make([]float64, dimension)
				scores[w] = make([]float64, gonumPairs)
				for i := range scores[w] {
					for j := range q {
						q[j], k[j] = normal.Rand(), normal.Rand()
					}
					scores[w][i] = floats.Dot(q, k)
				}
			})
		}
		group.Wait()
		if v := stat.Variance(scores[0], nil) / dimension; v < 0.5 || v > 2 {
			b.Fatalf("the variance is %v", v)
		}
	}
}
