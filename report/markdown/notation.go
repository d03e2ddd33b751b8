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

// Formulas in Markdown are plain text that is readable by itself: d_k, d_k^(1−2p), q·k, p = 1/2.
// HTML has variables in italics, _x and _(…) as a subscript, ^(…) and ^x as a superscript. An
// escaped \_ or \^ stays, so no string of a plan becomes a formula.

// scripts parses subscripts and superscripts.
type scripts struct{}

func (scripts) Trigger() []byte { return []byte{'_', '^'} }

func (scripts) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if line[0] == '^' {
		return parseSuperscript(line, block)
	}
	m := subscriptSource().FindSubmatch(line)
	if m == nil {
		return nil
	}
	if after, _ := utf8.DecodeRune(line[len(m[0]):]); isWordRune(after) || after == '_' {
		return nil
	}
	base, ok := takeBase(parent, block.Source())
	if !ok {
		return nil
	}
	block.Advance(len(m[0]))
	return &span{
		start: italics(base) + "<sub>" + italics(string(m[1])+string(m[2])) + "</sub>",
		plain: base + string(m[0]),
	}
}

// subscriptSource matches a subscript: a letter, a digit, a word, or anything in brackets.
var subscriptSource = lazily(`^_(?:\(([^()\n]{1,30})\)|(\p{Nd}|[\p{Ll}\p{Lu}]+))`)

// takeBase removes the single letter before a subscript, or the bar of a norm, from the text that
// was already parsed, and returns it.
func takeBase(parent ast.Node, source []byte) (string, bool) {
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Len() == 0 || last.SoftLineBreak() {
		return "", false
	}
	before := last.Segment.Value(source)
	base, size := utf8.DecodeLastRune(before)
	previous, _ := utf8.DecodeLastRune(before[:len(before)-size])
	if base != '‖' && (!unicode.IsLetter(base) || isWordRune(previous) || previous == '\\') {
		return "", false
	}
	last.Segment = last.Segment.WithStop(last.Segment.Stop - size)
	return string(base), true
}

// superscriptSource matches a power of the expression before it.
var superscriptSource = lazily(`^\^(?:\(([^()\n]{1,30})\)|([\pL\pN]))`)

func parseSuperscript(line []byte, block text.Reader) ast.Node {
	m := superscriptSource().FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	power := string(util.UnescapePunctuations(m[1])) + string(m[2]) // bars are escaped for tables
	return &span{start: "<sup>" + italics(power) + "</sup>", plain: string(m[0])}
}

// isWordRune reports whether words have the character. The raised T of a transpose is not one.
func isWordRune(r rune) bool {
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

// variable matches a letter that is a variable in running text.
var variable = lazily(`q·k|(?:^|[^\pL\pN\\/_^'’-])([pqkακβγσ])(?:[^\pL\pN_^'’(-]|$)`)

// setVariables sets the variables in all texts of a document.
func setVariables(doc ast.Node, source []byte) {
	isLiteral := func(n ast.Node) bool { return n.Kind() == ast.KindCodeSpan || n.Kind() == ast.KindImage }
	for _, t := range textsIn(doc, isLiteral) {
		parent := t.Parent()
		for m := variable().FindSubmatchIndex(t.Segment.Value(source)); m != nil; {
			from, to := m[0], m[1]
			html := `<i>q</i>·<i>k</i>`
			if m[2] >= 0 {
				from, to = m[2], m[3]
				html = italics(string(t.Segment.Value(source)[from:to]))
			}
			plain := string(t.Segment.Value(source)[from:to])
			parent.InsertBefore(parent, t, ast.NewTextSegment(t.Segment.WithStop(t.Segment.Start+from)))
			parent.InsertBefore(parent, t, &span{start: html, plain: plain})
			t.Segment = t.Segment.WithStart(t.Segment.Start + to)
			m = variable().FindSubmatchIndex(t.Segment.Value(source))
		}
	}
}

// blank are the characters at which a line may break.
const blank = " \t\n"

// keepWithNeighbours puts a formula and the text that touches it into a span that stays on one line.
// A browser would break the line before a comma, or between a symbol and the no-break space before
// its value.
func keepWithNeighbours(formula ast.Node, source []byte) {
	kept := &span{}
	before, _ := formula.PreviousSibling().(*ast.Text)
	formula.Parent().ReplaceChild(formula.Parent(), formula, kept)
	if before != nil && !before.SoftLineBreak() && !before.HardLineBreak() {
		cut := before.Segment.Start + bytes.LastIndexAny(before.Segment.Value(source), blank) + 1
		if cut < before.Segment.Stop {
			kept.AppendChild(kept, ast.NewTextSegment(before.Segment.WithStart(cut)))
			before.Segment = before.Segment.WithStop(cut)
		}
	}
	kept.AppendChild(kept, formula)
	for isEnd := false; !isEnd; {
		after, ok := kept.NextSibling().(*ast.Text)
		if !ok || after.Segment.Len() == 0 {
			break
		}
		cut := bytes.IndexAny(after.Segment.Value(source), blank)
		if cut < 0 && !after.SoftLineBreak() && !after.HardLineBreak() {
			kept.AppendChild(kept, after) // which removes it from its parent
			continue
		}
		if cut < 0 { // the text ends with the line
			cut = after.Segment.Len()
		}
		if cut > 0 {
			kept.AppendChild(kept, ast.NewTextSegment(after.Segment.WithStop(after.Segment.Start+cut)))
			after.Segment = after.Segment.WithStart(after.Segment.Start + cut)
		}
		isEnd = true
	}
	if kept.ChildCount() > 1 {
		kept.start, kept.end = `<span class="keep">`, "</span>"
	}
}
