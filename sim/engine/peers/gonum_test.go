package peers

import (
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

const (
	gonumWorkers = 2       // goroutines of an iteration of BenchmarkGonum
	gonumPairs   = 1 << 14 // pairs that each goroutine samples
)

// BenchmarkGonum computes Var(q·k) of independent normal pairs with gonum, as its users write it:
// with distuv.Normal and floats.Dot, in two goroutines.
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
			b.Fatalf("the variance over d_k is %v, want about 1", v)
		}
	}
}
