// Command gonum measures Var(q·k) of independent normal pairs with gonum, as
// its users write it: distuv.Normal, floats.Dot, one goroutine a core.
//
// usage: gonum normal D COMPONENTS GOROUTINES
//
// It prints the seconds that drawing and reducing took.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"time"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// main draws and reduces on every worker, and refuses a variance that cannot be right.
func main() {
	d, _ := strconv.Atoi(os.Args[2])
	count, _ := strconv.ParseFloat(os.Args[3], 64)
	workers, _ := strconv.Atoi(os.Args[4])
	pairs := int(count) / d / workers
	scores := make([][]float64, workers)
	begun := time.Now()
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			normal := distuv.Normal{Mu: 0, Sigma: 1, Src: rand.NewPCG(1, uint64(w))}
			q, k := make([]float64, d), make([]float64, d)
			out := make([]float64, pairs)
			for i := range out {
				for j := range q {
					q[j], k[j] = normal.Rand(), normal.Rand()
				}
				out[i] = floats.Dot(q, k)
			}
			scores[w] = out
		})
	}
	group.Wait()
	spent := time.Since(begun)
	if v := stat.Variance(scores[0], nil) / float64(d); v < 0.5 || v > 2 {
		fmt.Fprintln(os.Stderr, "the variance came out as", v)
		os.Exit(1)
	}
	fmt.Println(spent.Seconds())
}
