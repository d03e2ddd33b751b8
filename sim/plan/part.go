package plan

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment/all"
	"mcsim/sim/markup"
)

// part reads which experiments alone are drawn, in the plan's text and in the change, and
// adds those whose cells they read. They stand in the order of the table of experiments,
// and all of them are none, so that the same part is always written in the same way.
func (r *planReader) part(p *Plan, n ast.Node) error {
	var in []string
	for _, x := range all.Table {
		if slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.Experiment == x }) {
			in = append(in, x.Name)
		}
	}
	asked, err := r.asked(in, n)
	if err != nil {
		return err
	}
	for _, name := range in {
		if asked[name] {
			p.Only = append(p.Only, name)
		}
	}
	if len(p.Only) == len(in) {
		p.Only = nil
	}
	return nil
}

// asked are the experiments of those in the plan that are asked for, by the change or else
// by the plan's text, and those whose cells they read.
func (r *planReader) asked(in []string, n ast.Node) (map[string]bool, error) {
	asked := map[string]bool{}
	add := func(name string) error {
		if !slices.Contains(in, name) {
			return absent(name, in)
		}
		asked[name] = true
		if e, err := all.Lookup(name); err == nil && e.Of != "" {
			asked[e.Of] = true
		}
		return nil
	}
	if len(r.change.Only) == 0 && n != nil {
		return asked, r.Each(n, "only", markup.MaxSize, reader(r, new(string), func(name string) (string, error) { return name, add(name) }))
	}
	for _, name := range r.change.Only {
		if err := add(name); err != nil {
			return nil, &Error{File: r.change.OnlyWhere, Err: err}
		}
	}
	return asked, nil
}
