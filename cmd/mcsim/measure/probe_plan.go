package measure

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
)

// probeSamples is how many pairs, or rows, a probe draws where nothing is said.
const probeSamples = 1e5

// probeFlags are what mcsim probe is asked.
type probeFlags struct {
	axes            flag.Axes
	samples         int64   // 0: as many as are usual
	relative, check float64 // 0: not asked for
	seed            uint64
	row             rowFlags
	workers         int
	json            bool
}

// add makes the flags, one of every axis of the experiments that answer a probe. Of two
// axes of a name it takes the values of the one that has more names.
func (f *probeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	axes := map[string]*experiment.Axis{}
	for _, e := range all.Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			known := axes[a.Name]
			if e.Probeable && (known == nil || a.Names != nil && len(a.Names()) > len(known.Names())) {
				axes[a.Name] = a
			}
		}
	}
	f.axes = flag.Axes{}
	for name, a := range axes {
		f.axes[name] = flag.AddAxis(c, a, described(a))
	}
	flags.Var(flag.Whole(&f.samples, 1, plan.MaxSamples), "samples", "how many pairs, and rows of --keys or --rho, to draw, in whole blocks (default 1e5)")
	flags.Var(flag.Number(&f.relative, plan.RelativeSE), "rel-se", "draw enough for this relative standard error of Var(q·k), in place of --samples")
	flags.Var(flag.Number(&f.check, plan.Tolerance), "check", flag.Check+": how far from theory it may be, such as 1%")
	flag.AddSeed(flags, &f.seed)
	f.row.add(c)
	flag.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, flag.JSON)
}

// described is what help says of an axis.
func described(a *experiment.Axis) string {
	doc := a.Doc()
	if a.Names != nil {
		doc += ": " + strings.Join(a.Names(), ", ")
	}
	if a.Shared {
		doc += "; may be repeated"
	}
	if a.Probe != "" && !slices.ContainsFunc(all.Table, func(e *experiment.Experiment) bool { return e.ProbeFlag == a.Name }) {
		doc += " (default " + a.Probe + ")"
	}
	return doc
}

// idle refuses axes that no experiment has that is asked for.
func (f *probeFlags) idle() error {
	for _, name := range slices.Sorted(maps.Keys(f.axes)) {
		if len(f.axes[name].Values) == 0 {
			continue
		}
		has := func(e *experiment.Experiment) bool { return e.Axis(name) != nil }
		if err := f.wants(f.axes[name].Axis.Flag(), has); err != nil {
			return err
		}
	}
	return nil
}

// wants says which other flags a flag that was given wants: those that would ask
// for one of its experiments, if none of them is asked for.
func (f *probeFlags) wants(name string, of func(*experiment.Experiment) bool) error {
	var others []string
	for _, e := range all.Table {
		switch {
		case !e.Probeable || !of(e):
		case f.asks(e):
			return nil
		case e.ProbeFlag != "":
			others = append(others, "--"+e.Axis(e.ProbeFlag).Flag())
		}
	}
	return fmt.Errorf("--%s wants %s", name, strings.Join(others, " or "))
}

// asks reports whether the flags ask for an experiment; one that nothing asks for by name
// always answers.
func (f *probeFlags) asks(e *experiment.Experiment) bool {
	return e.ProbeFlag == "" || len(f.axes[e.ProbeFlag].Values) > 0
}

// plan is the plan of one cell that the flags ask for.
func (f *probeFlags) plan() (*plan.Plan, error) {
	p := &plan.Plan{Name: "probe", Seed: f.seed, Tolerance: plan.DefaultTolerance, Alpha: plan.DefaultRate, Beta: plan.DefaultRate}
	for _, e := range all.Table {
		if !e.Probeable || !f.asks(e) {
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

// entry is what the flags ask of one experiment.
func (f *probeFlags) entry(e *experiment.Experiment) (plan.Entry, error) {
	entry := plan.Entry{Experiment: e, Tolerance: plan.DefaultTolerance, Values: map[string][]experiment.Value{}}
	if f.check > 0 {
		entry.Tolerance, entry.Gated = f.check, e.Sampler != nil // what reads the same draws judges nothing new
	}
	for i := range e.Axes {
		a := &e.Axes[i]
		if e.ReadsFrom != "" && !a.Shared {
			continue // it is that of the cells which the experiment reads
		}
		values, err := valuesOn(a, f.axes[a.Name].Values)
		if err != nil {
			return entry, err
		}
		if len(values) == 0 && a.Probe != "" {
			if values, err = a.ParseAll(a.Probe); err != nil {
				return entry, err
			}
		}
		if len(values) > 0 {
			entry.Values[a.Name] = values
		}
	}
	switch {
	case e.Sampler == nil:
	case f.relative > 0 && e.ProbeFlag == "":
		entry.RelativeSE = f.relative
	case f.samples > 0 || entry.Gated: // as many as the gates ask for where nobody else does
		entry.Samples = f.samples
	default:
		entry.Samples = probeSamples
	}
	return entry, nil
}

// valuesOn are values as an experiment's own axis takes them. Of a shared axis it leaves out
// those that are another experiment's.
func valuesOn(axis *experiment.Axis, given []experiment.Value) (values []experiment.Value, err error) {
	for _, v := range given {
		own, err := axis.ParseAll(v.String())
		switch {
		case err == nil:
			values = append(values, own...)
		case !axis.Shared:
			return nil, fmt.Errorf("--%s: %w", axis.Flag(), err)
		}
	}
	return values, nil
}

// errNothingToCheck says that --check would judge nothing.
var errNothingToCheck = errors.New("--check: nothing that is measured has a theory that a gate could hold it against")
