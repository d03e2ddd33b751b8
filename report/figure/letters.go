package figure

import (
	"regexp"

	"gonum.org/v1/plot/vg"

	"mcsim/report/draw"
	"mcsim/report/label"
)

// lettered is the title of a panel that a caption speaks of, "(a) median of $R$".
var lettered = regexp.MustCompile(`^\(([a-z])\)\s*(.*)$`)

// title writes a panel's title above its axes, which have so much room to their left.
// Where the style asks for bold letters, the panel's stands in its upper left corner.
func (d *drawing) title(title string, b draw.Box, left vg.Length) {
	y := b.Top + 0.5*d.text
	if parts := lettered.FindStringSubmatch(title); parts != nil && d.in.Style.Letter > 0 {
		d.lay(label.SetBold(parts[1], d.in.Style.Letter), vg.Point{X: b.Left - left + margin, Y: y}, false)
		title = parts[2]
	}
	half := label.WidthOf(title, d.text) / 2 // within the page
	middle := max(min((b.Left+b.Right)/2, d.w-margin-half), margin+half)
	d.write(title, vg.Point{X: middle, Y: y}, 0.5)
}
