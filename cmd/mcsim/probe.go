package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim/document"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/experiment/inits"
	"mcsim/sim/names"
	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/run"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

type probeFlags struct {
	axes     axisFlags
	samples  numberFlag
	rows     numberFlag
	draws    numberFlag
	relative numberFlag
	seed     numberFlag
	workers  int
	json     bool
}

// probeSamples is how many pairs, or rows, a probe draws where nothing is said.
const probeSamples = 1e5

func probeCommand() *cobra.Command {
	f, flags := newProbeFlags()
	c := &cobra.Command{
		Use:   "probe",
		Short: "measure one cell at once",
		Long: `Measure one cell and print its estimates: what was measured, its standard error
and 95 % interval, theory beside it, and how many standard errors they are
apart. With --keys it also draws rows of that many keys and says what softmax
and its gradient make of them; with --rho, rows in which one key is aligned with
the query; with --rule, the variance of the logit that the rule makes; with
--init, logits of layer-normed tokens under that initialisation. Numbers may be
written 1e6, 1/3, 2^10. A law with a parameter is written "student-t(10)" or
student-t:10.`,
		Example: `  mcsim probe --law normal --d-k 64 --exponent 1/2 --samples 1e6 --seed 7
  mcsim probe --law "student-t(10)" --d-k 512 --rel-se 0.001 --json
  mcsim probe --d-k 64 --exponent 0 --exponent 1/2 --keys 24 --rows 1e5
  mcsim probe --init torch-mha --d-model 768 --d-k 64
  mcsim probe --rho 0.5 --d-k 128 --exponent 1/2 --exponent 1
  mcsim probe --rule cosine --rule log-n --d-k 256`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := exclusive(c, "samples", "rel-se"); err != nil {
				return err
			}
			if err := f.alone(); err != nil {
				return err
			}
			return probe(c.Context(), c.OutOrStdout(), f)
		},
	}
	c.Flags().AddFlagSet(flags)
	return c
}

// newProbeFlags returns what a probe is told, and the flags that say it.
func newProbeFlags() (*probeFlags, *pflag.FlagSet) {
	f := &probeFlags{axes: map[string]*axisFlag{}}
	flags := pflag.NewFlagSet("probe", pflag.ContinueOnError)
	f.addAxes(flags)
	flags.Var(&f.samples, "samples", "pairs to draw, rounded up to whole blocks (default 1e5)")
	flags.Var(&f.rows, "rows", "rows of --keys or --rho to draw, rounded up to whole blocks (default 1e5)")
	flags.Var(&f.draws, "draws", "draws of the weights of --init (default 64)")
	flags.Var(&f.relative, "rel-se", "draw enough for this relative standard error of Var(q·k), in place of --samples")
	flags.Var(&f.seed, "seed", "seed of the random streams (default 1)")
	addWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, "print a JSON object whose array estimates holds the rows")
	return f, flags
}

