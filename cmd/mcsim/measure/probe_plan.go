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
	axes       cmdline.Axes
	samples    int64   // 0 if not given
	relativeSE float64 // 0 if not given
	check      float64 // tolerance of the check; 0 if not given
	seed       uint64
	row        rowFlags
	workers    int
	json       bool
}

// add adds the flags of the command, with one for every axis of the experiments that a probe can
// run. If several experiments have an axis of the same name, the flag accepts the values of the
// axis that has the most names for values.
func (f *probeFlags) add(c *cobra.Command) {
	axes := map[string]*experiment.Axis{}
	for _, e := range all.Table {
		if !e.Probeable {
			continue
		}
		for i := range e.Axes {
			a := &e.Axes[i]
			known := axes[a.Name]
			if known == nil || a.Names != nil && len(a.Names()) > len(known.Names()) {
				axes[a.Name] = a
			}
		}
	}
	f.axes = cmdline.Axes{}
	for name, a := range axes {
		f.axes[name] = cmdline.AddAxis(c, a, describeAxis(a))
	}
	flags := c.Flags()
	flags.Var(cmdline.NewInteger(&f.samples, 1, plan.MaxSamples), "samples",
		"number of pairs, and of rows for --keys or --rho, in whole blocks (default 1e5)")
	flags.Var(cmdline.NewNumber(&f.relativeSE, experiment.RelativeErrors.Parse), "rel-se",
		"draw enough samples for this relative standard error of Var(q·k), in place of --samples")
	flags.Var(cmdline.NewNumber(&f.check, experiment.Tolerances.Parse), "check",
		cmdline.CheckUsage+": how far an estimate may be from theory, such as 1%")
	cmdline.AddSeed(flags, &f.seed)
	f.row.add(c)
	cmdline.AddWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, cmdline.JSONUsage)
	cmdline.Exclude(c, "rel-se", "samples")
	cmdline.Exclude(c, "row", "samples", "rel-se", "check")
}

// describeAxis returns the usage text of the flag of an axis.
func describeAxis(a *experiment.Axis) string {
	text := a.Doc()
	if a.Names != nil {
		text += ": " + strings.Join(a.Names(), ", ")
	}
	if a.Shared {
		text += "; may be repeated"
	}
	// A flag that selects an experiment has no default: without the flag the experiment does not
	// run.
	isItsFlag := func(e *experiment.Experiment) bool { return e.ProbeFlag == a.Name }
	selectsExperiment := slices.ContainsFunc(all.Table, isItsFlag)
	if a.Probe != "" && !selectsExperiment {
		text += " (default " + a.Probe + ")"
	}
	return text
}

// checkFlags refuses combinations of flags that no experiment supports.
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

// requireAny returns an error if the flag applies to none of the selected experiments. The error
// lists the flags that select an experiment to which the flag applies.
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
	return fmt.Errorf("--%s requires %s", flag, strings.Join(selecting, " or "))
}

// isSelected reports whether the probe runs the experiment. An experiment with a flag runs if the
// flag is given, and an experiment without a flag always runs.
func (f *probeFlags) isSelected(e *experiment.Experiment) bool {
	return e.ProbeFlag == "" || len(f.axes[e.ProbeFlag].Values) > 0
}

// buildPlan returns a plan with the one cell that the flags describe.
func (f *probeFlags) buildPlan() (*plan.Plan, error) {
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
		entry, err := f.buildEntry(e)
		if err != nil {
			return nil, err
		}
		p.Entries = append(p.Entries, entry)
	}
	return p, nil
}

// buildEntry returns the plan's entry for an experiment.
func (f *probeFlags) buildEntry(e *experiment.Experiment) (plan.Entry, error) {
	entry := plan.Entry{Experiment: e, Tolerance: plan.DefaultTolerance, Values: map[string][]experiment.AxisValue{}}
	// An experiment that reads the cells of another one draws nothing, and the probe does not judge
	// it.
	readsOthers := e.ReadsFrom != ""
	if f.check > 0 {
		entry.Tolerance, entry.Gated = f.check, !readsOthers
	}
	for i := range e.Axes {
		a := &e.Axes[i]
		if readsOthers && !a.Shared {
			continue // the value belongs to the cells that the experiment reads
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
	case f.relativeSE > 0 && e.ProbeFlag == "":
		entry.RelativeSE = f.relativeSE
	case f.samples > 0 || entry.Gated:
		entry.Samples = f.samples // if 0, the gates determine the number
	default:
		entry.Samples = probeSamples
	}
	return entry, nil
}

// convertValues parses the values of a flag again by the axis of one experiment, since the flag may
// belong to the axis of another experiment with the same name. It omits a value of a shared axis
// that this experiment does not support.
func convertValues(axis *experiment.Axis, given []experiment.AxisValue) (values []experiment.AxisValue, err error) {
	for _, v := range given {
		parsed, err := axis.ParseAll(v.String())
		if err == nil {
			values = append(values, parsed...)
		} else if !axis.Shared {
			return nil, fmt.Errorf("--%s: %w", axis.Flag(), err)
		}
	}
	return values, nil
}
