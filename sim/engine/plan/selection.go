package plan

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment/all"
)

// selectExperiments sets the plan's Selection from the change, or else from the node of the key
// only. It adds the experiments whose cells the selected ones read. The result is in the order of
// the table, and empty if all experiments are selected.
func (r *planReader) selectExperiments(p *Plan, n ast.Node) error {
	var inPlan []string
	for _, x := range all.Table {
		if slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Experiment == x }) {
			inPlan = append(inPlan, x.Name)
		}
	}
	selected := map[string]bool{}
	selectOne := func(name string) error {
		if !slices.Contains(inPlan, name) {
			return unknownExperiment(name, inPlan)
		}
		selected[name] = true
		if e, err := all.Lookup(name); err == nil && e.ReadsFrom != "" {
			selected[e.ReadsFrom] = true
		}
		return nil
	}
	for _, name := range r.change.Selection {
		if err := selectOne(name); err != nil {
			return &Error{File: r.change.SelectionSource, Err: err}
		}
	}
	if len(r.change.Selection) == 0 && n != nil {
		if err := r.ReadOneOrList(n, "only", markup.MaxSize, r.ScalarReader(selectOne)); err != nil {
			return err
		}
	}
	if 0 < len(selected) && len(selected) < len(inPlan) {
		p.Selection = slices.DeleteFunc(inPlan, func(name string) bool { return !selected[name] })
	}
	return nil
}
