package measure

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/related"
	"mcsim/sim/experiment/replay"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/experiment/softmax"
	"mcsim/sim/names"
)

// maxRow is the largest number of a row that every reader of JSON knows exactly.
const maxRow = 1<<53 - 1

// rowFlags ask for one row of a cell in place of its estimates.
type rowFlags struct {
	number int64 // -1: not given
	set    []string
}

// componentAxes are the axes of the components of a row.
var componentAxes = []string{names.ParamQuerySD, names.ParamKeySD, names.ParamQueryMean, names.ParamKeyMean}

func (f *rowFlags) add(c *cobra.Command) {
	f.number = -1
	c.Flags().Var(cmdline.Integer(&f.number, 0, maxRow), "row", "print this row of --keys or --rho, counted from 0, "+
		"as the experiment drew it: scores, logits and weights")
	c.Flags().StringArrayVar(&f.set, "set", nil, cmdline.SetAxis+": `AXIS=VALUE` of the components of --row, "+
		"which are "+strings.Join(componentAxes, ", ")+"; may be repeated")
	cmdline.CompleteValues(c, "set", "q_sd=", "k_sd=", "q_mean=", "k_mean=")
}

// check refuses flags that need --row, and flags that do not go with it.
func (f *rowFlags) check(probe *probeFlags) error {
	if f.number < 0 {
		if len(f.set) > 0 {
			return errors.New("--set wants --row")
		}
		return nil
	}
	hasRows := func(e *experiment.Experiment) bool { return e == softmax.Experiment || e == related.Alignment }
	if err := probe.requireAny("row", hasRows); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(probe.axes)) {
		axis := probe.axes[name]
		isKnown := name == names.ParamRho || softmax.Experiment.Axis(name) != nil
		if len(axis.Values) > 0 && !isKnown {
			return fmt.Errorf("--%s means nothing with --row", axis.Axis.Flag())
		}
	}
	return nil
}

// components returns the components that --set describes.
func (f *rowFlags) components() (replay.Components, error) {
	c := replay.Standard
	fields := []*float64{&c.QuerySD, &c.KeySD, &c.QueryMean, &c.KeyMean} // in the order of componentAxes
	for _, text := range f.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return c, fmt.Errorf("--set %s: it wants an axis and its value, such as q_sd=2", text)
		}
		if err := cmdline.RefuseUnknown("axis of components", name, componentAxes); err != nil {
			return c, fmt.Errorf("--set %s: %w", text, err)
		}
		v, err := related.Mismatch.Axis(name).Parse(value)
		if err != nil {
			return c, fmt.Errorf("--set %s: %w", text, err)
		}
		*fields[slices.Index(componentAxes, name)] = v.Number
	}
	return c, nil
}

// setScalings puts a row under all scalings of the flags, also those that its experiment does not
// measure rows under.
func (f *probeFlags) setScalings(c *experiment.Cell) error {
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

// question returns the row that the flags describe: with an aligned key if --rho is given, else of
// independent keys.
func (f *probeFlags) question() (q replay.Question, err error) {
	q.Row = f.row.number
	q.Components, err = f.row.components()
	if err != nil {
		return q, err
	}
	p, err := f.plan()
	if err != nil {
		return q, err
	}
	s, err := schedule.New(p)
	if err != nil {
		return q, f.axes.NameFlag(err)
	}
	q.Seed = p.Seed
	for _, e := range []*experiment.Experiment{related.Alignment, softmax.Experiment} {
		if cells := s.CellsOf(e); len(cells) > 0 {
			q.Cell = cells[0]
			return q, f.setScalings(&q.Cell)
		}
	}
	return q, errors.New("--row wants --keys or --rho")
}
