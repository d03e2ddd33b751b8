package plan

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/experiment"
	"mcsim/sim/plain"
)

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
		text, err := r.Scalar(n, path)
		if err != nil {
			return err
		}
		if *to, err = parse(text); err != nil {
			return r.At(n, path, err)
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
		text, err := r.Scalar(n, path)
		if err != nil {
			return err
		}
		return r.At(n, path, fmt.Errorf("%q is neither true nor false", text))
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
