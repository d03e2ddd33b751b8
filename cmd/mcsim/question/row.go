package question

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/related"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/softmax"
	"mcsim/sim/names"
	"mcsim/sim/schedule"
)

// mostRow is the greatest number of a row that every reader of JSON knows exactly.
const mostRow = 1<<53 - 1

// rowFlags ask for one row of a cell in place of its estimates.
type rowFlags struct {
	row                flag.Number
	querySD, keySD     flag.Number
	queryMean, keyMean flag.Number
}

// componentFlag gives the components of a row another mean or standard deviation; the
// axis says what it takes.
type componentFlag struct {
	flag *flag.Number
	axis *experiment.Axis
	to   *float64
}

// componentFlags are all of them, which set what is to be of the components.
func (f *rowFlags) componentFlags(of *replay.Components) []componentFlag {
	axis := related.Mismatch.Axis
	return []componentFlag{
		{&f.querySD, axis(names.ParamQuerySD), &of.QuerySD}, {&f.keySD, axis(names.ParamKeySD), &of.KeySD},
		{&f.queryMean, axis(names.ParamQueryMean), &of.QueryMean}, {&f.keyMean, axis(names.ParamKeyMean), &of.KeyMean},
	}
}

// add makes the flags.
func (f *rowFlags) add(flags *pflag.FlagSet) {
	flags.Var(&f.row, "row", "print this row of --keys or --rho, counted from 0, as the experiment drew it: scores, logits and weights")
	for _, c := range f.componentFlags(&replay.Components{}) {
		flags.Var(c.flag, c.axis.Flag(), fmt.Sprintf("%s, with --row alone (default %s)", c.axis.Doc(), c.axis.Omit))
	}
}

// checkRow refuses flags that mean nothing without --row, and those that mean nothing with it.
func (f *Probe) checkRow() error {
	if f.row.row.Given() {
		if err := f.wants("row", func(e *experiment.Experiment) bool { return e == softmax.Experiment || e == related.Alignment }); err != nil {
			return err
		}
		return f.idle()
	}
	for _, c := range f.row.componentFlags(&replay.Components{}) {
		if c.flag.Given() {
			return fmt.Errorf("--%s wants --row", c.axis.Flag())
		}
	}
	return nil
}

// idle refuses axes that rows do not have, and scalings that are none of theirs.
func (f *Probe) idle() error {
	for _, name := range slices.Sorted(maps.Keys(f.axes)) {
		given := f.axes[name]
		if len(given.Values) == 0 || name == names.ParamRho {
			continue
		}
		a := softmax.Experiment.Axis(name)
		if a == nil {
			return fmt.Errorf("--%s means nothing with --row", given.Axis.Flag())
		}
		for _, v := range given.Values {
			if _, err := a.Parse(v.String()); err != nil {
				return fmt.Errorf("--%s: %w", a.Flag(), err)
			}
		}
	}
	return nil
}

// components are those that the flags ask for.
func (f *rowFlags) components() (replay.Components, error) {
	of := replay.Standard
	for _, c := range f.componentFlags(&of) {
		if !c.flag.Given() {
			continue
		}
		v, err := c.axis.Parse(c.flag.Text)
		if err != nil {
			return of, fmt.Errorf("--%s: %w", c.axis.Flag(), err)
		}
		*c.to = v.Number
	}
	return of, nil
}

// scale puts a row under all scalings that the flags name, also those that its experiment
// does not measure rows under.
func (f *Probe) scale(c *experiment.Cell) error {
	for i := range softmax.Experiment.Axes {
		a := &softmax.Experiment.Axes[i]
		if !a.Shared || len(f.axes[a.Name].Values) == 0 {
			continue
		}
		values, err := f.axes[a.Name].Of(a)
		if err != nil {
			return err
		}
		c.Shared[a.Name] = values
	}
	if err := rows.RefuseScalings(*c); err != nil {
		return fmt.Errorf("--row: %w", err)
	}
	return nil
}

// Row is the row that the flags ask for: of rows with an aligned key, if --rho is
// given, else of independent ones.
func (f *Probe) Row() (q replay.Question, err error) {
	q.Of, err = f.row.components()
	if err != nil {
		return q, err
	}
	if err := flag.Whole(&f.row.row, "row", 0, mostRow, &q.Row); err != nil {
		return q, err
	}
	p, err := f.Plan()
	if err != nil {
		return q, err
	}
	s, err := schedule.New(p)
	if err != nil {
		return q, f.axes.Blame(err)
	}
	q.Seed = p.Seed
	for _, e := range []*experiment.Experiment{related.Alignment, softmax.Experiment} {
		if cells := s.CellsOf(e); len(cells) > 0 {
			q.Cell = cells[0]
			return q, f.scale(&q.Cell)
		}
	}
	return q, errors.New("--row wants --keys or --rho")
}
