// Package label sets text with symbols. Labels, captions and findings share
// one notation, a small part of LaTeX's; a label becomes outlines of the font
// for a canvas (Set), or plain text, Markdown or LaTeX.
//
// The notation: text as it is, and mathematics between dollars, where letters
// are italic, _ and ^ set the next symbol or group below or above the line,
// \sqrt{…} is a root, \mathrm{…} upright text, and the commands of symbols.go
// are signs. A backslash before $ or \ in the text takes it as it is. What the
// notation cannot set, or the font has no glyph for, is an error of Check.
package label

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"mcsim/sim/names"
)

// class is what a symbol does, which decides the space around it.
type class int

const (
	ordinary class = iota
	binary         // + − ±: space on both sides, unless nothing stands before
	relation       // = < ≤
	comma
	opening
	closing
	function // ln, max: space behind it unless a bracket follows
	space
)

// node is a symbol, a run of text, a script, or a root.
type node struct {
	text   string
	italic bool
	class  class
	script int    // +1 above, −1 below the line, for a group
	root   bool   // for a group under a root
	group  []node // of a script or a root
}

// part is a stretch of a label: text, or mathematics with its source.
type part struct {
	text   string // of text, without escapes
	source string // of mathematics, between its dollars
	math   []node
}

// Literal writes a string of the plan so that a label shows it as it is; a
// box stands for what the font lacks.
func Literal(s string) string {
	s = strings.Map(func(r rune) rune {
		if !Upright.Face().Has(r) {
			return '□'
		}
		return r
	}, Printable(s))
	return Quoted(s)
}

// Quoted writes a text so that the notation takes it as it is.
func Quoted(s string) string { return strings.NewReplacer(`\`, `\\`, `$`, `\$`).Replace(s) }

// Printable drops what does not show, or cannot stand in XML.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case names.IsHidden(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// Allows reports why the notation does not allow a label, whatever glyphs the
// font has.
func Allows(label string) error {
	if _, err := parse(label); err != nil {
		return fmt.Errorf("%q: %w", label, err)
	}
	return nil
}

// mustParse parses a label that Check has passed, or that literal made.
func mustParse(label string) []part {
	parts, err := parse(label)
	if err != nil {
		panic(fmt.Sprintf("label: %q: %v", label, err))
	}
	return parts
}

// parse reads a label into text and mathematics.
func parse(label string) ([]part, error) {
	var parts []part
	var text strings.Builder
	for len(label) > 0 {
		switch {
		case label[0] == '\\' && len(label) > 1 && strings.ContainsRune(`\$`, rune(label[1])):
			text.WriteByte(label[1])
			label = label[2:]
		case label[0] == '\\':
			return nil, fmt.Errorf("a backslash in text stands before $ or \\ alone")
		case label[0] == '$':
			end := strings.IndexByte(label[1:], '$')
			if end < 0 {
				return nil, fmt.Errorf("a dollar without its partner")
			}
			p := parser{rest: label[1 : 1+end]}
			math, err := p.list(false)
			if err != nil {
				return nil, err
			}
			if text.Len() > 0 {
				parts = append(parts, part{text: text.String()})
				text.Reset()
			}
			parts = append(parts, part{source: label[1 : 1+end], math: math})
			label = label[end+2:]
		default:
			r, size := utf8.DecodeRuneInString(label)
			text.WriteRune(r)
			label = label[size:]
		}
	}
	if text.Len() > 0 {
		parts = append(parts, part{text: text.String()})
	}
	return parts, nil
}

type parser struct{ rest string }

// list reads symbols up to the end, or in a group up to its bracket.
func (p *parser) list(group bool) ([]node, error) {
	var out []node
	for {
		p.rest = strings.TrimLeft(p.rest, " ")
		switch {
		case p.rest == "" && group:
			return nil, fmt.Errorf("a { without its }")
		case p.rest == "":
			return out, nil
		case p.rest[0] == '}' && group:
			p.rest = p.rest[1:]
			return out, nil
		case p.rest[0] == '_' || p.rest[0] == '^':
			script := map[byte]int{'_': -1, '^': 1}[p.rest[0]]
			if len(out) == 0 {
				return nil, fmt.Errorf("a script without what it belongs to")
			}
			p.rest = p.rest[1:]
			kids, err := p.argument()
			if err != nil {
				return nil, err
			}
			out = append(out, node{script: script, group: kids})
		default:
			n, err := p.symbol()
			if err != nil {
				return nil, err
			}
			out = append(out, n...)
		}
	}
}

// argument reads a group, or one symbol without brackets.
func (p *parser) argument() ([]node, error) {
	p.rest = strings.TrimLeft(p.rest, " ")
	if strings.HasPrefix(p.rest, "{") {
		p.rest = p.rest[1:]
		return p.list(true)
	}
	if p.rest == "" || strings.ContainsRune("_^}", rune(p.rest[0])) {
		return nil, fmt.Errorf("a script or root of nothing")
	}
	return p.symbol()
}

// symbol reads one symbol, group or command.
func (p *parser) symbol() ([]node, error) {
	r, size := utf8.DecodeRuneInString(p.rest)
	switch {
	case r == '\\':
		return p.command()
	case r == '{':
		p.rest = p.rest[1:]
		return p.list(true)
	case r == '}' || r == '&' || r == '#' || r == '%' || r == '~' || r == '"':
		return nil, fmt.Errorf("%q has no place in mathematics", r)
	}
	p.rest = p.rest[size:]
	if n, ok := characters[r]; ok {
		return []node{n}, nil
	}
	return []node{{text: string(r), italic: unicode.IsLetter(r)}}, nil
}

// command reads a backslash and the name behind it.
func (p *parser) command() ([]node, error) {
	name := p.rest[1:]
	end := strings.IndexFunc(name, func(r rune) bool { return !unicode.IsLetter(r) })
	switch {
	case end == 0:
		end = 1 // \, and the like
	case end < 0:
		end = len(name)
	}
	name, p.rest = name[:end], name[end:]
	switch name {
	case "sqrt":
		kids, err := p.argument()
		return []node{{root: true, group: kids}}, err
	case "mathrm":
		end := strings.IndexByte(p.rest, '}')
		if !strings.HasPrefix(p.rest, "{") || end < 0 || strings.ContainsAny(p.rest[1:end], `\{_^`) {
			return nil, fmt.Errorf(`\mathrm takes {plain text}`)
		}
		text := p.rest[1:end]
		p.rest = p.rest[end+1:]
		return []node{{text: text, class: function}}, nil
	}
	if n, ok := commands[name]; ok {
		return []node{n}, nil
	}
	return nil, fmt.Errorf(`the notation has no \%s`, name)
}
