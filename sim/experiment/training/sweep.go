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

// A sweep tries rates an octave apart, as many for each rule, about the rule's reference.
// Where the best of them is the first or the last, it goes on beyond that end.
const (
	coreOctaves    = names.CoreOctaves    // on either side of the reference
	furtherOctaves = names.FurtherOctaves // beyond an end
	maxOctaves     = coreOctaves + furtherOctaves
)

// trial is a cell with the records of its seeds.
type trial struct {
	cell    experiment.Cell
	octave  int
	records []training.Record
}

// sweep is the trials of one rule at all rates; all else is the same.
type sweep struct {
	training.Setting
	point  experiment.Cell
	trials []trial // in the order of their octaves
}

// sweepsOf groups trials by everything but the octave, in the order of their first trials.
func sweepsOf(trials []trial) (all []*sweep) {
	for _, group := range experiment.GroupBy(trials, func(t trial) string { return pointOf(t.cell).ID }) {
		slices.SortFunc(group, func(a, b trial) int { return a.octave - b.octave })
		c := group[0].cell
		all = append(all, &sweep{Setting: settingOf(c), point: pointOf(c), trials: group})
	}
	return all
}

// pointOf returns the aggregate over the octaves of a cell, and over further axes.
func pointOf(c experiment.Cell, dropped ...string) experiment.Cell {
	id, dropped := c.ID, append(dropped, names.ParamOctave)
	var axes []string
	for _, a := range c.Experiment.Axes {
		if slices.Contains(dropped, a.Name) {
			id = strings.Replace(id, a.Name+"="+c.Value(a.Name).String(), a.Name+"=*", 1)
		} else {
			axes = append(axes, a.Name)
		}
	}
	return c.Aggregate(id, axes...)
}

// tried reports whether the rule was trained at an octave.
func (s *sweep) tried(octave int) bool {
	return slices.ContainsFunc(s.trials, func(t trial) bool { return t.octave == octave })
}

// whole reports whether all rates that can be chosen were tried, including those beyond the ends of
// the core. Declared and predicted results rest only on such sweeps.
func (s *sweep) whole() bool {
	for octave := -maxOctaves; octave <= maxOctaves; octave++ {
		if !s.tried(octave) {
			return false
		}
	}
	return true
}

// holes returns, of the octaves that could be chosen, those left out between others, and those next
// to the best one that were not tried.
func (s *sweep) holes() (holes, beside []int) {
	lo, hi := s.reach(tuned)
	first, last := s.trials[0].octave, s.trials[len(s.trials)-1].octave
	for octave := max(first, lo); octave <= min(last, hi); octave++ {
		if !s.tried(octave) {
			holes = append(holes, octave)
		}
	}
	best := s.best(tuned).octave
	for _, octave := range []int{best - 1, best + 1} {
		if octave >= lo && octave <= hi && !s.tried(octave) && !slices.Contains(holes, octave) {
			beside = append(beside, octave)
		}
	}
	return holes, beside
}

// warnings returns what a reader should know about the rates that were tried.
func (s *sweep) warnings() (out []result.Warning) {
	warn := func(text string) {
		out = append(out, result.Warning{Cell: s.trials[0].cell.ID, Quantity: names.TuningLoss, Text: text})
	}
	if s.best(tuned) == nil {
		warn(fmt.Sprintf("no rate within %d octaves of the reference was tried, so that none is chosen", coreOctaves))
		return out
	}
	holes, beside := s.holes()
	var texts []string
	if len(holes) > 0 {
		texts = append(texts,
			"the best rate may lie at an octave that was left out between others: "+joined(holes, ", "))
	}
	if len(beside) > 0 {
		texts = append(texts, "the best rate is the last that was tried, and a better one may lie beyond it, "+
			"at octave "+joined(beside, " or "))
	}
	if len(texts) > 0 {
		warn(strings.Join(texts, "; "))
	}
	return out
}

// joined lists octaves in words.
func joined(octaves []int, between string) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(octaves), "[]"), " ", between)
}

// best returns the trial of the least loss among the rates of the core. If that is the first or the
// last of them, the rates beyond this end count too. Of equal ones it is the lowest rate.
func (s *sweep) best(loss func(*trial) float64) *trial {
	lo, hi := s.reach(loss)
	if within := s.within(lo, hi); len(within) > 0 {
		return least(within, loss)
	}
	return nil
}

