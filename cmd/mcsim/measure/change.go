package measure

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/cmdline"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
)

// changeFlags are the flags that change a plan.
type changeFlags struct {
	plan.Change
	set       []string
	seed      uint64
	isSeedSet bool
}

func (f *changeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&f.Selection, "only", nil, "draw only these `EXPERIMENTS` of the plan, with commas between; "+
		"gates and samples stay those of the whole plan")
	flags.StringArrayVar(&f.set, "set", nil, cmdline.SetAxis+": `AXIS=VALUES` in place of the plan's, as "+
		"distribution=normal; EXPERIMENT.AXIS=VALUES in that experiment alone, as softmax.d_k=64,128; may be repeated")
	flags.Var(cmdline.Number(&f.Tolerance, plan.Tolerance), "tolerance", "how far a gated quantity may be from "+
		"theory, such as 5%, in experiments without a tolerance of their own (default the plan's)")
	flags.Var(cmdline.Number(&f.Alpha, plan.Rate), "alpha", cmdline.Alpha+
		": any gate does not pass although theory holds (default the plan's)")
	flags.Var(cmdline.Number(&f.Beta, plan.Rate), "beta", cmdline.Beta+
		": all gates pass although a quantity lies on or outside its band (default the plan's)")
	flags.Var(cmdline.Func(func(text string) error {
		f.isSeedSet = true
		return cmdline.Integer(&f.seed, 0, plan.MaxSeed).Set(text)
	}), "seed", cmdline.Seed+" (default the plan's)")
	flags.Var(cmdline.Integer(&f.MaxCells, 1, plan.MaxCellsLimit), "max-cells", fmt.Sprintf("bound on the variants of "+
		"the plan, which are its cells, each under every scaling: up to %d, which take 4 GB of memory (default %d)",
		plan.MaxCellsLimit, plan.DefaultMaxCells))
	cmdline.CompleteValues(c, "only", experimentNames()...)
	cmdline.CompleteWith(c, "set", completeSetting)
}

// parse parses the text of a plan and changes it.
func (f *changeFlags) parse(file string, text []byte) (*plan.Plan, error) {
	change := f.Change
	change.SelectionSource = "--only"
	for _, text := range f.set {
		s, err := parseSetting(text)
		if err != nil {
			return nil, err
		}
		change.Set = append(change.Set, s)
	}
	p, err := change.Parse(file, text)
	if err != nil {
		return nil, err
	}
	if f.isSeedSet {
		p.Seed = f.seed
	}
	return p, nil
}

func experimentNames() []string {
	return names.Map(all.Table, func(e *experiment.Experiment) string { return e.Name })
}

// completeSetting completes AXIS= and EXPERIMENT.AXIS=, and the names that the axis takes.
func completeSetting(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	for _, e := range all.Table {
		for i := range e.Axes {
			axis, name := &e.Axes[i], e.Axes[i].Name+"="
			if strings.Contains(typed, ".") {
				name = e.Name + "." + name
			}
			values, begun := strings.CutPrefix(typed, name)
			switch {
			case !begun && !strings.Contains(typed, "="):
				found = append(found, name)
			case begun && axis.Names != nil:
				for _, v := range cmdline.CompleteList(axis.Names(), values) {
					found = append(found, name+v)
				}
			}
		}
	}
	return cmdline.Distinct(found), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// parseSetting parses AXIS=VALUES or EXPERIMENT.AXIS=VALUES.
func parseSetting(text string) (plan.Setting, error) {
	where := "--set " + text
	name, values, ok := strings.Cut(text, "=")
	if !ok || name == "" || values == "" {
		return plan.Setting{}, fmt.Errorf("%s: it wants an axis and its values, "+
			"such as distribution=normal or softmax.d_k=64,128", where)
	}
	s := plan.Setting{Source: where, Axis: name}
	if experiment, axis, ok := strings.Cut(name, "."); ok {
		s.Experiment, s.Axis = experiment, axis
	}
	for _, v := range strings.Split(values, ",") {
		s.Values = append(s.Values, strings.TrimSpace(v))
	}
	return s, nil
}
