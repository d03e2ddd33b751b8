package measure

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
)

// probeSamples is the default number of pairs, or rows, of a probe.
const probeSamples = 1e5

type probeFlags struct {
	axes            cmdline.Axes
	samples         int64   // 0: the default
	relative, check float64 // 0: not given
	seed            uint64
	row             rowFlags
	workers         int
	json            bool
}

// add adds the flags, one for every axis of the experiments that answer a probe. If two axes have
// the same name, the flag takes the values of the one with more names.
func (f *probeFlags) add(c *cobra.Command) {
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
	f.axes = cmdline.Axes{}
	for name, a := range axes {
		f.axes[name] = cmdline.AddAxis(c, a, describeAxis(a))
	}
	flags := c.Flags()
	flags.Var(cmdline.Integer(&f.samples, 1, plan.MaxSamples), "samples",
		"how many pairs, and rows of --keys or --rho, to draw, in whole blocks (default 1e5)")
	flags.Var(cmdline.Number(&f.relative, plan.RelativeSE), "rel-se",
		"draw enough for this relative standard error of Var(q·k), in place of --samples")
	flags.Var(cmdline.Number(&f.check, plan.Tolerance), "check",
		cmdline.Check+": how far from theory it may be, such as 1%")
	cmdline.AddSeed(flags, &f.seed)
	f.row.add(c)
	cmdline.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, cmdline.JSON)
	cmdline.Exclude(c, "rel-se", "samples")
	cmdline.Exclude(c, "row", "samples", "rel-se", "check")
}

// describeAxis returns the help of an axis.
func describeAxis(a *experiment.Axis) string {
	text := a.Doc()
	if a.Names != nil {
		text += ": " + strings.Join(a.Names(), ", ")
	}
	if a.Shared {
		text += "; may be repeated"
	}
	selects := func(e *experiment.Experiment) bool { return e.ProbeFlag == a.Name }
	if a.Probe != "" && !slices.ContainsFunc(all.Table, selects) {
		text += " (default " + a.Probe + ")"
	}
	return text
}

// checkFlags refuses flags that do not go together.
func (f *probeFlags) checkFlags() error {
	for _, name := range slices.Sorted(maps.Keys(f.axes)) {
		if len(f.axes[name].Values) == 0 {
			continue
		}
		hasAxis := func(e *experiment.Experiment) bool { return e.Axis(name) != nil }
		if err := f.requireAny(f.axes[name].Axis.Flag(), hasAxis); err != nil {
			return err
		}
	}
	return f.row.check(f)
}

// requireAny refuses a flag if no experiment that it applies to is selected, and names the flags
// that select one.
func (f *probeFlags) requireAny(flag string, applies func(*experiment.Experiment) bool) error {
	var selecting []string
	for _, e := range all.Table {
		if !e.Probeable || !applies(e) {
			continue
		}
		if f.isSelected(e) {
			return nil
		}
		selecting = append(selecting, "--"+e.Axis(e.ProbeFlag).Flag())
	}
	return fmt.Errorf("--%s wants %s", flag, strings.Join(selecting, " or "))
}

// isSelected reports whether the probe has the experiment: by its flag, or always if it has none.
func (f *probeFlags) isSelected(e *experiment.Experiment) bool {
	return e.ProbeFlag == "" || len(f.axes[e.ProbeFlag].Values) > 0
}

// plan returns the plan of the cell that the flags describe.
func (f *probeFlags) plan() (*plan.Plan, error) {
	p := &plan.Plan{
		Name:      "probe",
		Seed:      f.seed,
		Tolerance: plan.DefaultTolerance,
		Alpha:     plan.DefaultRate,
		Beta:      plan.DefaultRate,
	}
	for _, e := range all.Table {
		if !e.Probeable || !f.isSelected(e) {
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

// entry returns the plan of one experiment.
func (f *probeFlags) entry(e *experiment.Experiment) (plan.Entry, error) {
	entry := plan.Entry{Experiment: e, Tolerance: plan.DefaultTolerance, Values: map[string][]experiment.AxisValue{}}
	readsOthers := e.ReadsFrom != "" // it draws nothing and judges nothing new
	if f.check > 0 {
		entry.Tolerance, entry.Gated = f.check, !readsOthers
	}
	for i := range e.Axes {
		a := &e.Axes[i]
		if readsOthers && !a.Shared {
			continue // the cells that the experiment reads have the values
		}
		values, err := convertValues(a, f.axes[a.Name].Values)
		if err == nil && len(values) == 0 && a.Probe != "" {
			values, err = a.ParseAll(a.Probe)
		}
		if err != nil {
			return entry, err
		}
		if len(values) > 0 {
			entry.Values[a.Name] = values
		}
	}
	if readsOthers {
		return entry, nil
	}
	switch {
	case f.relative > 0 && e.ProbeFlag == "":
		entry.RelativeSE = f.relative
	case f.samples > 0 || entry.Gated: // 0 samples: as many as the gates need
		entry.Samples = f.samples
	default:
		entry.Samples = probeSamples
	}
	return entry, nil
}

// convertValues returns values as an experiment's own axis parses them. Of a shared axis it leaves
// out those that only another experiment has.
func convertValues(axis *experiment.Axis, given []experiment.AxisValue) (values []experiment.AxisValue, err error) {
	for _, v := range given {
		own, err := axis.ParseAll(v.String())
		if err == nil {
			values = append(values, own...)
		} else if !axis.Shared {
			return nil, fmt.Errorf("--%s: %w", axis.Flag(), err)
		}
	}
	return values, nil
}