// reach returns the first and the last octave that can be chosen.
func (s *sweep) reach(loss func(*trial) float64) (lo, hi int) {
	lo, hi = -coreOctaves, coreOctaves
	core := s.within(lo, hi)
	if len(core) == 0 {
		return 0, -1
	}
	first := least(core, loss)
	if first == core[0] {
		lo = first.octave - furtherOctaves
	}
	if first == core[len(core)-1] {
		hi = first.octave + furtherOctaves
	}
	return lo, hi
}

// within returns the trials from octave lo to octave hi.
func (s *sweep) within(lo, hi int) (found []*trial) {
	for i := range s.trials {
		if t := &s.trials[i]; t.octave >= lo && t.octave <= hi {
			found = append(found, t)
		}
	}
	return found
}

// least returns the first of the trials of the least loss.
func least(trials []*trial, loss func(*trial) float64) *trial {
	return slices.MinFunc(trials, func(a, b *trial) int {
		return cmp.Or(cmp.Compare(loss(a), loss(b)), cmp.Compare(a.octave, b.octave))
	})
}

// tuned returns the loss by which rates are chosen: the median over the seeds that choose of the
// mean loss over the run.
func tuned(t *trial) float64 { return elementary.Median(slices.Sorted(slices.Values(t.losses()))) }

// resample is a set of seeds that are sampled with replacement, those that choose and those that
// judge.
type resample struct {
	choosers [tuning]int // how often each is in the set
	judges   []int
}

// resamples returns the sets of the bootstrap, the same for every sweep.
var resamples = sync.OnceValue(func() []resample {
	const sets = 2000
	bits := stream.Open(stream.ID{Cell: "training/again"}).Rand(0)
	all := make([]resample, sets)
	for i := range all {
		for range tuning {
			all[i].choosers[bits.Intn(tuning)]++
		}
		for range judging {
			all[i].judges = append(all[i].judges, bits.Intn(judging))
		}
	}
	return all
})

// choices returns the trial that the choosers of each set would choose.
func (s *sweep) choices() []*trial {
	type choice struct {
		seed int
		loss float64
	}
	rising := map[*trial][]choice{} // so that no set is sorted
	for i := range s.trials {
		t := &s.trials[i]
		for seed, loss := range t.losses() {
			rising[t] = append(rising[t], choice{seed, loss})
		}
		slices.SortFunc(rising[t], func(a, b choice) int { return cmp.Compare(a.loss, b.loss) })
	}
	chosen, some := make([]*trial, len(resamples())), make([]float64, 0, tuning)
	for i, set := range resamples() {
		known := map[*trial]float64{}
		chosen[i] = s.best(func(t *trial) float64 {
			if _, ok := known[t]; !ok {
				some = some[:0]
				for _, c := range rising[t] {
					for range set.choosers[c.seed] {
						some = append(some, c.loss)
					}
				}
				known[t] = elementary.Median(some)
			}
			return known[t]
		})
	}
	return chosen
}

// losses returns the mean losses over the run of the seeds that choose.
func (t *trial) losses() []float64 {
	return each(t.records[:tuning], func(r *training.Record) float64 { return r.Mean })
}

// ofSeed returns the loss by which a single seed would choose.
func ofSeed(seed int) func(*trial) float64 {
	return func(t *trial) float64 { return t.records[seed].Mean }
}

// ownRates returns the rate that each of the seeds that choose would choose by itself.
func (s *sweep) ownRates() []float64 {
	rates := make([]float64, tuning)
	for i := range rates {
		rates[i] = rate(s.Setting, s.best(ofSeed(i)).octave)
	}
	return rates
}

// judges returns the records of the seeds that judge.
func (t *trial) judges() []training.Record { return t.records[tuning:] }

// reached returns how many of the judges reach the threshold.
func (t *trial) reached() (n int64) {
	for _, r := range t.judges() {
		if r.Steps != training.Never {
			n++
		}
	}
	return n
}

// until returns the steps of the seeds that judge, infinitely many for those that do not reach the
// threshold.
func (t *trial) until() []float64 {
	return each(t.judges(), func(r *training.Record) float64 {
		if r.Steps == training.Never {
			return math.Inf(1)
		}
		return float64(r.Steps)
	})
}
