package training

import (
	"math"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/training"
)

// A sweep tries rates an octave apart, as many for each rule, about the rule's reference.
// Where the best of them is the first or the last, it goes on beyond that end.
const (
	coreOctaves    = 4 // on either side of the reference
	furtherOctaves = 4 // beyond an end
)

// trial is a cell with what became of its seeds.
type trial struct {
	cell    experiment.Cell
	octave  int
	records []training.Record
}

// sweep are the trials of one rule, at all rates, of which all else is the same.
type sweep struct {
	training.Setting
	values map[string]experiment.Value // of its point, without the octave
	point  experiment.Cell
	trials []trial // in the order of their octaves
}

// sweepsOf groups trials by all but the octave, in the order of their firsts.
func sweepsOf(trials []trial) (all []*sweep) {
	for _, group := range experiment.Grouped(trials, func(t trial) string { return pointOf(t.cell).ID }) {
		slices.SortFunc(group, func(a, b trial) int { return a.octave - b.octave })
		c := group[0].cell
		all = append(all, &sweep{Setting: settingOf(c), values: valuesOf(c), point: pointOf(c), trials: group})
	}
	return all
}

// valuesOf are the values of a cell on all axes but the octave.
func valuesOf(c experiment.Cell) map[string]experiment.Value {
	values := map[string]experiment.Value{}
	for _, a := range c.Experiment.Axes {
		if a.Name != names.ParamOctave {
			values[a.Name] = c.Value(a.Name)
		}
	}
	return values
}

// pointOf is what cells stand for that differ in their octave, and in further axes.
func pointOf(c experiment.Cell, without ...string) experiment.Cell {
	values, id := valuesOf(c), c.ID
	for _, axis := range append(without, names.ParamOctave) {
		delete(values, axis)
		id = strings.Replace(id, axis+"="+c.Value(axis).String(), axis+"=*", 1)
	}
	return experiment.NewPoint(c.Experiment, id, values)
}

// best is the trial that a measure likes best: among the rates of the core, and where that
// is the first or the last of them, those beyond this end too. Of equal ones it is the
// slowest rate.
func (s *sweep) best(loss func(*trial) float64) *trial {
	var core []*trial
	for i := range s.trials {
		if t := &s.trials[i]; t.octave >= -coreOctaves && t.octave <= coreOctaves {
			core = append(core, t)
		}
	}
	if len(core) == 0 {
		return nil
	}
	first := least(core, loss)
	tried := []*trial{first}
	for i := range s.trials {
		t := &s.trials[i]
		low := first == core[0] && t.octave < first.octave && t.octave >= first.octave-furtherOctaves
		high := first == core[len(core)-1] && t.octave > first.octave && t.octave <= first.octave+furtherOctaves
		if low || high {
			tried = append(tried, t)
		}
	}
	return least(tried, loss)
}

// least is the first of the trials of the least loss.
func least(trials []*trial, loss func(*trial) float64) *trial {
	found := trials[0]
	for _, t := range trials[1:] {
		if a, b := loss(t), loss(found); a < b || a == b && t.octave < found.octave {
			found = t
		}
	}
	return found
}

// tuned is the loss by which rates are chosen: the median over the seeds for that of the
// mean over the run.
func tuned(t *trial) float64 {
	losses := make([]float64, tuning)
	for i, r := range t.records[:tuning] {
		losses[i] = r.Mean
	}
	slices.Sort(losses)
	return median(losses)
}

// ofSeed is the loss by which one seed alone would choose.
func ofSeed(seed int) func(*trial) float64 {
	return func(t *trial) float64 { return t.records[seed].Mean }
}

// ownRates are the rates that each seed for the choice would choose alone.
func (s *sweep) ownRates() []float64 {
	rates := make([]float64, tuning)
	for i := range rates {
		rates[i] = rate(s.Setting, s.best(ofSeed(i)).octave)
	}
	return rates
}

// shared is the trial at the reference rate of 1/√d_k, nil if there is none.
func (s *sweep) shared() *trial {
	root := s.Setting
	root.Rule = training.Rule{Exponent: 0.5}
	want := rate(root, 0)
	for i := range s.trials {
		if t := &s.trials[i]; math.Abs(rate(s.Setting, t.octave)/want-1) < 1e-9 {
			return t
		}
	}
	return nil
}

// judges are the seeds that judge.
func (t *trial) judges() []training.Record { return t.records[tuning:] }

// capped are the steps of the seeds that judge, at most all of them.
func (t *trial) capped(steps int) []float64 {
	var x []float64
	for _, r := range t.judges() {
		if r.Steps == training.Never {
			x = append(x, float64(steps))
		} else {
			x = append(x, float64(r.Steps))
		}
	}
	return x
}

// untilReached are the steps of the seeds that judge, infinite where the threshold is not
// reached.
func (t *trial) untilReached() []float64 {
	var x []float64
	for _, r := range t.judges() {
		if r.Steps == training.Never {
			x = append(x, math.Inf(1))
		} else {
			x = append(x, float64(r.Steps))
		}
	}
	return x
}
