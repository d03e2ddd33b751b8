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

// TestCoverageWithTheChoice replicates the protocol 400 times for d_k = 16 and 100 steps: some
// seeds choose the rate of each rule, and others judge it. The truth is the median ratio of steps
// over the seeds of all replications, at the best rates by all these seeds. The proportion of
// replications whose 95 % interval contains the truth must be within two percentage points of the
// nominal coverage. This is 95 %, or 97.5 % if the upper limit is infinite, since such an interval
// cannot miss on this side.
func TestCoverageWithTheChoice(t *testing.T) {
	for _, adam := range []bool{true, false} {
		t.Run(fmt.Sprint("Adam ", adam), func(t *testing.T) { checkCoverage(t, adam) })
	}
}

func checkCoverage(t *testing.T, adam bool) {
	const replications, d, steps, octaves = 400, 16, 100, 4
	exponents := []float64{0, 0.5, 1}
	type ruleOctave struct{ rule, octave int }        // rule is an index in exponents
	recordsOf := map[ruleOctave][][]training.Record{} // of each replication
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
			recordsOf[ruleOctave{rule, octave}] = runs
		}
	}
	// newSweepOf returns the sweep of a rule with the records that selectRecords returns for a
	// rate.
	newSweepOf := func(rule int, selectRecords func(runs [][]training.Record) []training.Record) *sweep {
		s := &sweep{Setting: training.Setting{Steps: steps}}
		for octave := -octaves; octave <= octaves; octave++ {
			s.trials = append(s.trials,
				trial{octave: octave, records: selectRecords(recordsOf[ruleOctave{rule, octave}])})
		}
		return s
	}
	allReplications := func(runs [][]training.Record) []training.Record { return slices.Concat(runs...) }
	bestTrial := func(rule int) *trial {
		s := newSweepOf(rule, allReplications)
		return minLossTrial(s.trialsBetween(-octaves, octaves), func(t *trial) float64 {
			return elementary.Median(slices.Sorted(slices.Values(mapRecords(t.records,
				func(r *training.Record) float64 { return r.Mean }))))
		})
	}
	// allSteps returns the steps of all records, after which stepsToThreshold sees only judging
	// seeds.
	allSteps := func(records []training.Record) []float64 {
		return (&trial{records: slices.Concat(make([]training.Record, tuningSeeds), records)}).stepsToThreshold()
	}
	for _, rule := range []int{0, 2} {
		var truth ratios
		ruleSteps, referenceSteps := allSteps(bestTrial(rule).records), allSteps(bestTrial(1).records)
		for i := range ruleSteps {
			truth.add(ruleSteps[i], referenceSteps[i], steps)
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
			t.Errorf("Adam %v, %s %v: coverage: got %v, want %v ± 0.02", adam, names.ParamExponent, exponents[rule],
				covered, nominal)
		}
	}
}
