package measure

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"mcsim/cmd/mcsim/flag"
	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/all"
	"mcsim/sim/names"
)

// changeFlags are flags that ask for something else than a plan's text says.
type changeFlags struct {
	plan.Change
	set    []string
	seed   uint64
	seeded bool
}

// add makes the flags.
func (f *changeFlags) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringSliceVar(&f.Only, "only", nil, "draw only these `EXPERIMENTS` of the plan, with commas between; gates and samples stay those of the whole plan")
	flags.StringArrayVar(&f.set, "set", nil, flag.SetAxis+": `AXIS=VALUES` in place of the plan's, as distribution=normal; EXPERIMENT.AXIS=VALUES in that experiment alone, as softmax.d_k=64,128; may be repeated")
	flags.Var(flag.Number(&f.Tolerance, plan.Tolerance), "tolerance", "how far a gated quantity may be from theory, such as 5%, in experiments without a tolerance of their own (default the plan's)")
	flags.Var(flag.Number(&f.Alpha, plan.Rate), "alpha", flag.Alpha+": any gate does not pass although theory holds (default the plan's)")
	flags.Var(flag.Number(&f.Beta, plan.Rate), "beta", flag.Beta+": all gates pass although a quantity lies on or outside its band (default the plan's)")
	flags.Var(flag.Read(func(text string) error {
		f.seeded = true
		return flag.Whole(&f.seed, 0, plan.MaxSeed).Set(text)
	}), "seed", flag.Seed+" (default the plan's)")
	flags.Var(flag.Whole(&f.MaxCells, 1, plan.MostCells), "max-cells", fmt.Sprintf("bound on the variants of the plan, which are its cells, each under every scaling: up to %d, which take 4 GB of memory (default %d)", plan.MostCells, plan.MaxCells))
	flag.Offer(c, "only", experiments()...)
	flag.OfferBy(c, "set", completeSetting)
}

// parse reads a plan with what the flags ask for.
func (f *changeFlags) parse(file string, text []byte) (*plan.Plan, error) {
	c := f.Change
	c.OnlyWhere = "--only"
	for _, text := range f.set {
		s, err := setting(text)
		if err != nil {
			return nil, err
		}
		c.Set = append(c.Set, s)
	}
	p, err := c.Parse(file, text)
	if err == nil && f.seeded {
		p.Seed = f.seed
	}
	return p, err
}

// experiments are those that a plan may name.
func experiments() []string {
	return names.Each(all.Table, func(e *experiment.Experiment) string { return e.Name })
}

// completeSetting completes AXIS= and EXPERIMENT.AXIS=, and behind it the names that the axis
// takes.
func completeSetting(_ *cobra.Command, _ []string, typed string) (found []cobra.Completion, _ cobra.ShellCompDirective) {
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
				for _, v := range flag.Listed(axis.Names(), values) {
					found = append(found, name+v)
				}
			}
		}
	}
	return flag.Distinct(found), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// setting reads AXIS=VALUES or EXPERIMENT.AXIS=VALUES.
func setting(text string) (plan.Setting, error) {
	where := "--set " + text
	name, values, ok := strings.Cut(text, "=")
	if !ok || name == "" || values == "" {
		return plan.Setting{}, fmt.Errorf("%s: it wants an axis and its values, such as distribution=normal or softmax.d_k=64,128", where)
	}
	s := plan.Setting{Where: where, Axis: name}
	if of, axis, ok := strings.Cut(name, "."); ok {
		s.Experiment, s.Axis = of, axis
	}
	for _, v := range strings.Split(values, ",") {
		s.Values = append(s.Values, strings.TrimSpace(v))
	}
	return s, nil
}
