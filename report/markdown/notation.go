package markdown

import (
	"html"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Formulas are written in the Markdown as plain text that reads well by
// itself: d_k, d_k^(1−2p), q·k, p = 1/2. This extension sets them in HTML:
// variables in italics, _x and _(…) as a subscript, ^(…) and ^x as a superscript. An
// escaped \_ or \^ is left alone, so no string of a plan becomes a formula.

// scripts parses subscripts and superscripts.
type scripts struct{}

func (scripts) Trigger() []byte { return []byte{'_', '^'} }

func (scripts) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if line[0] == '^' {
		return superscript(line, block)
	}
	m := lowered().FindSubmatch(line)
	if m == nil {
		return nil
	}
	if after, _ := utf8.DecodeRune(line[len(m[0]):]); word(after) || after == '_' {
		return nil
	}
	base, ok := takeBase(parent, block.Source())
	if !ok {
		return nil
	}
	block.Advance(len(m[0]))
	return &span{start: italics(base) + "<sub>" + italics(string(m[1])+string(m[2])) + "</sub>", plain: base + string(m[0])}
}

// lowered is a subscript: a letter, a digit, a word, or anything in brackets.
var lowered = lazily(`^_(?:\(([^()\n]{1,30})\)|(\p{Nd}|[\p{Ll}\p{Lu}]+))`)

// takeBase takes the single letter before a subscript, or the bar of a norm, out of the
// text that was already parsed.
func takeBase(parent ast.Node, source []byte) (string, bool) {
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Len() == 0 || last.SoftLineBreak() {
		return "", false
	}
	before := last.Segment.Value(source)
	base, size := utf8.DecodeLastRune(before)
	previous, _ := utf8.DecodeLastRune(before[:len(before)-size])
	if base != '‖' && (!unicode.IsLetter(base) || word(previous) || previous == '\\') {
		return "", false
	}
	last.Segment = last.Segment.WithStop(last.Segment.Stop - size)
	return string(base), true
}

var powers = lazily(`^\^(?:\(([^()\n]{1,30})\)|([\pL\pN]))`)

// superscript reads a power of what stands before it.
func superscript(line []byte, block text.Reader) ast.Node {
	m := powers().FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	raised := string(util.UnescapePunctuations(m[1])) + string(m[2]) // bars are escaped for tables
	return &span{start: "<sup>" + italics(raised) + "</sup>", plain: string(m[0])}
}

// word reports what words are of; the raised T of a transpose is not.
func word(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r) || unicode.IsDigit(r))
}

var letters = lazily(`\pL+`)

// italics writes an expression with its single letters as variables.
func italics(s string) string {
	return letters().ReplaceAllStringFunc(html.EscapeString(s), func(w string) string {
		if utf8.RuneCountInString(w) == 1 {
			return "<i>" + w + "</i>"
		}
		return w
	})
}

// variables sets the letters that stand for variables in running text.
type variables struct{}

var loose = lazily(`q·k|(?:^|[^\pL\pN\\/_^'’-])([pqkακβγσ])(?:[^\pL\pN_^'’(-]|$)`)

// Transform sets the variables in all texts of a document.
func (variables) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var found []*ast.Text
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.Image:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			if entering {
				found = append(found, n)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, t := range found {
		setVariables(t, reader.Source())
	}
}

// setVariables splits a text around its variables.
func setVariables(t *ast.Text, source []byte) {
	parent := t.Parent()
	for {
		at := loose().FindSubmatchIndex(t.Segment.Value(source))
		if at == nil {
			return
		}
		from, to := at[0], at[1]
		set := `<i>q</i>·<i>k</i>`
		if at[2] >= 0 {
			from, to = at[2], at[3]
			set = italics(string(t.Segment.Value(source)[from:to]))
		}
		before := ast.NewTextSegment(t.Segment.WithStop(t.Segment.Start + from))
		parent.InsertBefore(parent, t, before)
		parent.InsertBefore(parent, t, &span{start: set, plain: string(t.Segment.Value(source)[from:to])})
		t.Segment = t.Segment.WithStart(t.Segment.Start + to)
	}
}
