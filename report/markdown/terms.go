package markdown

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Term is something that a page explains elsewhere: at its first use on another page it
// leads there.
type Term struct {
	Words   []string // by which texts call it; the case of a first letter does not matter
	Address string   // none if these words mean something else than a shorter term in them
}

// termsKey holds the terms while a page is parsed.
var termsKey = parser.NewContextKey()

// explanations makes links of the first uses of terms, in the order of the text.
type explanations struct{}

// Transform finds the texts that may have links, and the terms in them.
func (explanations) Transform(doc *ast.Document, reader text.Reader, context parser.Context) {
	anchorTerms(doc, reader.Source())
	terms, _ := context.Get(termsKey).([]Term)
	if len(terms) == 0 {
		return
	}
	s := search{source: reader.Source(), words: map[rune][]string{}, unused: map[string]string{}}
	for _, t := range terms {
		for _, w := range t.Words {
			s.words[initial([]byte(w))] = append(s.words[initial([]byte(w))], w)
			if t.Address != "" {
				s.unused[strings.ToLower(w)] = t.Address
			}
		}
	}
	for _, words := range s.words {
		slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	}
	var found []*ast.Text // before any is changed
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading, *ast.Link, *ast.AutoLink, *ast.Image, *ast.CodeSpan, *ast.FencedCodeBlock, *extast.Footnote:
			return ast.WalkSkipChildren, nil
		case *box:
			if n.closed {
				return ast.WalkSkipChildren, nil
			}
		case *ast.Text:
			found = append(found, n)
		}
		return ast.WalkContinue, nil
	})
	for _, t := range found {
		s.link(t)
	}
}

// search is for the terms that have not been found yet.
type search struct {
	source []byte
	words  map[rune][]string // by their first letter, a small one; the longer ones first
	unused map[string]string // addresses by words in small letters
}

// initial is the first letter of a text, as a small one.
func initial(text []byte) rune {
	r, _ := utf8.DecodeRune(text)
	return unicode.ToLower(r)
}

// link makes links of the terms in a text. The words of a longer one that was used before
// mean nothing by themselves.
func (s search) link(t *ast.Text) {
	for at := t.Segment.Start; at < t.Segment.Stop; {
		stop := at + s.term(at, t.Segment)
		if stop == at {
			_, size := utf8.DecodeRune(s.source[at:])
			at += size
			continue
		}
		if address, ok := s.unused[strings.ToLower(string(s.source[at:stop]))]; ok {
			maps.DeleteFunc(s.unused, func(_, a string) bool { return a == address })
			s.insert(t, at, stop, address)
		}
		at = stop
	}
}

// term is the length of the longest term that begins at a place of a text, zero where none does.
func (s search) term(at int, within text.Segment) int {
	rest := s.source[at:within.Stop]
	for _, w := range s.words[initial(rest)] {
		if len(w) <= len(rest) && strings.EqualFold(string(rest[:len(w)]), w) && s.alone(at, at+len(w), within) {
			return len(w)
		}
	}
	return 0
}

// insert makes a link of what stands between two places of a text, which then begins
// after it.
func (s search) insert(t *ast.Text, start, stop int, address string) {
	parent := t.Parent()
	if start > t.Segment.Start {
		parent.InsertBefore(parent, t, ast.NewTextSegment(t.Segment.WithStop(start)))
	}
	l := &span{start: `<a class="term" href="` + string(util.EscapeHTML([]byte(address))) + `">`, end: "</a>"}
	l.AppendChild(l, ast.NewTextSegment(text.NewSegment(start, stop)))
	parent.InsertBefore(parent, t, l)
	t.Segment = t.Segment.WithStart(stop)
}

// alone reports whether what stands between two places of a text is no part of a longer
// word.
func (s search) alone(start, stop int, within text.Segment) bool {
	before, _ := utf8.DecodeLastRune(s.source[within.Start:start])
	after, _ := utf8.DecodeRune(s.source[stop:within.Stop])
	joins := func(r rune) bool { return word(r) || r == '-' || r == '_' || r == '/' || r == '\\' }
	return !joins(before) && !joins(after)
}

// anchorTerms gives each defined term of a page an anchor: that of the section, and its own name.
func anchorTerms(doc ast.Node, source []byte) {
	section := ""
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			section = string(wordsOf(h, source))
		}
		for _, t := range every[*extast.DefinitionTerm](n) {
			t.SetAttributeString("id", []byte(TermID(section, string(wordsOf(t, source)))))
		}
	}
}

// TermID is the anchor of a term that is defined in a section of a page.
func TermID(section, term string) string { return Slug(section + " " + term) }
