// Package bench times the kernels: nanoseconds per component, where one
// component is one product q_i·k_i with the two variates that it takes. All
// that is compared runs in turn, round by round, so that a change of the
// machine's speed meets all of it alike; medians and ranges of the rounds are
// reported, never a single time.
package bench

import (
	"slices"
	"sync"
	"time"

	"mcsim/sim/kernel"
	"mcsim/sim/law"
	"mcsim/sim/stream"
)

// Times is what several rounds took, in nanoseconds per component.
type Times struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// summary of the rounds.
func summary(rounds []float64) Times {
	sorted := slices.Sorted(slices.Values(rounds))
	n := len(sorted)
	return Times{Median: (sorted[(n-1)/2] + sorted[n/2]) / 2, Min: sorted[0], Max: sorted[n-1]}
}

// Row is one kernel on one law.
type Row struct {
	Law       string `json:"law"`
	Kernel    string `json:"kernel"`
	Dimension int    `json:"d_k"`
	Workers   int    `json:"workers"`
	Times
}

// Dimension is the d_k at which kernels are timed.
const Dimension = 512

// Scaling is how often faster several workers were than one, by the fastest kernel.
type Scaling struct {
	Law     string `json:"law"`
	Workers int    `json:"workers"`
	Factor  Times  `json:"factor"`
}

// Kernels times every law on every kernel that this processor has, with one
// worker, and the fastest kernel with all of the given workers too. Each
// round of each takes about the given time.
func Kernels(laws []law.Law, workers, rounds int, each time.Duration) ([]Row, []Scaling) {
	var rows []Row
	for _, l := range laws {
		for i, name := range kernel.Names() {
			rows = append(rows, Row{Law: l.String(), Kernel: name, Dimension: Dimension, Workers: 1})
			if i == 0 && workers > 1 {
				rows = append(rows, Row{Law: l.String(), Kernel: name, Dimension: Dimension, Workers: workers})
			}
		}
	}
	times := make([][]float64, len(rows))
	byName := map[string]law.Law{}
	for _, l := range laws {
		byName[l.String()] = l
	}
	for range rounds {
		for i, r := range rows {
			times[i] = append(times[i], round(byName[r.Law], r.Kernel, r.Workers, each))
		}
	}
	var factors []Scaling
	for i, r := range rows {
		rows[i].Times = summary(times[i])
		if r.Workers > 1 { // the row before is that of one worker
			factors = append(factors, Scaling{r.Law, r.Workers, ratios(times[i-1], times[i])})
		}
	}
	return rows, factors
}

// ratios are a over b, round by round.
func ratios(a, b []float64) Times {
	each := make([]float64, len(a))
	for i := range a {
		each[i] = a[i] / b[i]
	}
	return summary(each)
}

// round runs the kernel on each worker for about the given time and returns
// the nanoseconds that one component took of the whole.
func round(l law.Law, name string, workers int, each time.Duration) float64 {
	counts := make([]int, workers)
	var group sync.WaitGroup
	begun := time.Now()
	for w := range workers {
		group.Go(func() {
			pairs := kernel.PairsBy(name, l)
			var lanes stream.Lanes
			var scores [stream.Width]float32
			stream.Open(stream.Key{Cell: "bench"}).Block(&lanes, uint64(w))
			for time.Since(begun) < each {
				for range 8 {
					pairs(&lanes, Dimension, &scores)
				}
				counts[w] += 8 * stream.Width * Dimension
			}
		})
	}
	group.Wait()
	spent, total := time.Since(begun), 0
	for _, n := range counts {
		total += n
	}
	return float64(spent.Nanoseconds()) / float64(total)
}
