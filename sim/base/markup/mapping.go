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

// Field describes a key of a mapping. Read reads the value at a path. Schema returns the JSON
// schema of the value. It is nil if the key does not belong into a schema: Read refuses every value
// of such a key, or the mapping has no published schema.
type Field struct {
	Key, Doc string
	Required bool
	Read     func(ast.Node, string) error
	Schema   func() map[string]any
}

// MakeRequired returns a copy of the field with Required set.
func (f Field) MakeRequired() Field {
	f.Required = true
	return f
}

// KeepNode returns a Read function that stores the node in target.
func KeepNode(target *ast.Node) func(ast.Node, string) error {
	return func(n ast.Node, _ string) error {
		*target = n
		return nil
	}
}

// Dialect is the version of JSON Schema in which schemas are written.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// ObjectSchema returns the JSON schema of a mapping with exactly these fields.
func ObjectSchema(fields []Field) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		if f.Schema == nil {
			continue
		}
		s := f.Schema()
		if f.Doc != "" {
			s["description"] = f.Doc
		}
		properties[f.Key] = s
		if f.Required {
			required = append(required, f.Key)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}

// Pairs returns the keys and values of a mapping, or an error if n is not a mapping.
func (r *Reader) Pairs(n ast.Node, path string) ([]*ast.MappingValueNode, error) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, nil
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, nil
	}
	return nil, r.NewError(n, cmp.Or(path, r.Noun), r.describeMisplaced(n, "keys with values belong"))
}

// ReadMapping reads the fields of a mapping and returns their nodes by key. It fails if a key is
// unknown or repeated, or if a required key is missing.
func (r *Reader) ReadMapping(n ast.Node, path string, fields []Field) (map[string]ast.Node, error) {
	pairs, err := r.Pairs(n, path)
	if err != nil {
		return nil, err
	}
	known := make([]string, len(fields))
	for i, f := range fields {
		known[i] = f.Key
	}
	seen, lines := map[string]ast.Node{}, map[string]int{}
	for _, pair := range pairs {
		token := pair.Key.GetToken()
		key := token.Value
		i := slices.Index(known, key)
		switch {
		case len(key) > r.MaxText:
			return nil, r.NewError(pair.Key, path,
				fmt.Errorf("a key of %d bytes is not one of a %s's", len(key), r.Noun))
		case i < 0:
			return nil, r.NewError(pair.Key, path, names.UnknownError{Kind: "key", Name: key, Names: known})
		case seen[key] != nil:
			return nil, r.NewError(pair.Key, path,
				fmt.Errorf("key %q stands here a second time, first on line %d", key, lines[key]))
		}
		seen[key], lines[key] = pair.Value, token.Position.Line
		if err := fields[i].Read(pair.Value, JoinPath(path, key)); err != nil {
			return nil, err
		}
	}
	for _, f := range fields {
		if f.Required && seen[f.Key] == nil {
			return nil, r.NewError(n, cmp.Or(path, r.Noun), fmt.Errorf("lacks the key %s", f.Key))
		}
	}
	return seen, nil
}

// ReadList calls read with each element of a list. It fails if the list does not have 1 to
// maxLength elements.
func (r *Reader) ReadList(n ast.Node, path string, maxLength int, read func(ast.Node, string) error) error {
	list, ok := n.(*ast.SequenceNode)
	switch {
	case !ok:
		return r.NewError(n, path, r.describeMisplaced(n, "a list belongs"))
	case len(list.Values) == 0:
		return r.NewError(n, path, errors.New("the list is empty"))
	case len(list.Values) > maxLength:
		return r.NewError(n, path,
			fmt.Errorf("the list has %d elements; at most %d are read", len(list.Values), maxLength))
	}
	for i, node := range list.Values {
		if err := read(node, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

// ReadOneOrList calls read with a single value, or with each element of a list.
func (r *Reader) ReadOneOrList(n ast.Node, path string, maxLength int, read func(ast.Node, string) error) error {
	if _, ok := n.(*ast.SequenceNode); ok {
		return r.ReadList(n, path, maxLength, read)
	}
	return read(n, path)
}

// JoinPath returns the path of a key below path.
func JoinPath(path, key string) string { return strings.TrimPrefix(path+"."+key, ".") }

// readScalar returns the text of a single value.
func (r *Reader) readScalar(n ast.Node, path string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		text := n.GetToken().Value
		if len(text) > r.MaxText {
			return "", r.NewError(n, path, fmt.Errorf("has %d bytes; a value has at most %d", len(text), r.MaxText))
		}
		return text, nil
	}
	return "", r.NewError(n, path, r.describeMisplaced(n, "one value belongs"))
}

// ScalarReader returns a Read function that calls parse with the text of a single value.
func (r *Reader) ScalarReader(parse func(text string) error) func(ast.Node, string) error {
	return func(n ast.Node, path string) error {
		text, err := r.readScalar(n, path)
		if err != nil {
			return err
		}
		if err := parse(text); err != nil {
			return r.NewError(n, path, err)
		}
		return nil
	}
}

// CheckLine returns an error if the text is not one line of 1 to maxLength visible characters.
func CheckLine(text string, maxLength int) error {
	if count := utf8.RuneCountInString(text); count < 1 || count > maxLength {
		return fmt.Errorf("has %d characters; it takes 1 to %d", count, maxLength)
	}
	if _, hidden := names.FirstHidden(text); hidden {
		return errors.New("is not a line of visible characters")
	}
	return nil
}

// describeMisplaced returns an error for a node of the wrong kind. wanted is a clause with the
// right kind, such as "a list belongs".
func (r *Reader) describeMisplaced(n ast.Node, wanted string) error {
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
