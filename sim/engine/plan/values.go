package plan

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/base/markup"
	"mcsim/sim/experiment"
)

// readWith returns a function that parses a value into target.
func readWith[T any](r *planReader, target *T, parse func(string) (T, error)) func(ast.Node, string) error {
	return r.ScalarReader(func(text string) (err error) {
		*target, err = parse(text)
		return err
	})
}

// numberField returns the field of a number in the allowed experiment.Span, which is read into target. The
// initial value of target is the default in the schema; 0 means that there is none.
func (r *planReader) numberField(key, doc string, target *float64, allowed experiment.Span) markup.Field {
	schema := func() map[string]any { return withDefault(*target, spanSchema(allowed)) }
	return markup.Field{Key: key, Doc: doc, Read: readWith(r, target, allowed.Parse), Schema: schema}
}

// integerField returns the field of a whole number from lo to hi, which is read into target. The
// initial value of target is the default in the schema; 0 means that there is none.
func integerField[T int | int64 | uint64](r *planReader, key, doc string, target *T, lo, hi int64) markup.Field {
	read := func(text string) (T, error) {
		n, err := experiment.Integer(text, lo, hi)
		return T(n), err
	}
	schema := func() map[string]any { return withDefault(float64(*target), wholeNumber(float64(lo), float64(hi))) }
	return markup.Field{Key: key, Doc: doc, Read: readWith(r, target, read), Schema: schema}
}

// readBoolean returns a function that reads true or false into target. It refuses yes and no.
func (r *planReader) readBoolean(target *bool) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		if b, ok := n.(*ast.BoolNode); ok {
			*target = b.Value
			return nil
		}
		refuse := func(text string) error { return fmt.Errorf("%q is neither true nor false", text) }
		return r.ScalarReader(refuse)(n, path)
	}
}

func checkName(text string) (string, error) { return text, markup.CheckLine(text, maxName) }
