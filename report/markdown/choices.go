package markdown

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// choices make a list whose items each end with a quotation something to choose from: a choice,
// by click or key, shows why it is right or wrong, which the quotation says. It needs no script:
// the style sheet shows what stands beside the chosen button.
type choices struct{}

func (choices) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	number := 0
	for _, list := range every[*ast.List](doc) {
		if last := list.LastChild(); last == nil || last.LastChild().Kind() != ast.KindBlockquote {
			continue
		}
		number++
		all := &box{start: fmt.Sprintf("<div class=\"choices\" role=\"radiogroup\" aria-label=\"choices of question %d\">\n", number), end: "</div>\n"}
		for i, item := 1, list.FirstChild(); item != nil; i, item = i+1, list.FirstChild() {
			id := fmt.Sprintf("choice-%d-%d", number, i)
			one := &box{start: fmt.Sprintf(`<div class="choice"><input type="radio" name="choice-%d" id="%s" aria-describedby="%s-why"><label for="%s">`, number, id, id, id), end: "</label>\n"}
			moveAll(item.FirstChild(), one)
			why := item.LastChild()
			class := "why"
			if strings.HasPrefix(string(wordsOf(why, reader.Source())), right) {
				class = "why right"
			}
			said := &box{start: fmt.Sprintf(`<div class="%s" id="%s-why">`, class, id), end: "</div></div>\n"}
			moveAll(why, said)
			all.AppendChild(all, one)
			all.AppendChild(all, said)
			list.RemoveChild(list, item)
		}
		list.Parent().ReplaceChild(list.Parent(), list, all)
	}
}

// right begins what is said of the right choice.
const right = "Right"

// whys are the quotations of choices.
var whys = regexp.MustCompile(`(?m)^  > .*\n`)

// WithoutWhys is Markdown without what is said of choices, for a document that cannot wait
// until one chooses.
func WithoutWhys(source []byte) []byte { return whys.ReplaceAll(source, nil) }
