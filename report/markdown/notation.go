package markdown

import (
	"bytes"
	"html"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Short formulas in Markdown are plain text that is readable without conversion: d_k, d_k^(1−2p),
// q·k, p = 1/2. In HTML, variables are in italics, _x and _(…) become subscripts, and ^x and ^(…)
// become superscripts. An escaped \_ or \^ is literal, so that no string of a plan becomes a
// formula.

// scriptParser parses subscripts and superscripts.
type scriptParser struct{}

func (scriptParser) Trigger() []byte { return []byte{'_', '^'} }

func (scriptParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if line[0] == '^' {
		return parseSuperscript(line, block)
	}
	m := subscriptSource().FindSubmatch(line)
	if m == nil {
		return nil
	}
	next, _ := utf8.DecodeRune(line[len(m[0]):])
	if isWordRune(next) || next == '_' {
		return nil
	}
	base, ok := takeBase(parent, block.Source())
	if !ok {
		return nil
	}
	block.Advance(len(m[0]))
	return &span{
		start: italicizeVariables(base) + "<sub>" + italicizeVariables(string(m[1])+string(m[2])) + "</sub>",
		plain: base + string(m[0]),
	}
}

// subscriptSource matches a subscript: a letter, a digit, a word, or anything in brackets.
var subscriptSource = compileLazily(`^_(?:\(([^()\n]{1,30})\)|(\p{Nd}|[\p{Ll}\p{Lu}]+))`)

// takeBase removes the base of a subscript, which is a single letter or the bar of a norm, from the
// end of the text that was already parsed, and returns it. ok is false if there is none.
func takeBase(parent ast.Node, source []byte) (base string, ok bool) {
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Len() == 0 || last.SoftLineBreak() {
		return "", false
	}
	value := last.Segment.Value(source)
	letter, size := utf8.DecodeLastRune(value)
	previous, _ := utf8.DecodeLastRune(value[:len(value)-size])
	if letter != '‖' && (!unicode.IsLetter(letter) || isWordRune(previous) || previous == '\\') {
		return "", false
	}
	last.Segment = last.Segment.WithStop(last.Segment.Stop - size)
	return string(letter), true
}

// superscriptSource matches a superscript: a letter, a digit, or anything in brackets.
var superscriptSource = compileLazily(`^\^(?:\(([^()\n]{1,30})\)|([\pL\pN]))`)

func parseSuperscript(line []byte, block text.Reader) ast.Node {
	m := superscriptSource().FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	power := string(util.UnescapePunctuations(m[1])) + string(m[2]) // tables have escaped bars
	return &span{start: "<sup>" + italicizeVariables(power) + "</sup>", plain: string(m[0])}
}

// isWordRune reports whether a character is part of a word. The raised T of a transpose is not.
func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) && !unicode.Is(unicode.Lm, r) || unicode.IsDigit(r))
}

var letterRun = compileLazily(`\pL+`)

// italicizeVariables writes an expression as HTML, with single letters in italics.
func italicizeVariables(s string) string {
	return letterRun().ReplaceAllStringFunc(html.EscapeString(s), func(w string) string {
		if utf8.RuneCountInString(w) == 1 {
			return "<i>" + w + "</i>"
		}
		return w
	})
}

// variableInText matches a letter that is a variable in running text.
var variableInText = compileLazily(`q·k|(?:^|[^\pL\pN\\/_^'’-])([pqkακβγσ])(?:[^\pL\pN_^'’(-]|$)`)

// markVariables replaces the variables in all texts of a document by spans in italics.
func markVariables(doc ast.Node, source []byte) {
	isLiteral := func(n ast.Node) bool { return n.Kind() == ast.KindCodeSpan || n.Kind() == ast.KindImage }
	for _, t := range textNodes(doc, isLiteral) {
		parent := t.Parent()
		for m := variableInText().FindSubmatchIndex(t.Segment.Value(source)); m != nil; {
			start, end := m[0], m[1]
			html := `<i>q</i>·<i>k</i>`
			if m[2] >= 0 {
				start, end = m[2], m[3]
				html = italicizeVariables(string(t.Segment.Value(source)[start:end]))
			}
			plain := string(t.Segment.Value(source)[start:end])
			parent.InsertBefore(parent, t, ast.NewTextSegment(t.Segment.WithStop(t.Segment.Start+start)))
			parent.InsertBefore(parent, t, &span{start: html, plain: plain})
			t.Segment = t.Segment.WithStart(t.Segment.Start + end)
			m = variableInText().FindSubmatchIndex(t.Segment.Value(source))
		}
	}
}

// lineBreakers are the characters at which a line may break.
const lineBreakers = " \t\n"

// joinNeighbours puts a formula and the text that touches it into a span that remains on one line.
// Otherwise, a browser would break the line before a comma, or between a symbol and the no-break
// space before its value.
func joinNeighbours(formula ast.Node, source []byte) {
	unbroken := &span{}
	previous, _ := formula.PreviousSibling().(*ast.Text)
	formula.Parent().ReplaceChild(formula.Parent(), formula, unbroken)
	if previous != nil && !previous.SoftLineBreak() && !previous.HardLineBreak() {
		cut := previous.Segment.Start + bytes.LastIndexAny(previous.Segment.Value(source), lineBreakers) + 1
		if cut < previous.Segment.Stop {
			unbroken.AppendChild(unbroken, ast.NewTextSegment(previous.Segment.WithStart(cut)))
			previous.Segment = previous.Segment.WithStop(cut)
		}
	}
	unbroken.AppendChild(unbroken, formula)
	for {
		next, ok := unbroken.NextSibling().(*ast.Text)
		if !ok || next.Segment.Len() == 0 {
			break
		}
		cut := bytes.IndexAny(next.Segment.Value(source), lineBreakers)
		if cut < 0 && !next.SoftLineBreak() && !next.HardLineBreak() {
			unbroken.AppendChild(unbroken, next) // also removes next from its parent
			continue
		}
		if cut < 0 { // the text ends with the line
			cut = next.Segment.Len()
		}
		if cut > 0 {
			unbroken.AppendChild(unbroken, ast.NewTextSegment(next.Segment.WithStop(next.Segment.Start+cut)))
			next.Segment = next.Segment.WithStart(next.Segment.Start + cut)
		}
		break
	}
	if unbroken.ChildCount() > 1 {
		unbroken.start, unbroken.end = `<span class="keep">`, "</span>"
	}
}
