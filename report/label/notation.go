// Package label typesets text with symbols. Labels, captions and findings share one notation, which
// is a small part of LaTeX. A label can be laid out for a canvas (Typeset), or converted into plain
// text (Plain) or LaTeX (LaTeX).
//
// A label consists of literal text and of mathematics between dollars. In mathematics, letters are
// italic, _ and ^ set the next symbol or group below or above the line, \sqrt{…} is a root,
// \mathrm{…} is upright text, and the commands of symbols.go are signs. In text, a backslash
// escapes a following $ or \. Validate returns an error for a label that the notation does not
// allow.
package label

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcsim/sim/names"
)

// class is the role of a symbol. The space around a symbol depends on its class.
type class int

const (
	ordinary class = iota
	binary         // + − ±: space on both sides, unless it is a unary sign
	relation       // = < ≤
	comma
	opening
	closing
	function // ln, max: space after it, unless a bracket follows
	space
)

// node is a symbol, an upright text, a script (a superscript or a subscript), or a root.
type node struct {
	text     string
	italic   bool
	class    class
	script   int // +1 for a superscript, −1 for a subscript, otherwise 0
	isRoot   bool
	children []node // the contents of a script or a root
}

// segment is a part of a label, which is either text or mathematics.
type segment struct {
	text   string // text without escapes
	source string // mathematics between its dollars
	math   []node // parsed source
}

// EscapeLiteral escapes a string of the plan so that a label shows it literally. A box □ replaces
// each character that the font does not have.
func EscapeLiteral(s string) string {
	s = strings.Map(func(r rune) rune {
		if !Upright.Face().Has(r) {
			return '□'
		}
		return r
	}, names.RemoveUnprintable(s))
	return Escape(s)
}

// Escape escapes a text so that the notation shows it literally.
func Escape(s string) string { return strings.NewReplacer(`\`, `\\`, `$`, `\$`).Replace(s) }

// Validate returns an error if the notation does not allow a label. It does not check whether the
// font has the glyphs.
func Validate(label string) error {
	if _, err := parse(label); err != nil {
		return fmt.Errorf("%q: %w", label, err)
	}
	return nil
}

// mustParse parses a label and panics if the notation does not allow it.
func mustParse(label string) []segment {
	parts, err := parse(label)
	if err != nil {
		panic(fmt.Sprintf("label: %q: %v", label, err))
	}
	return parts
}

func parse(label string) ([]segment, error) {
	var parts []segment
	var text strings.Builder
	for len(label) > 0 {
		switch {
		case label[0] == '\\' && len(label) > 1 && strings.ContainsRune(`\$`, rune(label[1])):
			text.WriteByte(label[1])
			label = label[2:]
		case label[0] == '\\':
			return nil, fmt.Errorf("a backslash in text must be followed by $ or \\")
		case label[0] == '$':
			end := strings.IndexByte(label[1:], '$')
			if end < 0 {
				return nil, fmt.Errorf("a dollar must be followed by a closing dollar")
			}
			p := parser{rest: label[1 : 1+end]}
			math, err := p.parseList(false)
			if err != nil {
				return nil, err
			}
			if text.Len() > 0 {
				parts = append(parts, segment{text: text.String()})
				text.Reset()
			}
			parts = append(parts, segment{source: label[1 : 1+end], math: math})
			label = label[end+2:]
		default:
			r, size := utf8.DecodeRuneInString(label)
			text.WriteRune(r)
			label = label[size:]
		}
	}
	if text.Len() > 0 {
		parts = append(parts, segment{text: text.String()})
	}
	return parts, nil
}

// parser reads mathematics from a source, of which rest has not been read yet.
type parser struct{ rest string }

// parseList reads symbols up to the end or, in a group, up to the closing brace of the group.
func (p *parser) parseList(inGroup bool) ([]node, error) {
	var nodes []node
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		switch {
		case p.rest == "" && inGroup:
			return nil, fmt.Errorf("a { must be followed by a closing }")
		case p.rest == "":
			return nodes, nil
		case p.rest[0] == '}' && inGroup:
			p.rest = p.rest[1:]
			return nodes, nil
		case p.rest[0] == '_' || p.rest[0] == '^':
			if len(nodes) == 0 {
				return nil, fmt.Errorf("a script must follow a symbol")
			}
			script := 1
			if p.rest[0] == '_' {
				script = -1
			}
			p.rest = p.rest[1:]
			children, err := p.parseArgument()
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, node{script: script, children: children})
		default:
			symbols, err := p.parseSymbol()
			if err != nil {
				return nil, err
			}
			nodes = append(nodes, symbols...)
		}
	}
}

// parseArgument reads a group in braces, or one symbol.
func (p *parser) parseArgument() ([]node, error) {
	p.rest = strings.TrimLeft(p.rest, " ")
	if strings.HasPrefix(p.rest, "{") {
		p.rest = p.rest[1:]
		return p.parseList(true)
	}
	if p.rest == "" || strings.ContainsRune("_^}", rune(p.rest[0])) {
		return nil, fmt.Errorf("a script or a root must have contents")
	}
	return p.parseSymbol()
}

func (p *parser) parseSymbol() ([]node, error) {
	r, size := utf8.DecodeRuneInString(p.rest)
	switch {
	case r == '\\':
		return p.parseCommand()
	case r == '{':
		p.rest = p.rest[1:]
		return p.parseList(true)
	case r == '}' || r == '&' || r == '#' || r == '%' || r == '~' || r == '"':
		return nil, fmt.Errorf("%q is not allowed in mathematics", r)
	}
	p.rest = p.rest[size:]
	if n, ok := characters[r]; ok {
		return []node{n}, nil
	}
	return []node{{text: string(r), italic: unicode.IsLetter(r)}}, nil
}

// parseCommand reads a backslash and the name after it.
func (p *parser) parseCommand() ([]node, error) {
	name := p.rest[1:]
	end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	switch {
	case end == 0:
		end = 1 // the name is a sign, such as the comma of \,
	case end < 0:
		end = len(name)
	}
	name, p.rest = name[:end], name[end:]
	switch name {
	case "sqrt":
		children, err := p.parseArgument()
		return []node{{isRoot: true, children: children}}, err
	case "mathrm":
		end := strings.IndexByte(p.rest, '}')
		if !strings.HasPrefix(p.rest, "{") || end < 0 || strings.ContainsAny(p.rest[1:end], `\{_^`) {
			return nil, fmt.Errorf(`\mathrm must be followed by {plain text}`)
		}
		text := p.rest[1:end]
		p.rest = p.rest[end+1:]
		return []node{{text: text, class: function}}, nil
	}
	if n, ok := commands[name]; ok {
		return []node{n}, nil
	}
	return nil, fmt.Errorf(`the notation does not have the command \%s`, name)
}
