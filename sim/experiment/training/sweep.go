package training

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// A sweep tries the same number of rates for each rule, an octave apart, around the rule's
// reference. If the best of them is the first or the last, it continues beyond that end.
const (
	coreOctaves    = names.CoreOctaves    // on either side of the reference
	furtherOctaves = names.FurtherOctaves // beyond one end
	maxOctaves     = coreOctaves + furtherOctaves
)

// trial is a cell with the records of its seeds.
type trial struct {
	cell    experiment.Cell
	octave  int
	records []training.Record
}

// sweep has the trials of one rule at all rates; everything else is equal.
type sweep struct {
	training.Setting
	aggregate experiment.Cell
	trials    []trial // in the order of their octaves
}

// groupSweeps groups trials that differ only in the octave, in the order of their first trials.
func groupSweeps(trials []trial) (sweeps []*sweep) {
	for _, group := range experiment.GroupBy(trials, func(t trial) string { return aggregateOver(t.cell).ID }) {
		slices.SortFunc(group, func(a, b trial) int { return a.octave - b.octave })
		c := group[0].cell
		sweeps = append(sweeps, &sweep{Setting: cellSetting(c), aggregate: aggregateOver(c), trials: group})
	}
	return sweeps
}

// aggregateOver returns the aggregate of cells that differ from c only in the octave and the given
// axes.
func aggregateOver(c experiment.Cell, joinedAxes ...string) experiment.Cell {
	id, joinedAxes := c.ID, append(joinedAxes, names.ParamOctave)
	var axes []string
	for _, a := range c.Experiment.Axes {
		if slices.Contains(joinedAxes, a.Name) {
			id = strings.Replace(id, a.Name+"="+c.Value(a.Name).String(), a.Name+"=*", 1)
		} else {
			axes = append(axes, a.Name)
		}
	}
	return c.Aggregate(id, axes...)
}

// hasOctave reports whether the rule was trained at an octave.
func (s *sweep) hasOctave(octave int) bool {
	return slices.ContainsFunc(s.trials, func(t trial) bool { return t.octave == octave })
}

// isComplete reports whether all rates that can be chosen were tried, including those beyond the
// ends of the core. Declared and predicted results use only such sweeps.
func (s *sweep) isComplete() bool {
	for octave := -maxOctaves; octave <= maxOctaves; octave++ {
		if !s.hasOctave(octave) {
			return false
		}
	}
	return true
}

// holes returns the octaves that can be chosen and were not tried: holes between octaves that were
// tried, and neighbours of the best octave.
func (s *sweep) holes() (holes, neighbours []int) {
	lo, hi := s.selectableOctaves(tuningLoss)
	first, last := s.trials[0].octave, s.trials[len(s.trials)-1].octave
	for octave := max(first, lo); octave <= min(last, hi); octave++ {
		if !s.hasOctave(octave) {
			holes = append(holes, octave)
		}
	}
	best := s.best(tuningLoss).octave
	for _, octave := range []int{best - 1, best + 1} {
		if octave >= lo && octave <= hi && !s.hasOctave(octave) && !slices.Contains(holes, octave) {
			neighbours = append(neighbours, octave)
		}
	}
	return holes, neighbours
}

// warnings returns the warnings about rates that were not tried.
func (s *sweep) warnings() (list []result.Warning) {
	add := func(text string) {
		list = append(list, result.Warning{Cell: s.trials[0].cell.ID, Quantity: names.TuningLoss, Text: text})
	}
	if s.best(tuningLoss) == nil {
		add(fmt.Sprintf("no rate within %d octaves of the reference was tried, so that none is chosen", coreOctaves))
		return list
	}
	holes, neighbours := s.holes()
	var texts []string
	if len(holes) > 0 {
		texts = append(texts,
			"the best rate may lie at an octave that was left out between others: "+joinOctaves(holes, ", "))
	}
	if len(neighbours) > 0 {
		texts = append(texts, "the best rate is the last that was tried, and a better one may lie beyond it, "+
			"at octave "+joinOctaves(neighbours, " or "))
	}
	if len(texts) > 0 {
		add(strings.Join(texts, "; "))
	}
	return list
}

// joinOctaves lists octaves in words.
func joinOctaves(octaves []int, separator string) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(octaves), "[]"), " ", separator)
}

// best returns the trial with the smallest loss among the rates of the core. If that is the first
// or the last of them, the rates beyond this end count too. Of equal losses it is the lowest rate.
// It returns nil if no rate of the core was tried.
func (s *sweep) best(loss func(*trial) float64) *trial {
	lo, hi := s.selectableOctaves(loss)
	if candidates := s.trialsBetween(lo, hi); len(candidates) > 0 {
		return minLossTrial(candidates, loss)
	}
	return nil
}