// alone refuses flags that mean nothing without another: how many units to draw
// where no experiment counts them, and axes that none has that is asked for.
func (f *probeFlags) alone() error {
	counts := func(unit string) func(*experiment.Experiment) bool {
		return func(e *experiment.Experiment) bool { return e.Unit == unit }
	}
	if f.rows.given() {
		if err := f.wants("rows", counts(names.UnitRow)); err != nil {
			return err
		}
	}
	if f.draws.given() {
		if err := f.wants("draws", counts(names.UnitWeightDraw)); err != nil {
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

// axisFlag collects the values of one axis.
type axisFlag struct {
	axis   *experiment.Axis
	values []experiment.Value
}

func (a *axisFlag) Type() string { return "value" }

func (a *axisFlag) String() string { return "" }

func (a *axisFlag) Set(text string) error {
	v, err := a.axis.ParseAll(text)
	switch {
	case err != nil:
		return err
	case !a.axis.Shared && len(a.values)+len(v) > 1:
		return errors.New("one cell has one value; give it once")
	}
	for _, x := range v {
		for _, old := range a.values {
			if x == old {
				return fmt.Errorf("%s is given a second time", x)
			}
		}
		a.values = append(a.values, x)
	}
	return nil
}

// addAxes makes a flag of every axis of the experiments that answer a probe.
func (f *probeFlags) addAxes(flags *pflag.FlagSet) {
	for _, e := range all.Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			if !e.Probed {
				continue
			}
			if known := f.axes[a.Name]; known != nil {
				known.widen(a)
				continue
			}
			f.axes[a.Name] = &axisFlag{axis: a}
		}
	}
	for name, flag := range f.axes {
		flags.Var(flag, flag.axis.Flag(), f.describe(name))
	}
}

// widen makes the flag take the values of another experiment's axis of that
// name, where it has more names.
func (a *axisFlag) widen(other *experiment.Axis) {
	if other.Names != nil && len(other.Names()) > len(a.axis.Names()) {
		a.axis = other
	}
}

func (f *probeFlags) describe(name string) string {
	a := f.axes[name].axis
	doc := a.Doc()
	if a.Names != nil {
		doc += ": " + strings.Join(a.Names(), ", ")
	}
	if a.Shared {
		doc += "; may be repeated"
	}
	if a.Probe != "" && !slices.ContainsFunc(all.Table, func(e *experiment.Experiment) bool { return e.Asked == name }) {
		doc += " (default " + a.Probe + ")"
	}
	return doc
}

// plan is the plan of one cell that the flags ask for.
func (f *probeFlags) plan() (*plan.Plan, error) {
	p := &plan.Plan{Name: "probe", Seed: 1, Tolerance: 0.01, Alpha: 1e-6, Beta: 1e-6}
	if err := f.seed.into(&p.Seed); err != nil {
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

// of are the flag's values as an experiment's own axis takes them. Of a shared
// axis it leaves out those that are another experiment's.
func (a *axisFlag) of(axis *experiment.Axis) ([]experiment.Value, error) {
	var values []experiment.Value
	for _, v := range a.values {
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
	if !flag.given() {
		return nil
	}
	n, err := experiment.Integer(flag.text, 1, plan.MaxSamples)
	if err != nil {
		return fmt.Errorf("--%s: %w", name, err)
	}
	entry.Samples = n
	return nil
}

// measure draws what the flags ask for; bar shows the progress.
func (f *probeFlags) measure(ctx context.Context, bar *os.File) (*result.Document, error) {
	p, err := f.plan()
	if err != nil {
		return nil, err
	}
	doc, err := drawOnce(ctx, p, f.workers, bar)
	return doc, f.axes.blame(err)
}

// axisFlags are flags by the names of their axes.
type axisFlags map[string]*axisFlag

// blame names the flag of the axis that an error is about.
func (f axisFlags) blame(err error) error {
	if axis := (experiment.AxisError{}); errors.As(err, &axis) {
		return fmt.Errorf("--%s: %w", f[axis.Axis].axis.Flag(), axis)
	}
	return err
}

// drawOnce draws a plan and keeps nothing; bar, if not nil, shows the progress.
func drawOnce(ctx context.Context, p *plan.Plan, workers int, bar *os.File) (*result.Document, error) {
	s, err := schedule.New(p)
	if err != nil {
		return nil, err
	}
	nodes := store.New(store.Origin{Seed: p.Seed})
	options := run.Options{Workers: workers}
	if bar != nil {
		shown := newProgress(bar, s, nodes)
		defer shown.end()
		options.Progress = shown.add
	}
	if err := run.Draw(ctx, s, nodes, options); err != nil {
		return nil, err
	}
	return document.Build(s, nodes)
}

func probe(ctx context.Context, out io.Writer, f *probeFlags) error {
	doc, err := f.measure(ctx, os.Stderr)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "mcsim: interrupted; a probe keeps nothing")
		return exitError{exitInterrupted}
	}
	if err != nil {
		return err
	}
	if f.json {
		text, err := result.Encode(doc)
		if err != nil {
			return err
		}
		_, err = out.Write(text)
		return err
	}
	return printEstimates(out, doc)
}
