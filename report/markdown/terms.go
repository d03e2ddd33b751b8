package markdown

import (
	"cmp"
	"fmt"
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
	Code    string   // as which it stands in code; may be empty
	Address string
}

// termsKey holds the terms while a page is parsed.
var termsKey = parser.NewContextKey()

// termLink leads from a word to what explains it.
type termLink struct {
	ast.BaseInline
	address string
}

var kindTermLink = ast.NewNodeKind("TermLink")

func (n *termLink) Kind() ast.NodeKind            { return kindTermLink }
func (n *termLink) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// explanations makes links of the first uses of terms, in the order of the text.
type explanations struct{}

// Transform finds the texts that may have links, and the terms in them.
func (explanations) Transform(doc *ast.Document, reader text.Reader, context parser.Context) {
	anchorTerms(doc, reader.Source())
	terms, _ := context.Get(termsKey).([]Term)
	if len(terms) == 0 {
		return
	}
	s := search{source: reader.Source(), unused: termIndex(terms)}
	var found []ast.Node // before any is changed
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n.(type) {
		case *ast.Heading, *ast.Link, *ast.AutoLink, *ast.Image, *ast.FencedCodeBlock, *extast.Footnote, *summary:
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			found = append(found, n)
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			found = append(found, n)
		}
		return ast.WalkContinue, nil
	})
	s.words = wordsOf(terms)
	for _, n := range found {
		if t, ok := n.(*ast.Text); ok {
			s.link(t)
		} else {
			s.linkCode(n)
		}
	}
}

// search is for the terms that have not been found yet.
type search struct {
	source []byte
	words  *regexp.Regexp
	unused map[string]string // addresses by words in small letters, and by code between backticks
}

// termIndex lists the addresses of terms by all that they are called.
func termIndex(terms []Term) map[string]string {
	index := map[string]string{}
	for _, t := range terms {
		for _, w := range t.Words {
			index[strings.ToLower(w)] = t.Address
		}
		if t.Code != "" {
			index["`"+t.Code] = t.Address
		}
	}
	return index
}

// wordsOf finds any word of the terms, of two that begin alike the longer one.
func wordsOf(terms []Term) *regexp.Regexp {
	var words []string
	for _, t := range terms {
		for _, w := range t.Words {
			words = append(words, regexp.QuoteMeta(w))
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	return regexp.MustCompile(`(?i)` + strings.Join(words, "|"))
}

// use takes a term out of those that are sought.
func (s search) use(called string) (address string, ok bool) {
	address, ok = s.unused[called]
	if ok {
		for other, a := range s.unused {
			if a == address {
				delete(s.unused, other)
			}
		}
	}
	return address, ok
}

// link makes links of the terms in a text.
func (s search) link(t *ast.Text) {
	from := t.Segment.Start
	for from < t.Segment.Stop {
		at := s.words.FindIndex(s.source[from:t.Segment.Stop])
		if at == nil {
			return
		}
		start, stop := from+at[0], from+at[1]
		from = stop
		if !s.alone(start, stop, t.Segment) {
			continue
		}
		address, ok := s.use(strings.ToLower(string(s.source[start:stop])))
		if !ok {
			continue
		}
		parent := t.Parent()
		if start > t.Segment.Start {
			parent.InsertBefore(parent, t, ast.NewTextSegment(t.Segment.WithStop(start)))
		}
		l := &termLink{address: address}
		l.AppendChild(l, ast.NewTextSegment(text.NewSegment(start, stop)))
		parent.InsertBefore(parent, t, l)
		t.Segment = t.Segment.WithStart(stop)
	}
}

// alone reports whether what stands between two places of a text is no part of a longer
// word.
func (s search) alone(start, stop int, within text.Segment) bool {
	before, _ := utf8.DecodeLastRune(s.source[within.Start:start])
	after, _ := utf8.DecodeRune(s.source[stop:within.Stop])
	joins := func(r rune) bool { return word(r) || r == '-' || r == '_' || r == '/' || r == '\\' }
	return !joins(before) && !joins(after)
}

// linkCode makes a link of a span of code that is the name of a term.
func (s search) linkCode(n ast.Node) {
	if address, ok := s.use("`" + string(plain(n, s.source))); ok {
		l := &termLink{address: address}
		n.Parent().ReplaceChild(n.Parent(), n, l)
		l.AppendChild(l, n)
	}
}

// anchorTerms gives each defined term of a page an anchor: that of the section, and its own name.
func anchorTerms(doc ast.Node, source []byte) {
	section := ""
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			section = string(plain(h, source))
		}
		for _, t := range every[*extast.DefinitionTerm](n) {
			t.SetAttributeString("id", []byte(TermID(section, string(plain(t, source)))))
		}
	}
}

// TermID is the anchor of a term that is defined in a section of a page.
func TermID(section, term string) string { return Slug(section + " " + term) }

func renderTermLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	address := string(util.EscapeHTML([]byte(n.(*termLink).address)))
	return within(fmt.Sprintf(`<a class="term" href="%s">`, address), "</a>")(w, source, n, entering)
}
