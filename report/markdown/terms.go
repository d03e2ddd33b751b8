package markdown

import (
	"maps"
	"regexp"
	"slices"
	"strings"
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
	s := search{source: reader.Source(), unused: map[string]string{}}
	var called []string
	for _, t := range terms {
		for _, w := range t.Words {
			called = append(called, regexp.QuoteMeta(w))
			if t.Address != "" {
				s.unused[strings.ToLower(w)] = t.Address
			}
		}
	}
	slices.SortStableFunc(called, func(a, b string) int { return len(b) - len(a) }) // the longer of two that begin alike
	s.words = regexp.MustCompile("(?i)" + strings.Join(called, "|"))
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
	words  *regexp.Regexp
	unused map[string]string // addresses by words in small letters
}

// link makes links of the terms in a text. The words of a longer one that was used before
// mean nothing by themselves.
func (s search) link(t *ast.Text) {
	for from := t.Segment.Start; ; {
		at := s.words.FindIndex(s.source[from:t.Segment.Stop])
		if at == nil {
			return
		}
		start, stop := from+at[0], from+at[1]
		if !s.alone(start, stop, t.Segment) {
			_, size := utf8.DecodeRune(s.source[start:])
			from = start + size
			continue
		}
		if address, ok := s.unused[strings.ToLower(string(s.source[start:stop]))]; ok {
			maps.DeleteFunc(s.unused, func(_, a string) bool { return a == address })
			s.insert(t, start, stop, address)
		}
		from = stop
	}
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
