package question

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
	"mcsim/sim/plan"
)

// probeSamples is how many pairs, or rows, a probe draws where nothing is said.
const probeSamples = 1e5

// refuse refuses flags that mean nothing without another: how many units to draw
// where no experiment counts them, and axes that none has that is asked for.
func (f *Probe) refuse() error {
	for _, amount := range []struct {
		flag       *flag.Number
		name, unit string
	}{{&f.rows, "rows", names.UnitRow}, {&f.draws, "draws", names.UnitWeightDraw}} {
		if !amount.flag.Given() {
			continue
		}
		if err := f.wants(amount.name, func(e *experiment.Experiment) bool { return e.Unit == amount.unit }); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.axes)) {
		if len(f.axes[name].Values) == 0 {
			continue
		}
		has := func(e *experiment.Experiment) bool { return e.Axis(name) != nil }
		if err := f.wants(f.axes[name].Axis.Flag(), has); err != nil {
			return err
		}
	}
	return f.stray()
}

// stray refuses axes that heads at an initialisation do not have, where nothing is asked for
// but these: pairs would be drawn for them, and printed first.
func (f *Probe) stray() error {
	if !f.asks(inits.Experiment) || f.samples.Given() || f.relative.Given() {
		return nil
	}
	for _, e := range all.Table {
		if e.Probed && e.Asked != "" && e != inits.Experiment && f.asks(e) {
			return nil
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.axes)) {
		if axis := f.axes[name]; len(axis.Values) > 0 && inits.Experiment.Axis(name) == nil {
			return fmt.Errorf("--%s means nothing with --init, whose tokens and scale are its own; ask for the two apart, or give --samples for pairs beside it", axis.Axis.Flag())
		}
	}
	return nil
}

// wants says which other flags a flag that was given wants: those that would ask
// for one of its experiments, if none of them is asked for.
func (f *Probe) wants(name string, of func(*experiment.Experiment) bool) error {
	var others []string
	for _, e := range all.Table {
		switch {
		case !e.Probed || !of(e):
		case f.asks(e):
			return nil
		case e.Asked != "":
			others = append(others, "--"+e.Axis(e.Asked).Flag())
		}
	}
	return fmt.Errorf("--%s wants %s", name, strings.Join(others, " or "))
}

// Plan is the plan of one cell that the flags ask for.
func (f *Probe) Plan() (*plan.Plan, error) {
	p := &plan.Plan{Name: "probe", Seed: 1, Tolerance: plan.DefaultTolerance, Alpha: plan.DefaultRate, Beta: plan.DefaultRate}
	if err := f.seed.Seed(&p.Seed); err != nil {
		return nil, err
	}
	for _, e := range all.Table {
		if !e.Probed || !f.asks(e) {
			continue
		}
		entry, err := f.entry(e)
		if err != nil {
			return nil, err
		}
		p.Entries = append(p.Entries, entry)
	}
	return p, nil
}

// asks reports whether the flags ask for an experiment. One that nothing asks for by
// name is asked for by its own flags, and by none at all; heads by themselves have
// other flags, and say nothing of pairs of a law.
func (f *Probe) asks(e *experiment.Experiment) bool {
	if e.Asked != "" {
		return len(f.axes[e.Asked].Values) > 0
	}
	if !f.asks(inits.Experiment) || f.samples.Given() || f.relative.Given() {
		return true
	}
	for name, axis := range f.axes {
		if len(axis.Values) > 0 && inits.Experiment.Axis(name) == nil {
			return true
		}
	}
	return false
}

// entry is what the flags ask of one experiment.
func (f *Probe) entry(e *experiment.Experiment) (plan.Entry, error) {
	entry := plan.Entry{Experiment: e, Tolerance: plan.DefaultTolerance, Values: map[string][]experiment.Value{}}
	if f.check.Given() {
		x, err := plan.Tolerance(f.check.Text)
		if err != nil {
			return entry, fmt.Errorf("--check: %w", err)
		}
		entry.Tolerance, entry.Gated = x, e.Of == "" // what reads the same draws judges nothing new
	}
	for i := range e.Axes {
		a := &e.Axes[i]
		values, err := f.axes[a.Name].Of(a)
		if err != nil {
			return entry, err
		}
		if entry.Values[a.Name] = values; len(values) > 0 || a.Probe == "" {
			continue
		}
		if entry.Values[a.Name], err = a.ParseAll(a.Probe); err != nil {
			return entry, err
		}
	}
	if e.Of != "" {
		return entry, nil
	}
	return entry, f.amount(&entry)
}

// amount sets how much an entry draws.
func (f *Probe) amount(entry *plan.Entry) error {
	number, name, usual := &f.samples, "samples", int64(probeSamples)
	switch entry.Experiment.Unit {
	case names.UnitRow:
		number, name = &f.rows, "rows"
	case names.UnitWeightDraw:
		number, name, usual = &f.draws, "draws", entry.Experiment.Floor
	default:
		if f.relative.Given() && entry.Experiment.Asked == "" {
			x, err := plan.RelativeSE(f.relative.Text)
			if err != nil {
				return fmt.Errorf("--rel-se: %w", err)
			}
			entry.RelativeSE = x
			return nil
		}
	}
	if entry.Samples = usual; entry.Gated {
		entry.Samples = 0 // as many as the gates ask for
	}
	return flag.Whole(number, name, 1, plan.MaxSamples, &entry.Samples)
}
