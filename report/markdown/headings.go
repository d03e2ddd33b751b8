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

// renderHeading makes each heading below the first level a link to itself, so that a reader can
// copy its address. A heading that contains a link is not a link, since links cannot contain
// links.
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

func hasLink(heading ast.Node) bool {
	links, addresses := nodesOf[*ast.Link](heading), nodesOf[*ast.AutoLink](heading)
	return len(links)+len(addresses)+len(nodesOf[*extast.FootnoteLink](heading)) > 0
}

// headingID matches a heading that ends with an ID in braces, such as {#id}.
var headingID = regexp.MustCompile(`(?m)^(#+ .*?) +\{#[a-z0-9-]+\}$`)

// RemoveIDs removes the IDs of headings, which code hosts would show as text.
func RemoveIDs(source []byte) []byte { return headingID.ReplaceAll(source, []byte("$1")) }

// FindStrayID finds the first ID in braces that would be shown as text, since it has forbidden
// characters or is not at the end of a heading. It returns the ID with the rest of its line. It
// does not search code.
func FindStrayID(source []byte) (text string, found bool) {
	isInListing := false
	for line := range strings.Lines(string(source)) {
		line = strings.TrimRight(line, " \t\r\n")
		if strings.HasPrefix(line, "```") {
			isInListing = !isInListing
		}
		line = codeSpan.ReplaceAllString(line, "")
		start := strings.Index(line, "{#")
		isAtEndOfHeading := headingID.MatchString(line) && strings.Count(line, "{#") == 1
		if start >= 0 && !isInListing && !isAtEndOfHeading {
			return line[start:], true
		}
	}
	return "", false
}

var codeSpan = regexp.MustCompile("`[^`]*`")

// FindRepeatedID finds the first ID of an element that another element of the page already has.
func FindRepeatedID(html []byte) (id string, found bool) {
	seen := map[string]bool{}
	for _, m := range idAttribute.FindAllSubmatchIndex(html, -1) {
		prefix := html[:m[0]]
		isInTag := bytes.LastIndexByte(prefix, '<') > bytes.LastIndexByte(prefix, '>')
		isAfterSpace := len(bytes.TrimRight(prefix, " \t\r\n\f")) < len(prefix)
		if !isInTag || !isAfterSpace { // the match is text, or the end of a longer attribute
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

// idAttribute matches the attribute id, and also the end of an attribute such as data-id.
var idAttribute = regexp.MustCompile(`id="([^"]*)"`)

// Slug returns the anchor that code hosts give a heading: its letters and digits in lower case,
// with hyphens for spaces.
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
