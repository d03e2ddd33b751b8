package markdown

import (
	"cmp"
	"fmt"
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
	s := search{source: reader.Source(), phrases: phrasesOf(terms), unused: termIndex(terms)}
	var found []*ast.Text // before any is changed
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading, *ast.Link, *ast.AutoLink, *ast.Image, *ast.CodeSpan, *ast.FencedCodeBlock, *extast.Footnote, *summary:
			return ast.WalkSkipChildren, nil
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
	source  []byte
	phrases phrases
	unused  map[string]string // addresses by words in small letters
}

// termIndex lists the addresses of terms by all that they are called.
func termIndex(terms []Term) map[string]string {
	index := map[string]string{}
	for _, t := range terms {
		if t.Address == "" {
			continue
		}
		for _, w := range t.Words {
			index[strings.ToLower(w)] = t.Address
		}
	}
	return index
}

// phrases are the words of terms in small letters, by the first word of each; of several
// that begin alike the longer one comes first.
type phrases map[string][]string

func phrasesOf(terms []Term) phrases {
	by := phrases{}
	for _, t := range terms {
		for _, w := range t.Words {
			w = strings.ToLower(w)
			first := w[:firstWord([]byte(w))]
			by[first] = append(by[first], w)
		}
	}
	for _, of := range by {
		slices.SortFunc(of, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	}
	return by
}

// firstWord is how many bytes the word has that a text begins with; a sign is one by
// itself.
func firstWord(text []byte) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !word(r) && n == 0 {
			return size
		}
		if !word(r) {
			break
		}
		n += size
	}
	return n
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
	for from := t.Segment.Start; from < t.Segment.Stop; {
		first := firstWord(s.source[from:t.Segment.Stop])
		stop := from + s.phrase(s.source[from:t.Segment.Stop], first)
		if stop == from || !s.alone(from, stop, t.Segment) {
			from += first
			continue
		}
		// The words of a longer one that was used before mean nothing by themselves.
		if address, ok := s.use(strings.ToLower(string(s.source[from:stop]))); ok {
			s.insert(t, from, stop, address)
		}
		from = stop
	}
}

// phrase is how many bytes the longest phrase has that a text begins with, whose first
// word has so many.
func (s search) phrase(text []byte, first int) int {
	for _, p := range s.phrases[strings.ToLower(string(text[:first]))] {
		if end := len(p); end <= len(text) && strings.EqualFold(string(text[:end]), p) {
			return end
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
	l := &termLink{address: address}
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

func renderTermLink(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	address := string(util.EscapeHTML([]byte(n.(*termLink).address)))
	return within(fmt.Sprintf(`<a class="term" href="%s">`, address), "</a>")(w, source, n, entering)
}
