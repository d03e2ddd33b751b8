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

// subscriptSource matches a subscript: a digit, a word, or up to 30 characters in brackets.
var subscriptSource = compileLazily(`^_(?:\(([^()\n]{1,30})\)|(\p{Nd}|[\p{Ll}\p{Lu}]+))`)

// takeBase removes the base of a subscript from the end of the text that was already parsed, and
// returns the base. The base is a single letter or the bar of a norm; ok is false if there is none.
func takeBase(parent ast.Node, source []byte) (base string, ok bool) {
	last, ok := parent.LastChild().(*ast.Text)
	if !ok || last.Segment.Len() == 0 || last.SoftLineBreak() {
		return "", false
	}
	value := last.Segment.Value(source)
	r, size := utf8.DecodeLastRune(value)
	previous, _ := utf8.DecodeLastRune(bytes.TrimRight(value[:len(value)-size], "0123456789")) // as in 2d_k
	isSingleLetter := unicode.IsLetter(r) && !isWordRune(previous) && previous != '\\'
	if r != '‖' && !isSingleLetter {
		return "", false
	}
	last.Segment = last.Segment.WithStop(last.Segment.Stop - size)
	return string(r), true
}

// superscriptSource matches a superscript: a letter, a digit, or up to 30 characters in brackets.
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

// isWordRune reports whether a character is part of a word. A modifier letter, such as the raised T
// of a transpose, is not. utf8.RuneError is the character before the start or after the end of a
// text.
func isWordRune(r rune) bool {
	if r == utf8.RuneError || unicode.Is(unicode.Lm, r) {
		return false
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r)
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

// variableInText matches q·k, or a single letter that is a variable in running text. Letters that may
// be words, units, labels or names, such as a, s and all capitals, are not variables.
var variableInText = compileLazily(
	`(?:^|[Σ∂]|[^\pL\p{Nd}\\_^'’+[-])(q·k|[cdegijkmnpqtvxyzακβγρσ])(?:\\[^_]|[^\\\pL\p{Nd}_^'’(-]|$)`)

// markVariables replaces the variables in all texts of a document by spans in italics.
func markVariables(doc ast.Node, source []byte) {
	isLiteral := func(n ast.Node) bool { return n.Kind() == ast.KindCodeSpan || n.Kind() == ast.KindImage }
	for _, t := range textNodes(doc, isLiteral) {
		parent := t.Parent()
		for {
			value := t.Segment.Value(source)
			m := variableInText().FindSubmatchIndex(value)
			if m == nil || bytes.HasPrefix(source[t.Segment.Start+m[1]:], []byte(`\_`)) { // a name such as k_mean
				break
			}
			plain := string(value[m[2]:m[3]])
			parent.InsertBefore(parent, t, ast.NewTextSegment(t.Segment.WithStop(t.Segment.Start+m[2])))
			parent.InsertBefore(parent, t, &span{start: italicizeVariables(plain), plain: plain})
			t.Segment = t.Segment.WithStart(t.Segment.Start + m[3])
		}
	}
}

// lineBreakers are the characters at which a line may break.
const lineBreakers = " \t\n"

// joinNeighbours puts a formula and the text that touches it into a span, in which lines do not
// break. Otherwise, a browser would break the line between a formula and a comma, or between a
// formula and the no-break space before its value.
func joinNeighbours(formula ast.Node, source []byte) {
	group := &span{}
	previous, _ := formula.PreviousSibling().(*ast.Text)
	formula.Parent().ReplaceChild(formula.Parent(), formula, group)
	if previous != nil && !previous.SoftLineBreak() && !previous.HardLineBreak() {
		cut := previous.Segment.Start + bytes.LastIndexAny(previous.Segment.Value(source), lineBreakers) + 1
		if cut < previous.Segment.Stop {
			group.AppendChild(group, ast.NewTextSegment(previous.Segment.WithStart(cut)))
			previous.Segment = previous.Segment.WithStop(cut)
		}
	}
	group.AppendChild(group, formula)
	for {
		next, ok := group.NextSibling().(*ast.Text)
		if !ok || next.Segment.Len() == 0 {
			break
		}
		cut := bytes.IndexAny(next.Segment.Value(source), lineBreakers)
		if cut < 0 && !next.SoftLineBreak() && !next.HardLineBreak() {
			group.AppendChild(group, next) // also removes next from its parent
			continue
		}
		if cut < 0 { // the text ends with the line
			cut = next.Segment.Len()
		}
		if cut > 0 {
			group.AppendChild(group, ast.NewTextSegment(next.Segment.WithStop(next.Segment.Start+cut)))
			next.Segment = next.Segment.WithStart(next.Segment.Start + cut)
		}
		break
	}
	if group.ChildCount() > 1 {
		group.start, group.end = `<span class="keep">`, "</span>"
	}
}
