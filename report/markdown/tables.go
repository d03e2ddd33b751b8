package markdown

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// Lines around folded Markdown. Code hosts also fold such Markdown.
const (
	foldStart  = "<details>\n<summary>"
	foldMiddle = "</summary>"
	foldEnd    = "</details>"
)

// Fold returns Markdown that hides the folded Markdown until a reader opens the summary, which is
// plain text. If a paragraph above a folded table begins with a label such as **Table 1.**, it is
// the caption of the table.
func Fold(summary, folded string) string {
	return foldStart + summary + foldMiddle + "\n\n" + folded + "\n" + foldEnd + "\n"
}

// htmlBlock returns the HTML of an HTML block, and "" for any other node.
func (t tree) htmlBlock(n ast.Node) string {
	if n == nil || n.Kind() != ast.KindHTMLBlock {
		return ""
	}
	return string(bytes.TrimSpace(n.Lines().Value(t.source)))
}

// foldSummary returns the summary, as HTML, of the fold that begins with n. ok is false if no fold
// begins with n.
func (t tree) foldSummary(n ast.Node) (summary string, ok bool) {
	summary, hasStart := strings.CutPrefix(t.htmlBlock(n), foldStart)
	summary, hasEnd := strings.CutSuffix(summary, foldMiddle)
	return formatTitle(summary), hasStart && hasEnd
}

func (t tree) isFoldEnd(n ast.Node) bool { return t.htmlBlock(n) == foldEnd }

// frameFold puts the nodes between the end of a fold and the nearest start of a fold before it, if
// there is one, into a <details> element. A fold below the links to the files of a figure becomes
// part of the figure's caption.
func (t tree) frameFold(end ast.Node) {
	start, summary, ok := end, "", false
	for start != nil && !ok {
		start = start.PreviousSibling()
		summary, ok = t.foldSummary(start)
	}
	if !ok {
		return
	}
	fold := replaceByBox(start, `<details class="reveal">`+"\n<summary>"+summary+"</summary>\n", "</details>\n")
	for n := fold.NextSibling(); n != end; n = fold.NextSibling() {
		fold.AppendChild(fold, n) // also removes n from the document
	}
	t.doc.RemoveChild(t.doc, end)
	if figure, ok := fold.PreviousSibling().(*box); ok && figure.foldTarget != nil {
		figure.foldTarget.AppendChild(figure.foldTarget, fold)
		figure.foldTarget = nil
	}
}

// frameTable puts a table and its caption into a figure. If a fold surrounds the table, the figure
// is in the fold, and the caption is the summary of the fold. A table without a caption gets only a
// box in which it scrolls. frameTable returns the next node.
func (t tree) frameTable(table ast.Node, number int) (next ast.Node) {
	t.classifyCells(table)
	start, end, captionNode := table.PreviousSibling(), table.NextSibling(), table.PreviousSibling()
	summary, isFolded := t.foldSummary(start)
	isFolded = isFolded && t.isFoldEnd(end)
	if isFolded {
		captionNode = start.PreviousSibling()
	}
	if !t.hasLabel(captionNode, "Table ") {
		wrapScroller(fmt.Sprintf(`aria-label="table without a caption, the %d. of the page"`, number), table)
		return end
	}
	class, id := "table", t.captionAnchor(captionNode)
	const maxNarrowColumns = 5
	if table.FirstChild().ChildCount() > maxNarrowColumns {
		class = "table wide"
	}
	captionID := id + "-caption"
	scroller := wrapScroller(fmt.Sprintf(`aria-labelledby="%s"`, captionID), table)
	figureStart := fmt.Sprintf("<figure class=%q id=%q>\n", class, id)
	if !isFolded {
		caption := replaceByBox(captionNode, fmt.Sprintf("<figcaption id=%q>", captionID), "</figcaption>\n")
		return wrapInBox(figureStart, "</figure>\n", caption, scroller).NextSibling()
	}
	// Browsers open a fold for a link only if the anchor of the link is inside the fold.
	figure := wrapInBox(figureStart, "</figure>\n", scroller)
	t.doc.RemoveChild(t.doc, start)
	t.doc.RemoveChild(t.doc, end)
	size := ` <span class="size">` + summary + "</span>"
	caption := replaceByBox(captionNode, fmt.Sprintf("<summary id=%q>", captionID), size+"</summary>\n")
	caption.hideTerms = true
	return wrapInBox(`<details class="fold">`+"\n", "</details>\n", caption, figure).NextSibling()
}

// wrapScroller puts a table into a box in which it scrolls if it is wide, also by the keyboard. The
// attribute ariaName names the box.
func wrapScroller(ariaName string, table ast.Node) *box {
	return wrapInBox(`<div class="scroll" tabindex="0" role="group" `+ariaName+">\n", "</div>\n", table)
}

// maxCellLetters is the maximum number of letters of a cell that is written on one line.
const maxCellLetters = 28

// shadeMark is a private-use character. It precedes the digit of a shade, from 0 to maxShade, at
// the start of a cell.
const (
	shadeMark = "\ue000"
	maxShade  = 9
)

// ShadeCell returns a prefix for the text of a cell, which gives the cell a shade from 0 (none) to
// 1 (the darkest).
func ShadeCell(shade float64) string {
	return shadeMark + string(rune('0'+int(math.Round(maxShade*min(max(shade, 0), 1)))))
}

// classifyCells gives cells classes for the style sheet: num for columns of numbers, alarm for bold
// texts (verdicts other than pass), long for texts on several lines, and shade-0 to shade-9 for
// cells with a prefix of ShadeCell, which it removes.
func (t tree) classifyCells(table ast.Node) {
	for _, cell := range nodesOf[*extast.TableCell](table) {
		var classes []string
		if cell.Alignment == extast.AlignRight {
			classes = append(classes, "num")
		}
		if strong, ok := cell.FirstChild().(*ast.Emphasis); ok && strong.Level == 2 {
			classes = append(classes, "alarm")
		}
		if utf8.RuneCountInString(plainText(cell, t.source)) > maxCellLetters {
			classes = append(classes, "long")
		}
		if text, ok := cell.FirstChild().(*ast.Text); ok {
			if shade, isShaded := strings.CutPrefix(string(text.Segment.Value(t.source)), shadeMark); isShaded {
				classes = append(classes, "shade-"+shade[:1])
				text.Segment = text.Segment.WithStart(text.Segment.Start + len(shadeMark) + 1)
			}
		}
		if len(classes) > 0 {
			cell.SetAttributeString("class", []byte(strings.Join(classes, " ")))
		}
	}
}
