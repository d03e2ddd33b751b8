package markup

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"

	"mcsim/sim/names"
)

// Field is one key of a mapping: what it means, what reads its value, and the JSON schema of
// that, which a key has not that is there to be refused.
type Field struct {
	Key, Doc string
	Required bool
	Read     func(ast.Node, string) error
	Schema   func() map[string]any
}

// Must is the field where no mapping may lack it.
func (f Field) Must() Field {
	f.Required = true
	return f
}

// Keep is what reads a value by keeping it for later.
func Keep(to *ast.Node) func(ast.Node, string) error {
	return func(n ast.Node, _ string) error {
		*to = n
		return nil
	}
}

// Dialect is the JSON Schema that schemas are written in.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// Object is the JSON schema of a mapping that has these keys and no others.
func Object(fields []Field) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		if f.Schema == nil {
			continue
		}
		s := f.Schema()
		if f.Doc != "" {
			s["description"] = f.Doc
		}
		if properties[f.Key] = s; f.Required {
			required = append(required, f.Key)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}

// Pairs are the keys and values of a mapping.
func (r *Reader) Pairs(n ast.Node, path string) ([]*ast.MappingValueNode, error) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	}
	return nil, r.At(n, cmp.Or(path, r.Noun), r.misplaced(n, "keys with values belong"))
}

// Mapping reads the keys of a mapping, each known and each once.
func (r *Reader) Mapping(n ast.Node, path string, fields []Field) (map[string]ast.Node, error) {
	pairs, err := r.Pairs(n, path)
	if err != nil {
		return nil, err
	}
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.Key
	}
	seen, line := map[string]ast.Node{}, map[string]int{}
	for _, pair := range pairs {
		token := pair.Key.GetToken()
		key := token.Value
		i := slices.Index(known, key)
		switch {
		case len(key) > r.MaxText:
			return nil, r.At(pair.Key, path, fmt.Errorf("a key of %d bytes is not one of a %s's", len(key), r.Noun))
		case i < 0:
			return nil, r.At(pair.Key, path, names.UnknownError{Kind: "key", Name: key, Names: known})
		case seen[key] != nil:
			return nil, r.At(pair.Key, path,
				fmt.Errorf("key %q stands here a second time, first on line %d", key, line[key]))
		}
		seen[key], line[key] = pair.Value, token.Position.Line
		if err := fields[i].Read(pair.Value, Join(path, key)); err != nil {
			return nil, err
		}
	}
	for _, f := range fields {
		if f.Required && seen[f.Key] == nil {
			return nil, r.At(n, cmp.Or(path, r.Noun), fmt.Errorf("lacks the key %s", f.Key))
		}
	}
	return seen, nil
}

// List reads each element of a list that has one at the least.
func (r *Reader) List(n ast.Node, path string, most int, read func(ast.Node, string) error) error {
	of, ok := n.(*ast.SequenceNode)
	switch {
	case !ok:
		return r.At(n, path, r.misplaced(n, "a list belongs"))
	case len(of.Values) == 0:
		return r.At(n, path, errors.New("the list is empty"))
	case len(of.Values) > most:
		return r.At(n, path, fmt.Errorf("the list has %d elements; at most %d are read", len(of.Values), most))
	}
	for i, node := range of.Values {
		if err := read(node, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// Each reads a single value, or each element of a list.
func (r *Reader) Each(n ast.Node, path string, most int, read func(ast.Node, string) error) error {
	if _, ok := n.(*ast.SequenceNode); ok {
		return r.List(n, path, most, read)
	}
	return read(n, path)
}

// Join is the path of a key under another.
func Join(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

// Scalar returns the text of a single value.
func (r *Reader) Scalar(n ast.Node, path string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		text := n.GetToken().Value
		if len(text) > r.MaxText {
			return "", r.At(n, path, fmt.Errorf("has %d bytes; a value has at most %d", len(text), r.MaxText))
		}
		return text, nil
	}
	return "", r.At(n, path, r.misplaced(n, "one value belongs"))
}

// Value reads a single value, which take understands or refuses.
func (r *Reader) Value(take func(text string) error) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		text, err := r.Scalar(n, path)
		if err != nil {
			return err
		}
		if err := take(text); err != nil {
			return r.At(n, path, err)
		}
		return nil
	}
}

// Line wants a text to be a line of so many characters at most, all of them visible.
func Line(text string, most int) error {
	if count := utf8.RuneCountInString(text); count < 1 || count > most {
		return fmt.Errorf("has %d characters; it takes 1 to %d", count, most)
	}
	if _, hidden := names.FirstHidden(text); hidden {
		return errors.New("is no line of visible characters")
	}
	return nil
}

// misplaced says what stands where something else belongs.
func (r *Reader) misplaced(n ast.Node, wanted string) error {
	switch n.(type) {
	case *ast.NullNode:
		return fmt.Errorf("has no value; %s here", wanted)
	case *ast.AliasNode, *ast.AnchorNode:
		return fmt.Errorf("is a YAML anchor or alias, which %ss do not have", r.Noun)
	case *ast.TagNode:
		return fmt.Errorf("is a YAML tag, which %ss do not have", r.Noun)
	case *ast.MappingNode, *ast.MappingValueNode:
		return fmt.Errorf("is a mapping where %s", wanted)
	case *ast.SequenceNode:
		return fmt.Errorf("is a list where %s", wanted)
	case *ast.LiteralNode:
		return fmt.Errorf("is a block of text where %s", wanted)
	}
	return fmt.Errorf("is a single value where %s", wanted)
}
