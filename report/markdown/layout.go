package markdown

import (
	"fmt"
	"html"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// layout transforms the syntax tree that goldmark has parsed into the tree of a page.
type layout struct{}

// tree is a syntax tree that is being transformed, with its source.
type tree struct {
	doc    *ast.Document
	source []byte
	site   Site
}

// Transform marks variables, and puts figures, tables and folds into boxes. Then it adds the list
// of sections, the links of terms, and the notes in the margin.
func (layout) Transform(doc *ast.Document, reader text.Reader, context parser.Context) {
	site, _ := context.Get(siteKey).(Site)
	t := tree{doc, reader.Source(), site}
	for _, f := range nodesOf[*passthrough.PassthroughInline](doc) {
		if isFormula(f, t.source) {
			joinNeighbours(f, t.source)
		}
	}
	markVariables(doc, t.source)
	t.frameBlocks()
	t.addOpening()
	t.addTermIDs()
	t.linkTerms()
	t.addMarginNotes()
}

// frameBlocks puts figures, tables, the notation, choices and folds into boxes. It handles a fold
// at the end of the fold, when the contents are already in their boxes.
func (t tree) frameBlocks() {
	charts, tables, choices := 0, 0, 0
	for n := t.doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch {
		case n.Kind() == extast.KindTable:
			tables++
			next = t.frameTable(n, tables)
		case isImage(n) && t.hasLabel(next, "Figure "):
			charts++
			next = t.frameChart(n, charts == 1)
		case t.hasLabel(n, notationText) && next != nil && next.Kind() == ast.KindList:
			next = wrapInBox(notationStart, "</aside>\n", n, next).NextSibling()
		case isChoices(n):
			choices++
			t.frameChoices(n, choices)
		case t.isFoldEnd(n):
			t.frameFold(n)
		}
		n = next
	}
}

// isImage reports whether a node is a paragraph that contains only an image.
func isImage(n ast.Node) bool {
	return n.Kind() == ast.KindParagraph && n.ChildCount() == 1 && n.FirstChild().Kind() == ast.KindImage
}

// hasLabel reports whether a node is a paragraph that begins with a label in bold.
func (t tree) hasLabel(n ast.Node, label string) bool {
	if n == nil || n.Kind() != ast.KindParagraph {
		return false
	}
	strong, ok := n.FirstChild().(*ast.Emphasis)
	return ok && strong.Level == 2 && strings.HasPrefix(plainText(strong, t.source), label)
}

// captionAnchor returns the ID for the figure or the table of a caption. A caption that begins with
// "Figure 1." gives the ID figure-1, unless the site has a name for this ID.
func (t tree) captionAnchor(caption ast.Node) string {
	numbered := Slug(plainText(caption.FirstChild(), t.source))
	if name, ok := t.site.Anchors[numbered]; ok {
		return name
	}
	return numbered
}

// NotationID is the anchor of the explanation of a page's notation, and NotationLabel is the
// paragraph above its list.
const (
	NotationID    = "notation"
	NotationLabel = "**" + notationText + "**"

	notationText  = "Notation."
	notationStart = `<aside class="notation" id="` + NotationID + `" aria-label="Notation">` + "\n"
)

// frameChart puts an image and the caption below it into a figure. If links to the files of the
// figure follow, it adds them to the caption. It returns the node after the figure.
func (t tree) frameChart(image ast.Node, isFirst bool) (next ast.Node) {
	captionNode := image.NextSibling()
	id := t.captionAnchor(captionNode)
	picture := t.picture(image.FirstChild().(*ast.Image), isFirst)
	t.doc.ReplaceChild(t.doc, image, picture)
	caption := replaceByBox(captionNode, "<figcaption>", "</figcaption>\n")
	figure := wrapInBox(fmt.Sprintf("<figure class=\"chart\" id=%q>\n", id), "</figure>\n", picture, caption)
	if files := figure.NextSibling(); hasFileLinks(files) {
		caption.AppendChild(caption, replaceByBox(files, `<p class="files">`, "</p>\n"))
		figure.foldTarget = caption
	}
	return figure.NextSibling()
}

// hasFileLinks reports whether a node is a paragraph that begins with a link to a figure's file.
func hasFileLinks(n ast.Node) bool {
	if n == nil || n.Kind() != ast.KindParagraph {
		return false
	}
	link, ok := n.FirstChild().(*ast.Link)
	return ok && strings.HasPrefix(string(link.Destination), "figures/")
}

// Size is the size of an image in CSS pixels.
type Size struct{ Width, Height int }

// attributes returns attributes for an image, so that a browser knows the size before it has loaded
// the image. It returns "" if the size is not known.
func (s Size) attributes() string {
	if s == (Size{}) {
		return ""
	}
	return fmt.Sprintf(` width="%d" height="%d"`, s.Width, s.Height)
}

