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

// Term is a term that a page explains. Its first use on another page becomes a link to the
// explanation.
type Term struct {
	Forms []string // words for the term, such as its plural, in upper or lower case
	// Address is the address of the explanation. It is empty for words that are not linked, but
	// contain another term in another meaning, which is then not linked either.
	Address string
}

// TermID returns the anchor of a term that is defined in a section of a page.
func TermID(section, term string) string { return Slug(section + " " + term) }

// addTermIDs gives each defined term of a page its anchor.
func (t tree) addTermIDs() {
	section := ""
	for n := t.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			section = plainText(h, t.source)
		}
		for _, term := range nodesOf[*extast.DefinitionTerm](n) {
			term.SetAttributeString("id", []byte(TermID(section, plainText(term, t.source))))
		}
	}
}

// linkTerms links the first use of each term to its explanation.
func (t tree) linkTerms() {
	var patterns []string
	addressOf := map[string]string{} // addresses of the terms without a link so far, by form in lower case
	for _, term := range t.site.Terms {
		for _, w := range term.Forms {
			patterns = append(patterns, regexp.QuoteMeta(w))
			if term.Address != "" {
				addressOf[strings.ToLower(w)] = term.Address
			}
		}
	}
	if len(patterns) == 0 {
		return
	}
	words := regexp.MustCompile("(?i)" + strings.Join(patterns, "|"))
	words.Longest()
	for _, n := range textNodes(t.doc, skipTerms) {
		segment, value := n.Segment, n.Segment.Value(t.source)
		for _, m := range words.FindAllIndex(value, -1) {
			address, ok := addressOf[strings.ToLower(string(value[m[0]:m[1]]))]
			if !ok || !isWholeWord(value, m[0], m[1]) {
				continue
			}
			maps.DeleteFunc(addressOf, func(_, a string) bool { return a == address })
			insertLink(n, segment.Start+m[0], segment.Start+m[1], address)
		}
	}
}

// skipTerms reports whether terms in a node must not be linked.
func skipTerms(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.Heading, *ast.Link, *ast.AutoLink, *ast.Image, *ast.CodeSpan, *ast.FencedCodeBlock, *extast.Footnote:
		return true
	case *box:
		return n.hideTerms
	}
	return false
}

// textNodes returns the text nodes of a tree, except those in nodes for which skip returns true.
func textNodes(tree ast.Node, skip func(ast.Node) bool) (texts []*ast.Text) {
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

// insertLink puts the part of n from start to stop, which are positions in the source, into a link.
// The text before it becomes a new node, and the text after it remains in n.
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
	previous, _ := utf8.DecodeLastRune(value[:start])
	next, _ := utf8.DecodeRune(value[stop:])
	isPart := func(r rune) bool { return isWordRune(r) || strings.ContainsRune(`-_/\`, r) }
	return !isPart(previous) && !isPart(next)
}
