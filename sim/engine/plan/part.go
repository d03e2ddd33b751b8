package plan

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment/all"
)

// part reads which experiments are selected, in the plan's text or in the change, and adds those
// whose cells they read. The result is in table order, and empty if all experiments are selected,
// so that a selection has one form.
func (r *planReader) part(p *Plan, n ast.Node) error {
	var in []string
	for _, x := range all.Table {
		if slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Experiment == x }) {
			in = append(in, x.Name)
		}
	}
	asked := map[string]bool{}
	ask := func(name string) error {
		if !slices.Contains(in, name) {
			return unknownExperiment(name, in)
		}
		asked[name] = true
		if e, err := all.Lookup(name); err == nil && e.ReadsFrom != "" {
			asked[e.ReadsFrom] = true
		}
		return nil
	}
	for _, name := range r.change.Only {
		if err := ask(name); err != nil {
			return &Error{File: r.change.OnlyWhere, Err: err}
		}
	}
	if len(r.change.Only) == 0 && n != nil {
		if err := r.ReadOneOrList(n, "only", markup.MaxSize, r.ScalarReader(ask)); err != nil {
			return err
		}
	}
	if 0 < len(asked) && len(asked) < len(in) {
		p.Only = slices.DeleteFunc(in, func(name string) bool { return !asked[name] })
	}
	return nil
}
