package training

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcsim/sim/attention/training"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// A sweep trains a rule at rates that are an octave apart. The core of a sweep is the same for each
// rule: the reference rate of the rule, and coreOctaves rates on either side. If the best rate of
// the core is its first or its last, furtherOctaves rates beyond this end can be chosen too.
const (
	coreOctaves    = names.CoreOctaves
	furtherOctaves = names.FurtherOctaves
	maxOctaves     = coreOctaves + furtherOctaves
)

// trial is a cell (a rule at one rate) with the records of its seeds.
type trial struct {
	cell    experiment.Cell
	octave  int
	records []training.Record
}

// sweep has the trials of cells that differ only in the rate.
type sweep struct {
	training.Setting
	aggregate experiment.Cell
	trials    []trial // in ascending order of their octaves
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

// aggregateOver returns the aggregate of the cells that differ from c only in the octave and on the
// given axes.
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

// isComplete reports whether all rates that could be chosen were tried, including the further
// octaves on both sides. Declared and predicted results use only complete sweeps.
func (s *sweep) isComplete() bool {
	for octave := -maxOctaves; octave <= maxOctaves; octave++ {
		if !s.hasOctave(octave) {
			return false
		}
	}
	return true
}

// untriedOctaves returns the octaves that can be chosen but were not tried: gaps between octaves
// that were tried, and neighbours of the best octave.
func (s *sweep) untriedOctaves() (gaps, neighbours []int) {
	lo, hi := s.selectableOctaves(tuningLoss)
	first, last := s.trials[0].octave, s.trials[len(s.trials)-1].octave
	for octave := max(first, lo); octave <= min(last, hi); octave++ {
		if !s.hasOctave(octave) {
			gaps = append(gaps, octave)
		}
	}
	best := s.best(tuningLoss).octave
	for _, octave := range []int{best - 1, best + 1} {
		isSelectable := octave >= lo && octave <= hi
		if isSelectable && !s.hasOctave(octave) && !slices.Contains(gaps, octave) {
			neighbours = append(neighbours, octave)
		}
	}
	return gaps, neighbours
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
	gaps, neighbours := s.untriedOctaves()
	var texts []string
	if len(gaps) > 0 {
		texts = append(texts,
			"the best rate may lie at an octave that was left out between others: "+joinOctaves(gaps, ", "))
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

// joinOctaves returns the octaves as text.
func joinOctaves(octaves []int, separator string) string {
	return strings.Join(names.Map(octaves, strconv.Itoa), separator)
}

// best returns the trial with the smallest loss among the selectable octaves, or nil if no rate of
// the core was tried. If several losses are equal, it returns the trial with the lowest rate.
func (s *sweep) best(loss func(*trial) float64) *trial {
	lo, hi := s.selectableOctaves(loss)
	if candidates := s.trialsBetween(lo, hi); len(candidates) > 0 {
		return minLossTrial(candidates, loss)
	}
	return nil
}

// selectableOctaves returns the first and the last octave that can be chosen: the core, and the
// further octaves beyond an end of the trials of the core that has their smallest loss. It returns
// lo > hi if no rate of the core was tried.
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

// trialsBetween returns the trials with octaves in lo..hi.
func (s *sweep) trialsBetween(lo, hi int) (trials []*trial) {
	for i := range s.trials {
		if t := &s.trials[i]; t.octave >= lo && t.octave <= hi {
			trials = append(trials, t)
		}
	}
	return trials
}

// minLossTrial returns the trial with the smallest loss, and among equal losses the lowest rate.
func minLossTrial(trials []*trial, loss func(*trial) float64) *trial {
	return slices.MinFunc(trials, func(a, b *trial) int {
		return cmp.Or(cmp.Compare(loss(a), loss(b)), cmp.Compare(a.octave, b.octave))
	})
}

// tuningLoss returns the loss by which rates are chosen: the median over the choosing seeds of the
// mean loss of a run.
func tuningLoss(t *trial) float64 {
	return elementary.Median(slices.Sorted(slices.Values(t.tuningLosses())))
}

// resample is a set of seeds for the bootstrap, sampled with replacement.
type resample struct {
	tuningCounts [tuningSeeds]int // number of times that each choosing seed is in the set
	judges       []int            // indexes of judging seeds, with repetitions
}

// resamples returns the sets of the bootstrap, which are the same for every sweep.
var resamples = sync.OnceValue(func() []resample {
	const setCount = 2000
	bits := stream.Open(stream.ID{Cell: "training/again"}).Rand(0)
	resampled := make([]resample, setCount)
	for i := range resampled {
		for range tuningSeeds {
			resampled[i].tuningCounts[bits.Intn(tuningSeeds)]++
		}
		for range judgingSeeds {
			resampled[i].judges = append(resampled[i].judges, bits.Intn(judgingSeeds))
		}
	}
	return resampled
})

// bootstrapChoices returns for each set of resamples the best trial by its choosing seeds.
func (s *sweep) bootstrapChoices() []*trial {
	type tuningRun struct {
		seed int
		loss float64
	}
	// The runs are sorted once, so that the losses of each set are in ascending order too.
	sortedRuns := map[*trial][]tuningRun{}
	for i := range s.trials {
		t := &s.trials[i]
		for seed, loss := range t.tuningLosses() {
			sortedRuns[t] = append(sortedRuns[t], tuningRun{seed, loss})
		}
		slices.SortFunc(sortedRuns[t], func(a, b tuningRun) int { return cmp.Compare(a.loss, b.loss) })
	}
	chosen, losses := make([]*trial, len(resamples())), make([]float64, 0, tuningSeeds)
	for i, set := range resamples() {
		medians := map[*trial]float64{} // computed once, since best compares a trial several times
		chosen[i] = s.best(func(t *trial) float64 {
			if _, ok := medians[t]; !ok {
				losses = losses[:0]
				for _, run := range sortedRuns[t] {
					for range set.tuningCounts[run.seed] {
						losses = append(losses, run.loss)
					}
				}
				medians[t] = elementary.Median(losses)
			}
			return medians[t]
		})
	}
	return chosen
}

// tuningLosses returns the mean loss of the run of each choosing seed.
func (t *trial) tuningLosses() []float64 {
	return mapRecords(t.records[:tuningSeeds], func(r *training.Record) float64 { return r.Mean })
}

// seedLoss returns the loss by which a single seed would choose the rate: the mean loss of its run.
func seedLoss(seed int) func(*trial) float64 {
	return func(t *trial) float64 { return t.records[seed].Mean }
}

// ratesBySeed returns the rate that each single choosing seed would choose.
func (s *sweep) ratesBySeed() []float64 {
	rates := make([]float64, tuningSeeds)
	for i := range rates {
		rates[i] = octaveRate(s.Setting, s.best(seedLoss(i)).octave)
	}
	return rates
}

// judgingRecords returns the records of the judging seeds.
func (t *trial) judgingRecords() []training.Record { return t.records[tuningSeeds:] }

// countReached returns the number of judging seeds that reach the threshold.
func (t *trial) countReached() (n int64) {
	for _, r := range t.judgingRecords() {
		if r.Steps != training.Never {
			n++
		}
	}
	return n
}

// stepsToThreshold returns the number of steps that each judging seed takes to the threshold, or
// +Inf if it does not reach the threshold.
func (t *trial) stepsToThreshold() []float64 {
	return mapRecords(t.judgingRecords(), func(r *training.Record) float64 {
		if r.Steps == training.Never {
			return math.Inf(1)
		}
		return float64(r.Steps)
	})
}
