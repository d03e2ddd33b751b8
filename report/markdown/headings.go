package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// renderHeading makes each heading below the first a link to itself, so that a
// reader can take its address. A heading with a link stays, since links cannot contain links.
func renderHeading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	start, end := fmt.Sprintf("<h%d>", n.Level), fmt.Sprintf("</h%d>\n", n.Level)
	if id, ok := n.AttributeString("id"); ok && n.Level > 1 {
		start = fmt.Sprintf(`<h%d id="%s">`, n.Level, id)
		if !hasLink(n) {
			start, end = fmt.Sprintf(`%s<a href="#%s">`, start, id), "</a>"+end
		}
	}
	return writeTag(w, entering, start, end)
}

// hasLink reports whether a part of a heading is a link.
func hasLink(heading ast.Node) bool {
	links, addresses := every[*ast.Link](heading), every[*ast.AutoLink](heading)
	return len(links)+len(addresses)+len(every[*extast.FootnoteLink](heading)) > 0
}

// headingID matches a heading with an id, as {#id}.
var headingID = regexp.MustCompile(`(?m)^(#+ .*?) +\{#[a-z0-9-]+\}$`)

// WithoutIDs removes the ids of headings, which code hosts would show: they make
// anchors of the words.
func WithoutIDs(source []byte) []byte { return headingID.ReplaceAll(source, []byte("$1")) }

// StrayID finds the first id in braces that would be shown as text: one with other characters,
// or one that is not at the end of a heading.
func StrayID(source []byte) (written string, found bool) {
	fenced := false
	for line := range strings.Lines(string(source)) {
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		line = codeSpan.ReplaceAllString(line, "")
		at := strings.Index(line, "{#")
		if at < 0 || fenced || headingID.MatchString(line) && strings.Count(line, "{#") == 1 {
			continue
		}
		return line[at:], true
	}
	return "", false
}

var codeSpan = regexp.MustCompile("`[^`]*`")

// SameID finds the first id that two parts of a page have.
func SameID(html []byte) (id string, found bool) {
	seen := map[string]bool{}
	for _, m := range idOf.FindAllSubmatchIndex(html, -1) {
		before := html[:m[0]]
		isInTag := bytes.LastIndexByte(before, '<') > bytes.LastIndexByte(before, '>')
		isAfterSpace := len(bytes.TrimRight(before, " \t\r\n\f")) < len(before)
		if !isInTag || !isAfterSpace { // text, or the end of another attribute
			continue
		}
		id := string(html[m[2]:m[3]])
		if seen[id] {
			return id, true
		}
		seen[id] = true
	}
	return "", false
}

// idOf matches the id of an element, in a tag and after a space.
var idOf = regexp.MustCompile(`id="([^"]*)"`)

// Slug is the anchor that code hosts give a heading of letters and spaces.
func Slug(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}
