package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"mcsim/sim/experiment"
	"mcsim/sim/gate"
)

// PlanError is a fault of a plan and where it stands. Its text is one line.
type PlanError struct {
	File         string
	Line, Column int
	Path         string // the key, such as d_k[3]; may be empty
	Source       string // the line of the plan; may be empty
	Err          error
}

func (e *PlanError) Error() string {
	where := e.File
	if e.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Column)
	}
	if e.Path != "" {
		where += ": " + e.Path
	}
	if e.Source != "" {
		return fmt.Sprintf("%s: %v | %s", where, e.Err, e.Source)
	}
	return fmt.Sprintf("%s: %v", where, e.Err)
}

func (e *PlanError) Unwrap() error { return e.Err }

// maxPlan bounds the size of a plan's text.
const maxPlan = 1 << 20

// ParsePlan reads a plan. Every error is a *PlanError.
func ParsePlan(file string, text []byte) (*Plan, error) {
	r := &planReader{file: file, lines: strings.Split(string(text), "\n")}
	if len(text) > maxPlan {
		return nil, r.wholly(fmt.Errorf("the plan has %d bytes; at most %d are read", len(text), maxPlan))
	}
	tree, err := parser.ParseBytes(text, 0)
	if err != nil {
		return nil, r.syntax(err)
	}
	if len(tree.Docs) != 1 || tree.Docs[0].Body == nil {
		return nil, r.wholly(errors.New("a plan is one YAML document; this one is empty or has several"))
	}
	p, err := r.plan(tree.Docs[0].Body)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// planReader walks a plan's YAML tree.
type planReader struct {
	file  string
	lines []string
}

func (r *planReader) wholly(err error) error { return &PlanError{File: r.file, Err: err} }

func (r *planReader) at(n ast.Node, path string, err error) error {
	return r.atToken(n.GetToken(), path, err)
}

func (r *planReader) atToken(t *token.Token, path string, err error) error {
	e := &PlanError{File: r.file, Path: path, Err: err}
	if t != nil && t.Position != nil && t.Position.Line <= len(r.lines) {
		e.Line, e.Column = t.Position.Line, t.Position.Column
		e.Source = excerpt(r.lines[e.Line-1], e.Column)
	}
	return e
}

// excerpt is the part of a line around a column, at most 80 characters of it.
func excerpt(line string, column int) string {
	runes := []rune(line)
	if len(runes) > 80 {
		from := min(max(column-41, 0), len(runes)-80)
		runes = runes[from : from+80]
	}
	return strings.TrimSpace(string(runes))
}

func (r *planReader) syntax(err error) error {
	var y interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if errors.As(err, &y) {
		return r.atToken(y.GetToken(), "", errors.New(oneLine(y.GetMessage())))
	}
	return r.wholly(errors.New(oneLine(err.Error())))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// field is one key of a mapping and what reads its value.
type field struct {
	key  string
	read func(ast.Node, string) error
}

// mapping reads the keys of a mapping, each known and each once.
func (r *planReader) mapping(n ast.Node, path string, fields []field) (map[string]ast.Node, error) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		return nil, r.at(n, path, fmt.Errorf("is %s where keys with values belong", kind(n)))
	}
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.key
	}
	seen := map[string]ast.Node{}
	for _, pair := range pairs {
		key := pair.Key.GetToken().Value
		i := slices.Index(known, key)
		if i < 0 {
			return nil, r.at(pair.Key, path, experiment.UnknownError{Kind: "key", Name: key, Names: known})
		}
		if seen[key] != nil {
			return nil, r.at(pair.Key, path, fmt.Errorf("key %q stands here a second time", key))
		}
		seen[key] = pair.Value
		if err := fields[i].read(pair.Value, key); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

// scalar returns the text of a single value.
func (r *planReader) scalar(n ast.Node, path string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, nil
	}
	return "", r.at(n, path, fmt.Errorf("is %s where one value belongs", kind(n)))
}

func kind(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.AliasNode, *ast.AnchorNode:
		return "an anchor or alias, which plans do not have,"
	case *ast.TagNode:
		return "a tag, which plans do not have,"
	}
	return "a value"
}

// number reads a number with a < x < b.
func (r *planReader) number(to *float64, a, b float64) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		text, err := r.scalar(n, path)
		if err != nil {
			return err
		}
		x, err := experiment.Number(text)
		if err == nil && !(x > a && x < b) {
			err = fmt.Errorf("%s is not between %v and %v", text, a, b)
		}
		*to = x
		if err != nil {
			return r.at(n, path, err)
		}
		return nil
	}
}

// integer reads a whole number within a to b.
func (r *planReader) integer(to *int64, a, b int64) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		text, err := r.scalar(n, path)
		if err != nil {
			return err
		}
		if *to, err = experiment.Integer(text, a, b); err != nil {
			return r.at(n, path, err)
		}
		return nil
	}
}

// Bounds of what a plan may ask for.
const (
	MaxSeed    = 1 << 53 // whole numbers that JSON readers keep
	MaxSamples = 1 << 50
	minRate    = 1e-15
)

