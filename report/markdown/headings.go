package markdown

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// renderHeading makes each heading below the first a link to itself, so that a
// reader can take its address.
func renderHeading(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	id, _ := n.AttributeString("id")
	name, _ := id.([]byte)
	linked := n.Level > 1 && len(name) > 0
	switch {
	case entering && linked:
		fmt.Fprintf(w, `<h%d id="%s"><a href="#%s">`, n.Level, name, name)
	case entering:
		fmt.Fprintf(w, "<h%d>", n.Level)
	case linked:
		fmt.Fprintf(w, "</a></h%d>\n", n.Level)
	default:
		fmt.Fprintf(w, "</h%d>\n", n.Level)
	}
	return ast.WalkContinue, nil
}

// headingID is the id that a heading names for itself.
var headingID = regexp.MustCompile(`(?m)^(#+ .*?) +\{#[a-z0-9-]+\}$`)

// WithoutIDs drops the ids that headings name, which code hosts would show: they make
// anchors of the words.
func WithoutIDs(source []byte) []byte { return headingID.ReplaceAll(source, []byte("$1")) }

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