// selectableOctaves returns the first and the last octave that can be chosen; lo > hi if there is
// none.
func (s *sweep) selectableOctaves(loss func(*trial) float64) (lo, hi int) {
	lo, hi = -coreOctaves, coreOctaves
	core := s.trialsBetween(lo, hi)
	if len(core) == 0 {
		return 0, -1
	}
	best := minLossTrial(core, loss)
	if best == core[0] {
		lo = best.octave - furtherOctaves
	}
	if best == core[len(core)-1] {
		hi = best.octave + furtherOctaves
	}
	return lo, hi
}

// trialsBetween returns the trials from octave lo to octave hi.
func (s *sweep) trialsBetween(lo, hi int) (trials []*trial) {
	for i := range s.trials {
		if t := &s.trials[i]; t.octave >= lo && t.octave <= hi {
			trials = append(trials, t)
		}
	}
	return trials
}

// minLossTrial returns the first of the trials with the smallest loss.
func minLossTrial(trials []*trial, loss func(*trial) float64) *trial {
	return slices.MinFunc(trials, func(a, b *trial) int {
		return cmp.Or(cmp.Compare(loss(a), loss(b)), cmp.Compare(a.octave, b.octave))
	})
}

// tuningLoss returns the loss by which rates are chosen: the median over the choosing seeds of the
// mean loss over the run.
func tuningLoss(t *trial) float64 { return elementary.Median(slices.Sorted(slices.Values(t.losses()))) }

// resample is a set of seeds that were sampled with replacement.
type resample struct {
	chooserCounts [tuningSeeds]int // how often each choosing seed is in the set
	judges        []int            // the judging seeds, with repetitions
}

// resamples returns the sets of the bootstrap, which are the same for every sweep.
var resamples = sync.OnceValue(func() []resample {
	const setCount = 2000
	bits := stream.Open(stream.ID{Cell: "training/again"}).Rand(0)
	resampled := make([]resample, setCount)
	for i := range resampled {
		for range tuningSeeds {
			resampled[i].chooserCounts[bits.Intn(tuningSeeds)]++
		}
		for range judgingSeeds {
			resampled[i].judges = append(resampled[i].judges, bits.Intn(judgingSeeds))
		}
	}
	return resampled
})

// bootstrapChoices returns for each resampled set the trial that its choosing seeds would choose.
func (s *sweep) bootstrapChoices() []*trial {
	type choice struct {
		seed int
		loss float64
	}
	sortedLosses := map[*trial][]choice{} // sorted once, so that the losses of each set are in order
	for i := range s.trials {
		t := &s.trials[i]
		for seed, loss := range t.losses() {
			sortedLosses[t] = append(sortedLosses[t], choice{seed, loss})
		}
		slices.SortFunc(sortedLosses[t], func(a, b choice) int { return cmp.Compare(a.loss, b.loss) })
	}
	chosen, resampledLosses := make([]*trial, len(resamples())), make([]float64, 0, tuningSeeds)
	for i, set := range resamples() {
		medians := map[*trial]float64{}
		chosen[i] = s.best(func(t *trial) float64 {
			if _, ok := medians[t]; !ok {
				resampledLosses = resampledLosses[:0]
				for _, c := range sortedLosses[t] {
					for range set.chooserCounts[c.seed] {
						resampledLosses = append(resampledLosses, c.loss)
					}
				}
				medians[t] = elementary.Median(resampledLosses)
			}
			return medians[t]
		})
	}
	return chosen
}

// losses returns the mean losses over the run of the choosing seeds.
func (t *trial) losses() []float64 {
	return mapRecords(t.records[:tuningSeeds], func(r *training.Record) float64 { return r.Mean })
}

// seedLoss returns the loss by which a single seed would choose.
func seedLoss(seed int) func(*trial) float64 {
	return func(t *trial) float64 { return t.records[seed].Mean }
}

// ratesBySeed returns the rate that each choosing seed would choose by itself.
func (s *sweep) ratesBySeed() []float64 {
	rates := make([]float64, tuningSeeds)
	for i := range rates {
		rates[i] = octaveRate(s.Setting, s.best(seedLoss(i)).octave)
	}
	return rates
}

// judges returns the records of the judging seeds.
func (t *trial) judges() []training.Record { return t.records[tuningSeeds:] }

// countReached returns how many of the judging seeds reach the threshold.
func (t *trial) countReached() (n int64) {
	for _, r := range t.judges() {
		if r.Steps != training.Never {
			n++
		}
	}
	return n
}

// stepsToThreshold returns the steps of the judging seeds to the threshold, +Inf for those that do
// not reach it.
func (t *trial) stepsToThreshold() []float64 {
	return mapRecords(t.judges(), func(r *training.Record) float64 {
		if r.Steps == training.Never {
			return math.Inf(1)
		}
		return float64(r.Steps)
	})
}
