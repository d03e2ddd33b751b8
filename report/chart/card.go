package chart

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/vg"

	"mcsim/report/figure"
	"mcsim/report/label"
	"mcsim/report/selection"
	"mcsim/report/theme"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// cardDimension is the d_k of the row on the card.
const cardDimension = 64.0

// Card draws the picture that other services show next to a link to the site, as a PNG of 1200 × 630
// pixels: the question, the formula, and the weights of one row under three scales. It returns nil
// if the document does not have these weights.
func Card(doc *result.Document) ([]byte, error) {
	const (
		width, height    = 288, 151.2 // points at 300 dots per inch
		margin           = 12
		title, text      = 15, 9.5 // sizes
		cellLeft, gap    = 58, 3
		cellHeight, step = 23, 27
		top              = 98 // of the first strip
	)
	page, ink := figure.NewPage("png", width, height), theme.Web.Colour(theme.Ink)
	write := func(s string, size, x, y vg.Length, proportion float64) {
		layout := label.Typeset(s, size)
		page.DrawLabel(layout.Pieces, vg.Point{X: x - vg.Length(proportion)*layout.Width, Y: y}, false, ink)
	}
	const question = `Why does attention divide by $\sqrt{d_k}$?`
	write(question, title, margin, 128, 0)
	write(`weights = softmax($q\cdot k/\sqrt{d_k}$)`, text+1, margin, 108, 0)
	for i, s := range []scale{{"no scale", 0}, {`÷ $\sqrt{d_k}$`, 0.5}, {"÷ $d_k$", 1}} {
		filter := keyWeight.FixAll(ranksGrid(doc)).Fix(names.ParamDimension, cardDimension).
			Fix(names.ParamExponent, s.exponent)
		curves := selection.Curves(doc, filter, names.ParamKey)
		if len(curves) == 0 {
			return nil, nil
		}
		y := vg.Length(top - step*i)
		write(s.title, text, margin, y-cellHeight/2-0.35*text, 0)
		weights := curves[0].Y
		side := (width - margin - cellLeft) / vg.Length(len(weights))
		for j, weight := range weights {
			cell := figure.Box{Left: cellLeft + side*vg.Length(j), Top: y, Bottom: y - cellHeight}
			cell.Right = cell.Left + side - gap
			style, _ := theme.ExponentStyle(s.exponent)
			colour := theme.Web.Colour(style.Colour)
			colour.A = uint8(math.Round(255 * math.Sqrt(float64(weight))))
			page.Fill(figure.Rectangle(cell), colour)
			page.Stroke(figure.Rectangle(cell), theme.Web.Colour(theme.ReferenceInk), 0.3, nil)
			percent := fmt.Sprintf("%.0f %%", 100*float64(weight))
			write(percent, text-1, (cell.Left+cell.Right)/2, y-cellHeight/2-0.35*text, 0.5)
		}
	}
	caption := fmt.Sprintf("How one row of attention shares its weight, at $d_k$ = %v", cardDimension)
	write(caption, text-2, margin, 7, 0)
	return page.Document("card", label.Plain(question), label.Plain(caption))
}
