// Package markup reads YAML files with known keys and reports the position of each error. Package
// plan uses it for plans, and package claim for ledgers.
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

const (
	MaxSize  = 1 << 18 // maximum size of a text in bytes
	maxDepth = 16      // maximum depth of lists and brackets
	maxKeys  = 1 << 14 // maximum number of keys
	// The time and memory of the YAML parser are quadratic in the depth and in the number of keys.
)

// Reader reads one text. Its methods return errors with the position in the text.
type Reader struct {
	File    string
	Noun    string // kind of text, such as plan
	MaxText int    // maximum number of bytes of a key or a value
	lines   []string
}

// Parse parses a text as one YAML document.
func (r *Reader) Parse(text []byte) (ast.Node, error) {
	if len(text) > MaxSize {
		return nil, r.newTextError(fmt.Errorf("the %s has more than %d bytes", r.Noun, MaxSize))
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n"))
	r.lines = strings.Split(string(text), "\n")
	if err := r.checkEncoding(); err != nil {
		return nil, err
	}
	tokens := lexer.Tokenize(string(text))
	if err := r.checkTokens(tokens); err != nil {
		return nil, err
	}
	// Repeated keys are allowed here, since ReadMapping reports them with their lines.
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return nil, r.explainSyntaxError(err)
	}
	return r.findBody(file.Docs)
}

// checkEncoding returns an error at the first byte that is not UTF-8.
func (r *Reader) checkEncoding() error {
	for i, line := range r.lines {
		for offset, c := range line {
			if _, size := utf8.DecodeRuneInString(line[offset:]); c == utf8.RuneError && size == 1 {
				return r.newErrorAtPosition(i+1, 1+utf8.RuneCountInString(line[:offset]), "",
					errors.New("this byte is not UTF-8 text"))
			}
		}
	}
	return nil
}

// checkTokens limits the depth of nested lists and brackets, and the number of keys.
func (r *Reader) checkTokens(tokens token.Tokens) error {
	brackets, keys := 0, 0
	var columns []int // of the dashes and question marks around a token
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.MappingValueType:
			keys++
		case token.SequenceEntryType, token.MappingKeyType:
			for len(columns) > 0 && columns[len(columns)-1] >= t.Position.Column {
				columns = columns[:len(columns)-1]
			}
			columns = append(columns, t.Position.Column)
			if t.Type == token.MappingKeyType {
				keys++
			}
		}
		if brackets+len(columns) > maxDepth {
			return r.newErrorAtToken(t, "", fmt.Errorf("lists and brackets are nested more than %d deep", maxDepth))
		}
		if keys > maxKeys {
			return r.newErrorAtToken(t, "", fmt.Errorf("the %s has more than %d keys", r.Noun, maxKeys))
		}
	}
	return nil
}

// findBody returns the content of the only document.
func (r *Reader) findBody(docs []*ast.DocumentNode) (ast.Node, error) {
	if len(docs) == 0 || docs[0].Body == nil {
		return nil, r.newTextError(fmt.Errorf("the %s is empty", r.Noun))
	}
	if directive, ok := docs[0].Body.(*ast.DirectiveNode); ok {
		return nil, r.NewError(directive, "", fmt.Errorf("is a YAML directive, which %ss do not have", r.Noun))
	}
	if len(docs) > 1 {
		return nil, r.newErrorAtToken(docs[1].Start, "",
			fmt.Errorf("a second YAML document begins here; a %s is one", r.Noun))
	}
	return docs[0].Body, nil
}

// hints maps messages of the YAML parser to clearer ones.
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

// explainSyntaxError converts an error of the YAML parser. It replaces the message by its hint, if
// there is one, or by an error about a tab in the indentation of the line.
func (r *Reader) explainSyntaxError(err error) error {
	var yamlError interface {
		error
		GetToken() *token.Token
		GetMessage() string
	}
	if !errors.As(err, &yamlError) {
		return r.newTextError(fmt.Errorf("is not YAML: %w", err))
	}
	if t := yamlError.GetToken(); t != nil && t.Position != nil {
		if column := findTab(r.line(t.Position.Line)); column > 0 {
			return r.newErrorAtPosition(t.Position.Line, column, "",
				errors.New("a tab indents this line; YAML requires spaces"))
		}
	}
	message := yamlError.GetMessage()
	if hint, ok := hints[message]; ok {
		message = hint
	}
	return r.newErrorAtToken(yamlError.GetToken(), "", fmt.Errorf("is not YAML: %s", message))
}

// findTab returns the column of the first tab in a line's indentation, or 0 if there is none.
func findTab(line string) int {
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	return strings.IndexByte(indent, '\t') + 1
}

// newTextError returns an error about the whole text.
func (r *Reader) newTextError(err error) error { return &Error{File: r.File, Err: err} }

// NewError returns an error at a node with the path of its keys.
func (r *Reader) NewError(n ast.Node, path string, err error) error {
	return r.newErrorAtToken(firstToken(n), path, err)
}

// firstToken returns the first token of a node in the text. (GetToken of a block mapping returns
// its first colon.)
func firstToken(n ast.Node) *token.Token {
	switch n := n.(type) {
	case *ast.MappingNode:
		if !n.IsFlowStyle && len(n.Values) > 0 {
			return firstToken(n.Values[0])
		}
	case *ast.MappingValueNode:
		return n.Key.GetToken()
	}
	return n.GetToken()
}

// newErrorAtToken returns an error at a token, which may be nil.
func (r *Reader) newErrorAtToken(t *token.Token, path string, err error) error {
	if t == nil || t.Position == nil {
		return r.newErrorAtPosition(0, 0, path, err)
	}
	return r.newErrorAtPosition(t.Position.Line, t.Position.Column, path, err)
}

// newErrorAtPosition returns an error at a line and a column, or without a position if line is 0.
// If the column is after the end of the line, as for a missing value, it becomes the last column.
func (r *Reader) newErrorAtPosition(line, column int, path string, err error) error {
	e := &Error{File: r.File, Path: path, Err: err}
	text := strings.TrimRight(r.line(line), " \t")
	if line < 1 {
		return e
	}
	e.Line, e.Column = line, max(min(column, utf8.RuneCountInString(text)), 1)
	e.Source = excerpt(text, e.Column)
	return e
}

// line returns a line of the text, counted from 1. It is empty if there is no such line.
func (r *Reader) line(number int) string {
	if number < 1 || number > len(r.lines) {
		return ""
	}
	return r.lines[number-1]
}
