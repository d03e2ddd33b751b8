package plan

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment"
	"mcsim/sim/plain"
)

// scalar returns the text of a single value.
func (r *planReader) scalar(n ast.Node, path string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		text := n.GetToken().Value
		if len(text) > maxText {
			return "", r.at(n, path, fmt.Errorf("has %d bytes; a value has at most %d", len(text), maxText))
		}
		return text, nil
	}
	return "", r.at(n, path, misplaced(n, "one value belongs"))
}

// misplaced says what stands where something else belongs.
func misplaced(n ast.Node, wanted string) error {
	switch n.(type) {
	case *ast.NullNode:
		return fmt.Errorf("has no value; %s here", wanted)
	case *ast.AliasNode, *ast.AnchorNode:
		return errors.New("is a YAML anchor or alias, which plans do not have")
	case *ast.TagNode:
		return errors.New("is a YAML tag, which plans do not have")
	case *ast.MappingNode, *ast.MappingValueNode:
		return fmt.Errorf("is a mapping where %s", wanted)
	case *ast.SequenceNode:
		return fmt.Errorf("is a list where %s", wanted)
	case *ast.LiteralNode:
		return fmt.Errorf("is a block of text where %s", wanted)
	}
	return fmt.Errorf("is a single value where %s", wanted)
}

// span is the numbers from lo, included unless it is 0, up to hi, which is
// not.
type span struct{ lo, hi float64 }

func (s span) String() string {
	if s.lo == 0 {
		return fmt.Sprintf("(0, %v)", s.hi)
	}
	return fmt.Sprintf("[%v, %v)", s.lo, s.hi)
}

// number reads a number of the span.
func (s span) number(text string) (float64, error) {
	x, err := experiment.Number(text)
	if err == nil && (x < s.lo || x >= s.hi || x == 0) {
		err = fmt.Errorf("%s is not in %v", text, s)
	}
	return x, err
}

// reader reads one value, which parse understands.
func reader[T any](r *planReader, to *T, parse func(string) (T, error)) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		text, err := r.scalar(n, path)
		if err != nil {
			return err
		}
		if *to, err = parse(text); err != nil {
			return r.at(n, path, err)
		}
		return nil
	}
}

func (r *planReader) number(to *float64, within span) func(ast.Node, string) error {
	return reader(r, to, within.number)
}

// integer reads a whole number within a to b.
func (r *planReader) integer(to *int64, a, b int64) func(ast.Node, string) error {
	return reader(r, to, func(text string) (int64, error) { return experiment.Integer(text, a, b) })
}

// boolean reads true or false; YAML 1.1's yes and no are neither.
func (r *planReader) boolean(to *bool) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		if b, ok := n.(*ast.BoolNode); ok {
			*to = b.Value
			return nil
		}
		text, err := r.scalar(n, path)
		if err != nil {
			return err
		}
		return r.at(n, path, fmt.Errorf("%q is neither true nor false", text))
	}
}

// name checks a name: a line of text.
func name(text string) (string, error) {
	if count := utf8.RuneCountInString(text); count < 1 || count > maxName {
		return "", fmt.Errorf("a name has 1 to %d characters, this one has %d", maxName, count)
	}
	if _, hidden := plain.FirstHidden(text); hidden {
		return "", errors.New("a name is one line of visible characters")
	}
	return text, nil
}
