package flag

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"mcsim/sim/plan"
)

// Change are flags that ask for something else than a plan's text says.
type Change struct {
	tolerance, alpha, beta, seed, maxCells Number
	set, only                              []string
}

// Add makes the flags.
func (f *Change) Add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.only, "only", nil, "draw these `EXPERIMENTS` of the plan alone, with the gates and samples of the whole; a,b and again --only c")
	flags.StringArrayVar(&f.set, "set", nil, "`AXIS=VALUES` in place of the plan's, as d_k=64,128; EXPERIMENT.AXIS=VALUES in that experiment alone; may be repeated")
	flags.Var(&f.tolerance, "tolerance", "in place of the plan's, in experiments that have none of their own: how far a gated quantity may be from theory, such as 5%")
	flags.Var(&f.alpha, "alpha", "in place of the plan's: chance that any gate does not pass though all is as theory says")
	flags.Var(&f.beta, "beta", "in place of the plan's: chance that all gates pass though a quantity lies on or beyond its band")
	flags.Var(&f.seed, "seed", "seed in place of the plan's")
	flags.Var(&f.maxCells, "max-cells", fmt.Sprintf("bound on the cells of the plan, each counted under every scaling (default %d)", plan.MaxCells))
}

// maxCells is the largest bound, of which a run would hold more than memories have.
const maxCells = 1e9

// Parse reads a plan with what the flags ask for.
func (f *Change) Parse(file string, text []byte) (*plan.Plan, error) {
	c := plan.Change{Only: f.only, OnlyWhere: "--only"}
	if f.only != nil && len(f.only) == 0 {
		return nil, errors.New("--only is empty; it wants experiments of the plan, such as variance,exponents")
	}
	for _, n := range []struct {
		flag *Number
		name string
		read func(string) (float64, error)
		to   *float64
	}{{&f.tolerance, "tolerance", plan.Tolerance, &c.Tolerance}, {&f.alpha, "alpha", plan.Rate, &c.Alpha}, {&f.beta, "beta", plan.Rate, &c.Beta}} {
		if !n.flag.Given() {
			continue
		}
		var err error
		if *n.to, err = n.read(n.flag.Text); err != nil {
			return nil, fmt.Errorf("--%s: %w", n.name, err)
		}
	}
	if err := Whole(&f.maxCells, "max-cells", 1, maxCells, &c.MaxCells); err != nil {
		return nil, err
	}
	for _, text := range f.set {
		s, err := setting(text)
		if err != nil {
			return nil, err
		}
		c.Set = append(c.Set, s)
	}
	p, err := c.Parse(file, text)
	if err != nil {
		return nil, err
	}
	return p, f.seed.Seed(&p.Seed)
}

// setting reads AXIS=VALUES or EXPERIMENT.AXIS=VALUES.
func setting(text string) (plan.Setting, error) {
	where := "--set " + text
	name, values, ok := strings.Cut(text, "=")
	if !ok || name == "" || values == "" {
		return plan.Setting{}, fmt.Errorf("%s: it wants an axis and its values, such as d_k=64,128 or softmax.keys=8", where)
	}
	s := plan.Setting{Where: where, Axis: name}
	if experiment, axis, ok := strings.Cut(name, "."); ok {
		s.Experiment, s.Axis = experiment, axis
	}
	for _, v := range strings.Split(values, ",") {
		s.Values = append(s.Values, strings.TrimSpace(v))
	}
	return s, nil
}
