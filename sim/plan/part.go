package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment/all"
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
		return asked, r.each(n, "only", add)
	}
	for _, name := range r.change.Only {
		if err := add(name); err != nil {
			return nil, &Error{File: r.change.OnlyWhere, Err: err}
		}
	}
	return asked, nil
}

// each reads one text, or a list of them.
func (r *planReader) each(n ast.Node, path string, add func(string) error) error {
	nodes := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		if nodes = list.Values; len(nodes) == 0 {
			return r.At(n, path, errors.New("the list is empty"))
		}
	}
	for i, node := range nodes {
		at := path
		if len(nodes) > 1 || node != n {
			at = fmt.Sprintf("%s[%d]", path, i)
		}
		text, err := r.Scalar(node, at)
		if err != nil {
			return err
		}
		if err := add(text); err != nil {
			return r.At(node, at, err)
		}
	}
	return nil
}