// picture returns the HTML of a chart with its variants. A browser loads only the variant that it
// shows. It loads the first chart of a page at once, and other charts when the reader comes near
// them. The narrow variant is for widths below 45rem, at which the text of the wide variant would
// be too small (style.css).
func (t tree) picture(image *ast.Image, isFirst bool) *span {
	address := string(util.EscapeHTML(util.URLEscape(image.Destination, true)))
	size, loading := t.site.Images[address].attributes(), ` loading="lazy"`
	if isFirst {
		loading = ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<a href="%s"><picture>`, address)
	narrow := strings.TrimSuffix(address, ".svg") + "-narrow.svg"
	if narrowSize, ok := t.site.Images[narrow]; ok {
		fmt.Fprintf(&b, `<source media="(max-width: 44.99rem)" srcset="%s"%s>`, narrow, narrowSize.attributes())
	}
	alt := util.EscapeHTML([]byte(plainText(image, t.source)))
	fmt.Fprintf(&b, `<img src="%s" alt="%s"%s%s></picture></a>`+"\n", address, alt, size, loading)
	// A browser does not choose among the variants again when it prints. Therefore, another image,
	// which is loaded only for print, has the wide variant.
	fmt.Fprintf(&b, `<img class="paper" src="%s" alt=""%s loading="lazy">`+"\n", address, size)
	return &span{start: b.String()}
}

// isChoices reports whether a node is a list whose items end with quotations.
func isChoices(n ast.Node) bool {
	if n.Kind() != ast.KindList {
		return false
	}
	last := n.LastChild().LastChild()
	return last != nil && last.Kind() == ast.KindBlockquote
}

// frameChoices turns a list of choices into radio buttons. The quotation in each choice explains
// why the choice is right or wrong. The style sheet shows it, without a script, when a reader makes
// the choice.
func (t tree) frameChoices(list ast.Node, number int) {
	const start = `<div class="choices" role="radiogroup" aria-label="choices of question %d">` + "\n"
	group := &box{start: fmt.Sprintf(start, number), end: "</div>\n"}
	for i, item := 1, list.FirstChild(); item != nil; i, item = i+1, item.NextSibling() {
		id := fmt.Sprintf("choice-%d-%d", number, i)
		button := fmt.Sprintf(`<input type="radio" name="choice-%d" id="%s" aria-describedby="%s-why">`, number, id, id)
		class := "why"
		if strings.HasPrefix(plainText(item.LastChild(), t.source), "Right") {
			class = "why right"
		}
		why := replaceByBox(item.LastChild(), fmt.Sprintf(`<div class="%s" id="%s-why">`, class, id), "</div></div>\n")
		choice := replaceByBox(item.FirstChild(), `<div class="choice">`+button+`<label for="`+id+`">`, "</label>\n")
		group.AppendChild(group, choice)
		group.AppendChild(group, why)
	}
	t.doc.ReplaceChild(t.doc, list, group)
}

// minSections is the minimum number of sections for which a page has a list of its sections.
const minSections = 3

// titleSubscript matches a variable with a subscript in a title.
var titleSubscript = compileLazily(`\b(\pL)_(\pL)\b`)

// formatTitle writes a title as HTML.
func formatTitle(title string) string {
	return titleSubscript().ReplaceAllString(html.EscapeString(title), "<i>$1</i><sub><i>$2</i></sub>")
}

// addOpening puts the heading, the warning and the finding of a page with several sections into one
// box, and adds a list of the sections.
func (t tree) addOpening() {
	sections, list := 0, ""
	for n := t.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 {
			if id, ok := h.AttributeString("id"); ok {
				sections++
				list += fmt.Sprintf("<li><a href=\"#%s\">%s</a></li>\n", id, formatTitle(plainText(h, t.source)))
			}
		}
	}
	heading, ok := t.doc.FirstChild().(*ast.Heading)
	if !ok || sections < minSections {
		return
	}
	nodes := []ast.Node{heading}
	next := heading.NextSibling()
	for _, kind := range []ast.NodeKind{ast.KindBlockquote, ast.KindParagraph} {
		if next != nil && next.Kind() == kind {
			nodes, next = append(nodes, next), next.NextSibling()
		}
	}
	wrapInBox("<div class=\"opening\">\n", "<nav class=\"contents\" aria-label=\"On this page\">\n<ul>\n"+list+
		"</ul>\n</nav>\n</div>\n", nodes...)
}

// addMarginNotes attaches the text of each footnote to the first reference to it.
func (t tree) addMarginNotes() {
	notes := map[int]ast.Node{}
	for _, n := range nodesOf[*extast.Footnote](t.doc) {
		notes[n.Index] = n.FirstChild()
	}
	for _, l := range nodesOf[*extast.FootnoteLink](t.doc) {
		if note := notes[l.Index]; note != nil && l.RefIndex == 0 {
			l.SetAttributeString(noteAttribute, note)
		}
	}
}
