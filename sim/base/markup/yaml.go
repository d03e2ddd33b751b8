// Package markup reads YAML that people write, one document with keys that are known, and
// says of each fault where it stands. Package plan reads plans by it, and package claim
// ledgers.
package markup

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a text. The YAML parser takes time that grows with the square of the depth.
const (
	MaxSize  = 1 << 18
	maxDepth = 16
)

// Reader walks the tree of a text.
type Reader struct {
	File    string
	Noun    string // what the text is: plan
	MaxText int    // bytes of a key or of a value
	lines   []string
}

// Tree parses a text as one YAML document.
func (r *Reader) Tree(text []byte) (ast.Node, error) {
	if len(text) > MaxSize {
		return nil, r.Wholly(fmt.Errorf("the %s has more than %d bytes", r.Noun, MaxSize))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	r.lines = strings.Split(string(text), "\n")
	if err := r.encoding(); err != nil {
		return nil, err
	}
	tokens := lexer.Tokenize(string(text))
	if err := r.depth(tokens); err != nil {
		return nil, err
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey()) // mapping says it better
	if err != nil {
		return nil, r.syntax(err)
	}
	return r.body(file.Docs)
}

// encoding wants UTF-8, and points at the first byte that is not.
func (r *Reader) encoding() error {
	for i, line := range r.lines {
		for at, c := range line {
			if _, size := utf8.DecodeRuneInString(line[at:]); c == utf8.RuneError && size == 1 {
				return r.position(i+1, 1+utf8.RuneCountInString(line[:at]), "",
					errors.New("this byte is not UTF-8 text"))
			}
		}
	}
	return nil
}

// depth bounds how deep brackets stand within each other.
func (r *Reader) depth(tokens token.Tokens) error {
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		}
		if depth > maxDepth {
			return r.atToken(t, "", fmt.Errorf("brackets stand more than %d deep", maxDepth))
		}
	}
	return nil
}

// body is what the only document holds.
func (r *Reader) body(docs []*ast.DocumentNode) (ast.Node, error) {
	if len(docs) == 0 || docs[0].Body == nil {
		return nil, r.Wholly(fmt.Errorf("the %s is empty", r.Noun))
	}
	if directive, ok := docs[0].Body.(*ast.DirectiveNode); ok {
		return nil, r.At(directive, "", fmt.Errorf("is a YAML directive, which %ss do not have", r.Noun))
	}
	if len(docs) > 1 {
		return nil, r.atToken(docs[1].Start, "", fmt.Errorf("a second YAML document begins here; a %s is one", r.Noun))
	}
	return docs[0].Body, nil
}

// hints say what the YAML parser's words mean.
var hints = map[string]string{
	"mapping value is not allowed in this context": `a "key: value" cannot be here or on the next line; ` +
		`check the indentation, and quote a text that contains ": "`,
	"unexpected directive value. document not started":   "a text that begins with % must be quoted",
	"'@' is a reserved character":                        "a text that begins with @ must be quoted",
	"'`' is a reserved character":                        "a text that begins with ` must be quoted",
	"could not find end character of double-quoted text": `the text lacks its closing "`,
	"could not find end character of single-quoted text": "the text lacks its closing '",
	"sequence end token ']' not found":                   "the list lacks its closing ]",
	"could not find flow map content":                    "a mapping in braces holds key: value pairs and ends with }",
	"',' or ']' must be specified":                       "a list lacks a comma or its closing ]",
	"',' or '}' must be specified":                       "a mapping lacks a comma or its closing }",
	"could not find flow mapping end token '}'":          "the mapping lacks its closing }",
}

// syntax turns the YAML parser's error into one of ours, with a hint where there is one.
func (r *Reader) syntax(err error) error {
	var y interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if !errors.As(err, &y) {
		return r.Wholly(fmt.Errorf("is not YAML: %w", err))
	}
	if t := y.GetToken(); t != nil && t.Position != nil {
		if column := tabbed(r.line(t.Position.Line)); column > 0 {
			return r.position(t.Position.Line, column, "", errors.New("a tab indents this line; YAML wants spaces"))
		}
	}
	message := y.GetMessage()
	if hint, ok := hints[message]; ok {
		message = hint
	}
	return r.atToken(y.GetToken(), "", fmt.Errorf("is not YAML: %s", message))
}

// tabbed is the column of the first tab in a line's indentation, 0 for none.
func tabbed(line string) int {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return strings.IndexByte(indent, '\t') + 1
}

// Wholly makes the error about the whole text.
func (r *Reader) Wholly(err error) error { return &Error{File: r.File, Err: err} }

// At makes the error at a node, whose keys are the path.
func (r *Reader) At(n ast.Node, path string, err error) error {
	return r.atToken(start(n), path, err)
}

// start is where a node begins for a reader. The token of a block mapping is
// its first colon.
func start(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return start(n.Values[0])
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

// atToken makes the error at a token, which may be nil.
func (r *Reader) atToken(t *token.Token, path string, err error) error {
	if t == nil || t.Position == nil {
		return r.position(0, 0, path, err)
	}
	return r.position(t.Position.Line, t.Position.Column, path, err)
}

// position makes the error at a line and a column. A column behind the line's
// end, where a value is missing, becomes the line's last.
func (r *Reader) position(line, column int, path string, err error) error {
	e := &Error{File: r.File, Path: path, Err: err}
	text := strings.TrimRight(r.line(line), " \t")
	if line < 1 {
		return e
	}
	e.Line, e.Column = line, max(min(column, utf8.RuneCountInString(text)), 1)
	e.Source = excerpt(text, e.Column)
	return e
}

// line is a line of the text, counted from 1, empty if there is none.
func (r *Reader) line(number int) string {
	if number < 1 || number > len(r.lines) {
		return ""
	}
	return r.lines[number-1]
}