func (r *planReader) plan(n ast.Node) (*Plan, error) {
	p := &Plan{Name: "plan", Tolerance: 0.01, Alpha: 1e-6, Beta: 1e-6}
	var list ast.Node
	seed := int64(1)
	seen, err := r.mapping(n, "", []field{
		{"name", func(n ast.Node, path string) (err error) {
			if p.Name, err = r.scalar(n, path); err == nil && (p.Name == "" || len(p.Name) > 80) {
				err = r.at(n, path, errors.New("a name has 1 to 80 bytes"))
			}
			return err
		}},
		{"seed", r.integer(&seed, 0, MaxSeed)},
		{"tolerance", r.number(&p.Tolerance, 0, 1)},
		{"alpha", r.number(&p.Alpha, minRate, 0.5)},
		{"beta", r.number(&p.Beta, minRate, 0.5)},
		{"experiments", func(n ast.Node, _ string) error { list = n; return nil }},
	})
	if err != nil {
		return nil, err
	}
	p.Seed = uint64(seed)
	if seen["experiments"] == nil {
		return nil, r.at(n, "", errors.New("the plan names no experiments"))
	}
	items, ok := list.(*ast.SequenceNode)
	if !ok {
		return nil, r.at(list, "experiments", fmt.Errorf("is %s where a list of experiments belongs", kind(list)))
	}
	if len(items.Values) == 0 {
		return nil, r.at(list, "experiments", errors.New("the list of experiments is empty"))
	}
	var cells cellIndex
	for i, item := range items.Values {
		e, err := r.entry(p, item, fmt.Sprintf("experiments[%d]", i))
		if err != nil {
			return nil, err
		}
		p.Entries = append(p.Entries, e)
		if err := cells.add(e); err != nil {
			return nil, r.at(item, fmt.Sprintf("experiments[%d]", i), err)
		}
	}
	return p, r.sources(p, items)
}

// sources refuses an experiment that reads the cells of one that is not there.
func (r *planReader) sources(p *Plan, items *ast.SequenceNode) error {
	for i, e := range p.Entries {
		of := e.Experiment.Of
		if of == "" || slices.ContainsFunc(p.Entries, func(o Entry) bool { return o.Experiment.Name == of }) {
			continue
		}
		return r.at(items.Values[i], fmt.Sprintf("experiments[%d]", i),
			fmt.Errorf("%s reads the cells of %s, of which the plan has none", e.Experiment.Name, of))
	}
	return nil
}

func (r *planReader) entry(p *Plan, n ast.Node, path string) (Entry, error) {
	e := Entry{Tolerance: p.Tolerance, Gated: true, Values: map[string][]experiment.Value{}}
	which, err := r.which(n, path)
	if err != nil {
		return e, err
	}
	e.Experiment = which
	rates := gate.Rates{Alpha: p.Alpha, Beta: p.Beta}
	fields := []field{
		{"experiment", func(ast.Node, string) error { return nil }},
		{"tolerance", r.number(&e.Tolerance, 0, 1)},
		{"alpha", r.number(&rates.Alpha, minRate, 0.5)},
		{"beta", r.number(&rates.Beta, minRate, 0.5)},
		{"gate", r.boolean(&e.Gated)},
	}
	if which.Of == "" {
		fields = append(fields, field{"samples", r.integer(&e.Samples, 1, MaxSamples)},
			field{"rel_se", r.number(&e.RelativeSE, 1e-6, 1)})
	}
	for i := range which.Axes {
		a := &which.Axes[i]
		if which.Of == "" || a.Shared {
			fields = append(fields, field{a.Name, r.axis(a, e.Values)})
		}
	}
	seen, err := r.mapping(n, path, fields)
	if err != nil {
		return e, err
	}
	if seen["alpha"] != nil || seen["beta"] != nil {
		e.Rates = &rates
	}
	if seen["samples"] != nil && seen["rel_se"] != nil {
		return e, r.at(seen["rel_se"], path+".rel_se", errors.New("samples and rel_se exclude each other"))
	}
	if err := e.defaults(); err != nil {
		return e, r.at(n, path, err)
	}
	return e, nil
}

// which reads the entry's experiment, before its other keys make sense.
func (r *planReader) which(n ast.Node, path string) (*experiment.Experiment, error) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	}
	for _, pair := range pairs {
		if pair.Key.GetToken().Value != "experiment" {
			continue
		}
		name, err := r.scalar(pair.Value, path)
		if err != nil {
			return nil, err
		}
		e, err := experiment.Lookup(name)
		if err != nil {
			return nil, r.at(pair.Value, path+".experiment", err)
		}
		return e, nil
	}
	return nil, r.at(n, path, errors.New("lacks the key experiment"))
}

func (r *planReader) boolean(to *bool) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return r.at(n, path, errors.New("is neither true nor false"))
		}
		*to = b.Value
		return nil
	}
}

// axis reads the values of an axis: one, or a list.
func (r *planReader) axis(a *experiment.Axis, into map[string][]experiment.Value) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		nodes := []ast.Node{n}
		if list, ok := n.(*ast.SequenceNode); ok {
			nodes = list.Values
		}
		if len(nodes) == 0 {
			return r.at(n, path, errors.New("the list is empty"))
		}
		values := []experiment.Value{}
		for i, node := range nodes {
			where := path
			if len(nodes) > 1 {
				where = fmt.Sprintf("%s[%d]", path, i)
			}
			text, err := r.scalar(node, where)
			if err != nil {
				return err
			}
			some, err := a.ParseAll(text)
			if err != nil {
				return r.at(node, where, err)
			}
			for _, v := range some {
				if slices.Contains(values, v) {
					return r.at(node, where, fmt.Errorf("%s stands here a second time", v))
				}
				values = append(values, v)
			}
		}
		into[a.Name] = values
		return nil
	}
}
