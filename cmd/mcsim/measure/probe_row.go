package measure

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/related"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/softmax"
	"mcsim/sim/names"
)

// mostRow is the greatest number of a row that every reader of JSON knows exactly.
const mostRow = 1<<53 - 1

// rowFlags ask for one row of a cell in place of its estimates.
type rowFlags struct {
	row int64 // -1: none
	set []string
}

// componentAxes say what the components of a row may be.
var componentAxes = []string{names.ParamQuerySD, names.ParamKeySD, names.ParamQueryMean, names.ParamKeyMean}

// add makes the flags.
func (f *rowFlags) add(c *cobra.Command) {
	flags := c.Flags()
	f.row = -1
	flags.Var(flag.Whole(&f.row, 0, mostRow), "row", "print this row of --keys or --rho, counted from 0, as the experiment drew it: scores, logits and weights")
	flags.StringArrayVar(&f.set, "set", nil, flag.SetAxis+": `AXIS=VALUE` of the components of --row, which are "+strings.Join(componentAxes, ", ")+"; may be repeated")
	flag.Offer(c, "set", "q_sd=", "k_sd=", "q_mean=", "k_mean=")
}

// check refuses flags that mean nothing without --row, and those that mean nothing with it.
func (f *rowFlags) check(p *probeFlags) error {
	if f.row < 0 {
		if len(f.set) > 0 {
			return errors.New("--set wants --row")
		}
		return nil
	}
	if err := p.wants("row", func(e *experiment.Experiment) bool { return e == softmax.Experiment || e == related.Alignment }); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(p.axes)) {
		given := p.axes[name]
		if len(given.Values) == 0 || name == names.ParamRho {
			continue
		}
		if softmax.Experiment.Axis(name) == nil {
			return fmt.Errorf("--%s means nothing with --row", given.Axis.Flag())
		}
	}
	return nil
}

// components are those that --set asks for.
func (f *rowFlags) components() (replay.Components, error) {
	of := replay.Standard
	for _, text := range f.set {
		name, value, found := strings.Cut(text, "=")
		i := slices.Index(componentAxes, name)
		if !found {
			return of, fmt.Errorf("--set %s: it wants an axis and its value, such as q_sd=2", text)
		}
		if i < 0 {
			return of, fmt.Errorf("--set %s: %w", text, names.UnknownError{Kind: "axis of components", Name: name, Names: componentAxes})
		}
		v, err := related.Mismatch.Axis(name).Parse(value)
		if err != nil {
			return of, fmt.Errorf("--set %s: %w", text, err)
		}
		*[]*float64{&of.QuerySD, &of.KeySD, &of.QueryMean, &of.KeyMean}[i] = v.Number
	}
	return of, nil
}

// scale puts a row under all scalings that the flags name, also those that its experiment
// does not measure rows under.
func (f *probeFlags) scale(c *experiment.Cell) error {
	for i := range softmax.Experiment.Axes {
		a := &softmax.Experiment.Axes[i]
		given := f.axes[a.Name].Values
		if !a.Shared || len(given) == 0 {
			continue
		}
		c.Shared[a.Name] = nil
		for _, v := range given {
			own, err := a.Parse(v.String())
			if err != nil {
				return fmt.Errorf("--%s: %w", a.Flag(), err)
			}
			c.Shared[a.Name] = append(c.Shared[a.Name], own)
		}
	}
	if err := rows.RefuseScalings(*c); err != nil {
		return fmt.Errorf("--row: %w", err)
	}
	return nil
}

// question is the row that the flags ask for: of rows with an aligned key, if --rho is
// given, else of independent ones.
func (f *probeFlags) question() (q replay.Question, err error) {
	if q.Of, err = f.row.components(); err != nil {
		return q, err
	}
	q.Row = f.row.row
	p, err := f.plan()
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
