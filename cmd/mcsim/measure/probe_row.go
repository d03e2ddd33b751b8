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

// maxRow is the largest number of a row. Every reader of JSON represents it exactly.
const maxRow = 1<<53 - 1

// rowFlags are the flags that request one row of a cell in place of its estimates.
type rowFlags struct {
	number   int64    // number of the row from 0; −1 if not given
	settings []string // values of --set, AXIS=VALUE
}

// componentAxes are the axes that --set can change for a row.
var componentAxes = []string{names.ParamQuerySD, names.ParamKeySD, names.ParamQueryMean, names.ParamKeyMean}

func (f *rowFlags) add(c *cobra.Command) {
	f.number = -1
	c.Flags().Var(cmdline.NewInteger(&f.number, 0, maxRow), "row",
		"print this row of --keys or --rho, counted from 0, "+
			"as the experiment draws it: scores, logits and weights")
	c.Flags().StringArrayVar(&f.settings, "set", nil,
		cmdline.SetUsage+": `AXIS=VALUE` for the components of --row, where AXIS is "+
			strings.Join(componentAxes, ", ")+"; may be repeated")
	cmdline.CompleteValues(c, "set", "q_sd=", "k_sd=", "q_mean=", "k_mean=")
}

// check refuses flags that need --row, and flags that cannot be used with it.
func (f *rowFlags) check(probe *probeFlags) error {
	if f.number < 0 {
		if len(f.settings) > 0 {
			return errors.New("--set requires --row")
		}
		return nil
	}
	hasRows := func(e *experiment.Experiment) bool { return e == softmax.Experiment || e == related.Alignment }
	if err := probe.requireAny("row", hasRows); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(probe.axes)) {
		axis := probe.axes[name]
		isAxisOfRows := name == names.ParamRho || softmax.Experiment.Axis(name) != nil
		if len(axis.Values) > 0 && !isAxisOfRows {
			return fmt.Errorf("--%s cannot be used with --row", axis.Axis.Flag())
		}
	}
	return nil
}

// parseComponents returns the distribution of components that --set describes.
func (f *rowFlags) parseComponents() (replay.Components, error) {
	c := replay.Standard
	fields := []*float64{&c.QuerySD, &c.KeySD, &c.QueryMean, &c.KeyMean} // in the order of componentAxes
	for _, text := range f.settings {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return c, fmt.Errorf("--set %s: give an axis and its value, such as q_sd=2", text)
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

// setScalings gives the cell the scalings that the flags request. They may be scalings with which
// the cell's experiment does not measure rows.
func (f *probeFlags) setScalings(c *experiment.Cell) error {
	for i := range softmax.Experiment.Axes {
		a := &softmax.Experiment.Axes[i]
		given := f.axes[a.Name].Values
		if !a.Shared || len(given) == 0 {
			continue
		}
		c.Shared[a.Name] = nil
		for _, v := range given {
			parsed, err := a.Parse(v.String())
			if err != nil {
				return fmt.Errorf("--%s: %w", a.Flag(), err)
			}
			c.Shared[a.Name] = append(c.Shared[a.Name], parsed)
		}
	}
	if err := rows.RefuseScalings(*c); err != nil {
		return fmt.Errorf("--row: %w", err)
	}
	return nil
}

// buildQuestion returns a question for the row that the flags describe. The row has an aligned key
// if --rho is given, and otherwise only independent keys.
func (f *probeFlags) buildQuestion() (question replay.Question, err error) {
	question.Row = f.row.number
	question.Components, err = f.row.parseComponents()
	if err != nil {
		return question, err
	}
	p, err := f.buildPlan()
	if err != nil {
		return question, err
	}
	s, err := schedule.New(p)
	if err != nil {
		return question, f.axes.NameFlag(err)
	}
	question.Seed = p.Seed
	for _, e := range []*experiment.Experiment{related.Alignment, softmax.Experiment} {
		if cells := s.CellsOf(e); len(cells) > 0 {
			question.Cell = cells[0]
			return question, f.setScalings(&question.Cell)
		}
	}
	return question, errors.New("--row requires --keys or --rho")
}
