package markdown

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// Lines around folded Markdown, as code hosts read them too.
const (
	foldStart  = "<details>\n<summary>"
	foldMiddle = "</summary>"
	foldEnd    = "</details>"
)

// Fold writes Markdown that a reader sees only after opening its summary, which is plain text. The
// paragraph above a folded table is its caption.
func Fold(summary, folded string) string {
	return foldStart + summary + foldMiddle + "\n\n" + folded + "\n" + foldEnd + "\n"
}

// htmlOf returns the HTML of a block, empty for any other node.
func (t tree) htmlOf(n ast.Node) string {
	if n == nil || n.Kind() != ast.KindHTMLBlock {
		return ""
	}
	return string(bytes.TrimSpace(n.Lines().Value(t.source)))
}

// summaryOf returns the summary of a fold that begins with n, as HTML.
func (t tree) summaryOf(n ast.Node) (summary string, ok bool) {
	summary, begins := strings.CutPrefix(t.htmlOf(n), foldStart)
	summary, complete := strings.CutSuffix(summary, foldMiddle)
	return string(util.EscapeHTML([]byte(summary))), begins && complete
}

// endsFold reports whether a node is the line that ends a fold.
func (t tree) endsFold(n ast.Node) bool { return t.htmlOf(n) == foldEnd }

// frameFold folds everything between the line that ends a fold and the nearest one that begins one,
// if there is one. A fold below the files of a figure becomes part of its caption.
func (t tree) frameFold(end ast.Node) {
	start := end.PreviousSibling()
	summary, ok := t.summaryOf(start)
	for start != nil && !ok {
		start = start.PreviousSibling()
		summary, ok = t.summaryOf(start)
	}
	if !ok {
		return
	}
	fold := replace(start, `<details class="reveal">`+"\n<summary>"+summary+"</summary>\n", "</details>\n")
	for n := fold.NextSibling(); n != end; n = fold.NextSibling() {
		fold.AppendChild(fold, n) // which removes n from the document
	}
	t.doc.RemoveChild(t.doc, end)
	if figure, ok := fold.PreviousSibling().(*box); ok && figure.folds != nil {
		figure.folds.AppendChild(figure.folds, fold)
		figure.folds = nil
	}
}

// frameTable puts a table, with the caption above it if there is one, into a figure, and
// this into its fold if it has one. It returns the next node.
func (t tree) frameTable(table ast.Node, number int) (next ast.Node) {
	t.classifyCells(table)
	start, end, above := table.PreviousSibling(), table.NextSibling(), table.PreviousSibling()
	summary, isFolded := t.summaryOf(start)
	isFolded = isFolded && t.endsFold(end)
	if isFolded {
		above = start.PreviousSibling()
	}
	if !t.hasLabel(above, "Table ") {
		wrapScroller(fmt.Sprintf(`aria-label="table without a caption, the %d. of the page"`, number), table)
		return end
	}
	class, id := "table", t.anchor(above)
	if table.FirstChild().ChildCount() > 5 {
		class = "table wide"
	}
	captionID := id + "-caption"
	scroller := wrapScroller(fmt.Sprintf(`aria-labelledby="%s"`, captionID), table)
	figureStart := fmt.Sprintf("<figure class=%q id=%q>\n", class, id)
	if !isFolded {
		caption := replace(above, fmt.Sprintf("<figcaption id=%q>", captionID), "</figcaption>\n")
		return wrap(figureStart, "</figure>\n", caption, scroller).NextSibling()
	}
	// The anchor is inside the fold, since browsers open a fold only for an anchor inside.
	figure := wrap(figureStart, "</figure>\n", scroller)
	t.doc.RemoveChild(t.doc, start)
	t.doc.RemoveChild(t.doc, end)
	size := ` <span class="size">` + summary + "</span>"
	caption := replace(above, fmt.Sprintf("<summary id=%q>", captionID), size+"</summary>\n")
	caption.noTerms = true
	return wrap(`<details class="fold">`+"\n", "</details>\n", caption, figure).NextSibling()
}

// wrapScroller puts a table into a box in which it scrolls if it is wide. The keyboard can reach the
// box, which has the name of its caption.
func wrapScroller(name string, table ast.Node) *box {
	return wrap(`<div class="scroll" tabindex="0" role="group" `+name+">\n", "</div>\n", table)
}

// maxCellLetters is the number of letters on one line of a table that scrolls.
const maxCellLetters = 28

// shadeMark is before the digit of a shade, at the start of a cell. It is a character of private use.
const shadeMark = "\ue000"

// Shaded returns the start of a cell that is the darker the larger the part, from 0 to 1.
func Shaded(part float64) string {
	return shadeMark + string(rune('0'+int(math.Round(9*min(max(part, 0), 1)))))
}

// classifyCells gives cells classes for the style sheet: columns of numbers,
// verdicts that are not a pass, shades, and texts that need several lines.
func (t tree) classifyCells(table ast.Node) {
	for _, cell := range every[*extast.TableCell](table) {
		var classes []string
		if cell.Alignment == extast.AlignRight {
			classes = append(classes, "num")
		}
		if strong, ok := cell.FirstChild().(*ast.Emphasis); ok && strong.Level == 2 {
			classes = append(classes, "alarm")
		}
		if utf8.RuneCountInString(wordsOf(cell, t.source)) > maxCellLetters {
			classes = append(classes, "long")
		}
		if text, ok := cell.FirstChild().(*ast.Text); ok {
			if shade, marked := strings.CutPrefix(string(text.Segment.Value(t.source)), shadeMark); marked {
				classes = append(classes, "shade-"+shade[:1])
				text.Segment = text.Segment.WithStart(text.Segment.Start + len(shadeMark) + 1)
			}
		}
		if len(classes) > 0 {
			cell.SetAttributeString("class", []byte(strings.Join(classes, " ")))
		}
	}
}
