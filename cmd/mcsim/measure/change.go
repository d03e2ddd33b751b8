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
	settings  []string
	seed      uint64
	isSeedSet bool
}

func (f *changeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&f.Selection, "only", nil, "draw only these `EXPERIMENTS` of the plan (comma-separated); "+
		"gates and samples remain those of the whole plan")
	flags.StringArrayVar(&f.settings, "set", nil, cmdline.SetUsage+": `AXIS=VALUES` in place of the plan's, such as "+
		"distribution=normal; EXPERIMENT.AXIS=VALUES only in that experiment, such as softmax.d_k=64,128; "+
		"may be repeated")
	flags.Var(cmdline.NewNumber(&f.Tolerance, experiment.Tolerances.Parse), "tolerance",
		"how far a gated quantity may be from "+
			"theory, such as 5%, in experiments that set no tolerance (default: the plan's)")
	flags.Var(cmdline.NewNumber(&f.Alpha, experiment.Rates.Parse), "alpha", cmdline.AlphaUsage+
		": a gate does not pass although theory holds (default: the plan's)")
	flags.Var(cmdline.NewNumber(&f.Beta, experiment.Rates.Parse), "beta", cmdline.BetaUsage+
		": all gates pass although a quantity lies on or outside its band (default: the plan's)")
	flags.Var(cmdline.NewValue(func(text string) error {
		f.isSeedSet = true
		return cmdline.NewInteger(&f.seed, 0, experiment.MaxSeed).Set(text)
	}), "seed", cmdline.SeedUsage+" (default: the plan's)")
	flags.Var(cmdline.NewInteger(&f.MaxCells, 1, plan.MaxCellsLimit), "max-cells", fmt.Sprintf(
		"limit on the plan's variants (cells × scalings), up to %d, which need 4 GB of memory (default %d)",
		plan.MaxCellsLimit, plan.DefaultMaxCells))
	cmdline.CompleteValues(c, "only", names.Map(all.Table, func(e *experiment.Experiment) string { return e.Name })...)
	cmdline.CompleteWith(c, "set", completeSettings)
}

// parse parses the text of a plan and applies the changes to it.
func (f *changeFlags) parse(file string, text []byte) (*plan.Plan, error) {
	change := f.Change
	change.SelectionSource = "--only"
	for _, text := range f.settings {
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

// completeSettings completes AXIS= or EXPERIMENT.AXIS=, and after it the values of an axis that are
// names.
func completeSettings(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var completions []cobra.Completion
	for _, e := range all.Table {
		for i := range e.Axes {
			axis := &e.Axes[i]
			prefix := axis.Name + "="
			if strings.Contains(typed, ".") {
				prefix = e.Name + "." + prefix
			}
			values, hasPrefix := strings.CutPrefix(typed, prefix)
			switch {
			case !hasPrefix && !strings.Contains(typed, "="):
				completions = append(completions, prefix)
			case hasPrefix && axis.Names != nil:
				for _, v := range cmdline.CompleteList(axis.Names(), values) {
					completions = append(completions, prefix+v)
				}
			}
		}
	}
	return cmdline.RemoveDuplicates(completions), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// parseSetting parses AXIS=VALUES or EXPERIMENT.AXIS=VALUES.
func parseSetting(text string) (plan.Setting, error) {
	source := "--set " + text
	name, values, _ := strings.Cut(text, "=")
	if name == "" || values == "" {
		return plan.Setting{}, fmt.Errorf("%s: give an axis and its values, "+
			"such as distribution=normal or softmax.d_k=64,128", source)
	}
	s := plan.Setting{Source: source, Axis: name}
	if experimentName, axis, ok := strings.Cut(name, "."); ok {
		s.Experiment, s.Axis = experimentName, axis
	}
	for _, v := range strings.Split(values, ",") {
		s.Values = append(s.Values, strings.TrimSpace(v))
	}
	return s, nil
}
