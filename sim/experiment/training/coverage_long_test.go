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
// seeds choose the rate of each rule, and others judge. The truth is the median ratio of steps of
// all seeds at the best rates by all seeds. The proportion of 400 replications in which the 95 %
// interval contains it must be within two percentage points of nominal. Nominal is 95 %, and 97.5
// % if the upper limit is open, since the interval cannot miss on that side.
func TestCoverageWithTheChoice(t *testing.T) {
	for _, adam := range []bool{true, false} {
		coverage(t, adam)
	}
}

func coverage(t *testing.T, adam bool) {
	const replications, d, steps, octaves = 400, 16, 100, 4
	exponents := []float64{0, 0.5, 1}
	type point struct{ rule, octave int }
	records := map[point][][]training.Record{} // for each replication
	for rule, p := range exponents {
		for octave := -octaves; octave <= octaves; octave++ {
			s := training.Setting{Rule: training.Rule{Exponent: p}, Dimension: d, Adam: adam,
				OtherRate: training.OtherRate(adam), Steps: steps, Epsilon: training.Epsilon}
			s.Rate = octaveRate(s, octave)
			runs := make([][]training.Record, replications)
			var next atomic.Int64
			var group sync.WaitGroup
			for range 2 {
				group.Go(func() {
					n := training.New(s)
					for i := next.Add(1) - 1; i < replications; i = next.Add(1) - 1 {
						var lanes stream.Lanes
						stream.Open(stream.ID{Seed: 999, Cell: fmt.Sprint("coverage/", i)}).Block(&lanes, 0)
						runs[i] = n.Run(training.SampleData(&lanes, s, seedCount))
					}
				})
			}
			group.Wait()
			records[point{rule, octave}] = runs
		}
	}
	newSweepOf := func(rule int, choose func(runs [][]training.Record) []training.Record) *sweep {
		s := &sweep{Setting: training.Setting{Steps: steps}}
		for octave := -octaves; octave <= octaves; octave++ {
			s.trials = append(s.trials, trial{octave: octave, records: choose(records[point{rule, octave}])})
		}
		return s
	}
	concat := func(runs [][]training.Record) []training.Record { return slices.Concat(runs...) }
	bestTrial := func(rule int) *trial {
		s := newSweepOf(rule, concat)
		return minLossTrial(s.trialsBetween(-octaves, octaves), func(t *trial) float64 {
			return elementary.Median(slices.Sorted(slices.Values(mapRecords(t.records,
				func(r *training.Record) float64 { return r.Mean }))))
		})
	}
	judgeSteps := func(records []training.Record) []float64 {
		return (&trial{records: slices.Concat(make([]training.Record, tuningSeeds), records)}).stepsToThreshold()
	}
	for _, rule := range []int{0, 2} {
		var truth ratios
		ruleSteps, rootSteps := judgeSteps(bestTrial(rule).records), judgeSteps(bestTrial(1).records)
		for i := range ruleSteps {
			truth.add(ruleSteps[i], rootSteps[i], steps)
		}
		slices.Sort(truth.lower)
		want, covered, nominal := elementary.Median(truth.lower), 0.0, 0.0
		for i := range replications {
			replication := func(runs [][]training.Record) []training.Record { return runs[i] }
			c := newContrast(newSweepOf(rule, replication), newSweepOf(1, replication))
			lo, hi := c.limits()
			if lo <= want && want <= hi {
				covered += 1.0 / replications
			}
			nominal += (1 - maxMissProbability) / replications
			if math.IsInf(hi, 1) {
				nominal += maxMissProbability / 2 / replications
			}
		}
		t.Logf("Adam %v, %s %v: the ratio is %.4g, and %.2f %% of intervals contain it, nominal %.2f %%",
			adam, names.ParamExponent, exponents[rule], want, 100*covered, 100*nominal)
		if math.Abs(covered-nominal) > 0.02 {
			t.Errorf("Adam %v, %s %v: coverage is %v, nominal %v", adam, names.ParamExponent, exponents[rule], covered,
				nominal)
		}
	}
}
