//go:build long

package training

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/names"
)

// TestCoverageWithTheChoice replicates the protocol at one small cell, d_k = 16 and 100 steps:
// seeds choose the rate of each rule, and others judge. The share of 400 replications in which an
// interval of 95 % holds the median ratio of steps at the truly best rates, those of all seeds
// together, is within two points of nominal. Nominal is 95 %, and 97.5 % where the upper limit is
// open, since no interval can then miss to that side.
func TestCoverageWithTheChoice(t *testing.T) {
	for _, adam := range []bool{true, false} {
		coverage(t, adam)
	}
}

func coverage(t *testing.T, adam bool) {
	const replications, d, steps, octaves = 400, 16, 100, 4
	exponents := []float64{0, 0.5, 1}
	type key struct{ rule, octave int }
	all := map[key][][]training.Record{}
	for rule, p := range exponents {
		for octave := -octaves; octave <= octaves; octave++ {
			s := training.Setting{Rule: training.Rule{Exponent: p}, Dimension: d, Adam: adam, OtherRate: training.OtherRate(adam),
				Steps: steps, Epsilon: training.Epsilon}
			s.Rate = rate(s, octave)
			runs := make([][]training.Record, replications)
			var next atomic.Int64
			var group sync.WaitGroup
			for range 2 {
				group.Go(func() {
					n := training.New(s)
					for i := next.Add(1) - 1; i < replications; i = next.Add(1) - 1 {
						var lanes stream.Lanes
						stream.Open(stream.ID{Seed: 999, Cell: fmt.Sprint("coverage/", i)}).Block(&lanes, 0)
						runs[i] = n.Run(training.SampleData(&lanes, s, seeds))
					}
				})
			}
			group.Wait()
			all[key{rule, octave}] = runs
		}
	}
	sweepOf := func(rule int, records func(of [][]training.Record) []training.Record) *sweep {
		s := &sweep{Setting: training.Setting{Steps: steps}}
		for octave := -octaves; octave <= octaves; octave++ {
			s.trials = append(s.trials, trial{octave: octave, records: records(all[key{rule, octave}])})
		}
		return s
	}
	whole := func(of [][]training.Record) []training.Record { return slices.Concat(of...) }
	bestOf := func(rule int) *trial {
		s := sweepOf(rule, whole)
		return least(s.within(-octaves, octaves), func(t *trial) float64 {
			return elementary.Median(slices.Sorted(slices.Values(each(t.records,
				func(r *training.Record) float64 { return r.Mean }))))
		})
	}
	stepsOf := func(records []training.Record) []float64 {
		return (&trial{records: slices.Concat(make([]training.Record, tuning), records)}).until()
	}
	for _, rule := range []int{0, 2} {
		var truth ratios
		of, to := stepsOf(bestOf(rule).records), stepsOf(bestOf(1).records)
		for i := range of {
			truth.add(of[i], to[i], steps)
		}
		slices.Sort(truth.lower)
		want, held, nominal := elementary.Median(truth.lower), 0.0, 0.0
		for i := range replications {
			one := func(of [][]training.Record) []training.Record { return of[i] }
			c := contrastOf(sweepOf(rule, one), sweepOf(1, one))
			lo, hi := c.limits()
			if lo <= want && want <= hi {
				held += 1.0 / replications
			}
			nominal += (1 - missRate) / replications
			if math.IsInf(hi, 1) {
				nominal += missRate / 2 / replications
			}
		}
		t.Logf("Adam %v, %s %v: the ratio is %.4g, and %.2f %% of intervals hold it, nominal %.2f %%",
			adam, names.ParamExponent, exponents[rule], want, 100*held, 100*nominal)
		if math.Abs(held-nominal) > 0.02 {
			t.Errorf("Adam %v, %s %v: coverage is %v, nominal %v", adam, names.ParamExponent, exponents[rule], held,
				nominal)
		}
	}
}
