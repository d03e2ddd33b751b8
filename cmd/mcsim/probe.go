package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcsim/sim"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
	"mcsim/sim/store"
)

type probeFlags struct {
	axes     map[string]*axisFlag
	samples  numberFlag
	rows     numberFlag
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
and its gradient make of them. Numbers may be written 1e6, 1/3, 2^10. A law with a parameter is written
"student-t(10)" or student-t:10.`,
		Example: `  mcsim probe --law normal --d-k 64 --exponent 1/2 --samples 1e6 --seed 7
  mcsim probe --law "student-t(10)" --d-k 512 --rel-se 0.001 --json
  mcsim probe --d-k 64 --exponent 0 --exponent 1/2 --keys 24 --rows 1e5`,
		Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := exclusive(c, "samples", "rel-se"); err != nil {
				return err
			}
			if err := f.rowsAlone(); err != nil {
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
	flags.Var(&f.rows, "rows", "rows of --keys to draw, rounded up to whole blocks (default 1e5)")
	flags.Var(&f.relative, "rel-se", "draw enough for this relative standard error of Var(q·k), in place of --samples")
	flags.Var(&f.seed, "seed", "seed of the random streams (default 1)")
	addWorkers(flags, &f.workers)
	flags.BoolVar(&f.json, "json", false, "print a JSON object whose array estimates holds the rows")
	return f, flags
}

// rowsAlone refuses what means nothing without --keys.
func (f *probeFlags) rowsAlone() error {
	if len(f.axes["keys"].values) > 0 {
		return nil
	}
	if f.rows.given() {
		return errors.New("--rows wants --keys: how many keys a row has")
	}
	for _, name := range []string{"shared_keys", "temperature"} {
		if a := f.axes[name]; len(a.values) > 0 {
			return fmt.Errorf("--%s wants --keys: how many keys a row has", a.axis.Flag())
		}
	}
	return nil
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
	for _, e := range experiment.Table {
		for i := range e.Axes {
			a := &e.Axes[i]
			if !e.Probed || f.axes[a.Name] != nil {
				continue
			}
			f.axes[a.Name] = &axisFlag{axis: a}
			doc := a.Doc
			if a.Names != nil {
				doc += ": " + strings.Join(a.Names(), ", ")
			}
			if a.Shared {
				doc += "; may be repeated"
			}
			if a.Probe != "" {
				doc += " (default " + a.Probe + ")"
			}
			flags.Var(f.axes[a.Name], a.Flag(), doc)
		}
	}
}

// plan is the plan of one cell that the flags ask for.
func (f *probeFlags) plan() (*sim.Plan, error) {
	p := &sim.Plan{Name: "probe", Seed: 1, Tolerance: 0.01, Alpha: 1e-6, Beta: 1e-6}
	if err := f.seed.into(&p.Seed); err != nil {
		return nil, err
	}
	for _, e := range experiment.Table {
		if !e.Probed || e.Asked != "" && len(f.axes[e.Asked].values) == 0 {
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

func (f *probeFlags) entry(e *experiment.Experiment) (sim.Entry, error) {
	entry := sim.Entry{Experiment: e, Tolerance: 0.01, Values: map[string][]experiment.Value{}}
	for i := range e.Axes {
		a := &e.Axes[i]
		entry.Values[a.Name] = f.axes[a.Name].values
		if len(entry.Values[a.Name]) > 0 || a.Probe == "" {
			continue
		}
		v, err := a.ParseAll(a.Probe)
		if err != nil {
			return entry, err
		}
		entry.Values[a.Name] = v
	}
	if e.Of != "" {
		return entry, nil
	}
	return entry, f.amount(&entry)
}

// amount sets how much an entry draws.
func (f *probeFlags) amount(entry *sim.Entry) error {
	switch {
	case entry.Experiment.Asked != "":
		entry.Samples = probeSamples
		if f.rows.given() {
			n, err := experiment.Integer(f.rows.text, 1, sim.MaxSamples)
			if err != nil {
				return fmt.Errorf("--rows: %w", err)
			}
			entry.Samples = n
		}
	case f.relative.given():
		x, err := sim.RelativeSE(f.relative.text)
		if err != nil {
			return fmt.Errorf("--rel-se: %w", err)
		}
		entry.RelativeSE = x
	case f.samples.given():
		n, err := experiment.Integer(f.samples.text, 1, sim.MaxSamples)
		if err != nil {
			return fmt.Errorf("--samples: %w", err)
		}
		entry.Samples = n
	default:
		entry.Samples = probeSamples
	}
	return nil
}

// measure draws what the flags ask for; bar shows the progress.
func (f *probeFlags) measure(ctx context.Context, bar *os.File) (*result.Document, error) {
	p, err := f.plan()
	if err != nil {
		return nil, err
	}
	s, err := sim.NewSchedule(p)
	if err != nil {
		return nil, err
	}
	nodes := store.New(store.Origin{Seed: p.Seed})
	options := sim.Options{Workers: f.workers}
	if bar != nil {
		shown := newProgress(bar, s, nodes)
		defer shown.end()
		options.Progress = shown.add
	}
	if err := sim.Run(ctx, s, nodes, options); err != nil {
		return nil, err
	}
	return sim.BuildDocument(s, nodes)
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
