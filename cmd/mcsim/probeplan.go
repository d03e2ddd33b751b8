package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
	"mcsim/sim/plan"
)

// probeSamples is how many pairs, or rows, a probe draws where nothing is said.
const probeSamples = 1e5

// check refuses flags that mean nothing without another: how many units to draw
// where no experiment counts them, and axes that none has that is asked for.
func (f *probeFlags) check() error {
	for _, amount := range []struct {
		flag       *numberFlag
		name, unit string
	}{{&f.rows, "rows", names.UnitRow}, {&f.draws, "draws", names.UnitWeightDraw}} {
		if !amount.flag.given() {
			continue
		}
		if err := f.wants(amount.name, func(e *experiment.Experiment) bool { return e.Unit == amount.unit }); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.axes)) {
		if len(f.axes[name].values) == 0 {
			continue
		}
		has := func(e *experiment.Experiment) bool { return e.Axis(name) != nil }
		if err := f.wants(f.axes[name].axis.Flag(), has); err != nil {
			return err
		}
	}
	return nil
}

// wants says which other flags a flag that was given wants: those that would ask
// for one of its experiments, if none of them is asked for.
func (f *probeFlags) wants(flag string, of func(*experiment.Experiment) bool) error {
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
	return fmt.Errorf("--%s wants %s", flag, strings.Join(others, " or "))
}

// plan is the plan of one cell that the flags ask for.
func (f *probeFlags) plan() (*plan.Plan, error) {
	p := &plan.Plan{Name: "probe", Seed: 1, Tolerance: plan.DefaultTolerance, Alpha: plan.DefaultRate, Beta: plan.DefaultRate}
	if err := f.seed.seedInto(&p.Seed); err != nil {
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
func (f *probeFlags) asks(e *experiment.Experiment) bool {
	if e.Asked != "" {
		return len(f.axes[e.Asked].values) > 0
	}
	if !f.asks(inits.Experiment) || f.samples.given() || f.relative.given() {
		return true
	}
	for name, flag := range f.axes {
		if len(flag.values) > 0 && inits.Experiment.Axis(name) == nil {
			return true
		}
	}
	return false
}

// entry is what the flags ask of one experiment.
func (f *probeFlags) entry(e *experiment.Experiment) (plan.Entry, error) {
	entry := plan.Entry{Experiment: e, Tolerance: 0.01, Values: map[string][]experiment.Value{}}
	for i := range e.Axes {
		a := &e.Axes[i]
		values, err := f.axes[a.Name].of(a)
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
func (f *probeFlags) amount(entry *plan.Entry) error {
	flag, name, usual := &f.samples, "samples", int64(probeSamples)
	switch entry.Experiment.Unit {
	case names.UnitRow:
		flag, name = &f.rows, "rows"
	case names.UnitWeightDraw:
		flag, name, usual = &f.draws, "draws", entry.Experiment.Floor
	default:
		if f.relative.given() && entry.Experiment.Asked == "" {
			x, err := plan.RelativeSE(f.relative.text)
			if err != nil {
				return fmt.Errorf("--rel-se: %w", err)
			}
			entry.RelativeSE = x
			return nil
		}
	}
	entry.Samples = usual
	return whole(flag, name, 1, plan.MaxSamples, &entry.Samples)
}
