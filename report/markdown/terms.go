package markdown

import (
	"maps"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Term is something that a page explains: the first use on another page is a link to it.
type Term struct {
	Words   []string // in texts; the case of letters does not matter
	Address string   // empty if these words contain a shorter term in another meaning
}

// TermID is the anchor of a term that is defined in a section of a page.
func TermID(section, term string) string { return Slug(section + " " + term) }

// addTermIDs gives each defined term of a page an anchor, of its section and its name.
func (t tree) addTermIDs() {
	section := ""
	for n := t.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			section = wordsOf(h, t.source)
		}
		for _, term := range every[*extast.DefinitionTerm](n) {
			term.SetAttributeString("id", []byte(TermID(section, wordsOf(term, t.source))))
		}
	}
}

// linkTerms makes links of the first uses of terms, in the order of the text.
func (t tree) linkTerms() {
	var patterns []string
	unused := map[string]string{} // addresses by words in lower case
	for _, term := range t.site.Terms {
		for _, w := range term.Words {
			patterns = append(patterns, regexp.QuoteMeta(w))
			if term.Address != "" {
				unused[strings.ToLower(w)] = term.Address
			}
		}
	}
	if len(patterns) == 0 {
		return
	}
	words := regexp.MustCompile("(?i)" + strings.Join(patterns, "|"))
	words.Longest()
	for _, n := range textsIn(t.doc, hasNoTerms) {
		within, value := n.Segment, n.Segment.Value(t.source)
		for _, m := range words.FindAllIndex(value, -1) {
			address, ok := unused[strings.ToLower(string(value[m[0]:m[1]]))]
			if !ok || !isWholeWord(value, m[0], m[1]) {
				continue
			}
			maps.DeleteFunc(unused, func(_, a string) bool { return a == address })
			insertLink(n, within.Start+m[0], within.Start+m[1], address)
		}
	}
}

// hasNoTerms reports whether the words in a node are not linked.
func hasNoTerms(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Heading, *ast.Link, *ast.AutoLink, *ast.Image, *ast.CodeSpan, *ast.FencedCodeBlock, *extast.Footnote:
		return true
	case *box:
		return n.noTerms
	}
	return false
}

// textsIn returns the texts of a tree, without those in nodes that are skipped.
func textsIn(tree ast.Node, skip func(ast.Node) bool) (texts []*ast.Text) {
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if skip(n) {
			return ast.WalkSkipChildren, nil
		}
		if t, ok := n.(*ast.Text); ok && entering {
			texts = append(texts, t)
		}
		return ast.WalkContinue, nil
	})
	return texts
}

// insertLink makes a link of the text between two positions of the source. The node then begins after it.
func insertLink(n *ast.Text, start, stop int, address string) {
	parent := n.Parent()
	if start > n.Segment.Start {
		parent.InsertBefore(parent, n, ast.NewTextSegment(n.Segment.WithStop(start)))
	}
	link := &span{start: `<a class="term" href="` + string(util.EscapeHTML([]byte(address))) + `">`, end: "</a>"}
	link.AppendChild(link, ast.NewTextSegment(text.NewSegment(start, stop)))
	parent.InsertBefore(parent, n, link)
	n.Segment = n.Segment.WithStart(stop)
}

// isWholeWord reports whether the text between two positions is not part of a longer word.
func isWholeWord(value []byte, start, stop int) bool {
	before, _ := utf8.DecodeLastRune(value[:start])
	after, _ := utf8.DecodeRune(value[stop:])
	joins := func(r rune) bool { return isWordRune(r) || strings.ContainsRune(`-_/\`, r) }
	return !joins(before) && !joins(after)
}
