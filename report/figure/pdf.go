package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
	"mcsim/sim/names"
)

// pdf is a PDF of one page. It embeds subsets of the fonts and stores labels as text, so that a
// reader can search and copy them.
type pdf struct {
	f        *fpdf.Fpdf
	h        vg.Length
	embedded [3]bool // whether the file has the font, by label.Font
}

// fontSuffixes follow the family in the names of the fonts.
var fontSuffixes = [3]string{label.Slanted: "-Italic"}

func newPDF(w, h vg.Length) *pdf {
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: float64(w), Ht: float64(h)}})
	f.SetMargins(0, 0, 0)
	f.SetAutoPageBreak(false, 0)
	f.SetCatalogSort(true)
	f.SetProducer(software, true)
	// With the current date, two files of one figure would differ.
	epoch := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	f.SetCreationDate(epoch)
	f.SetModificationDate(epoch)
	f.AddPage()
	return &pdf{f: f, h: h}
}

func (c *pdf) Fill(p vg.Path, colour color.NRGBA) {
	c.f.SetFillColor(int(colour.R), int(colour.G), int(colour.B))
	c.withOpacity(colour, func() {
		c.addPath(p)
		c.f.DrawPath("F")
	})
}

func (c *pdf) Stroke(p vg.Path, colour color.NRGBA, width vg.Length, dash []vg.Length) {
	c.f.SetDrawColor(int(colour.R), int(colour.G), int(colour.B))
	c.f.SetLineWidth(float64(width))
	c.f.SetDashPattern(names.Map(dash, func(d vg.Length) float64 { return float64(d) }), 0)
	c.withOpacity(colour, func() {
		c.addPath(p)
		c.f.DrawPath("D")
	})
}

// withOpacity calls draw with the opacity of a colour.
func (c *pdf) withOpacity(colour color.NRGBA, draw func()) {
	if colour.A == 255 {
		draw()
		return
	}
	c.f.SetAlpha(float64(colour.A)/255, "Normal")
	draw()
	c.f.SetAlpha(1, "Normal")
}

// addPath makes a path the current path, which DrawPath then draws. It does not support curves,
// which only the outlines of glyphs have.
func (c *pdf) addPath(p vg.Path) {
	for _, comp := range p {
		x, y := float64(comp.Pos.X), float64(c.h-comp.Pos.Y)
		switch comp.Type {
		case vg.MoveComp:
			c.f.MoveTo(x, y)
		case vg.LineComp:
			c.f.LineTo(x, y)
		case vg.CloseComp:
			c.f.ClosePath()
		}
	}
}

func (c *pdf) DrawLabel(pieces []label.Piece, origin vg.Point, rotated bool, colour color.NRGBA) {
	c.f.SetTextColor(int(colour.R), int(colour.G), int(colour.B))
	for _, p := range pieces {
		family := strings.ReplaceAll(p.Font.Face().Family, " ", "") + fontSuffixes[p.Font]
		if !c.embedded[p.Font] {
			c.embedded[p.Font] = true
			c.f.AddUTF8FontFromBytes(family, "", bytes.Clone(p.Font.Face().Ttf))
		}
		c.f.SetFont(family, "", float64(p.Size))
		start := labelPoint(origin, rotated, p.X, p.Y)
		x, y := float64(start.X), float64(c.h-start.Y)
		if rotated {
			c.f.TransformBegin()
			c.f.TransformRotate(90, x, y)
		}
		c.f.Text(x, y, p.Text)
		if rotated {
			c.f.TransformEnd()
		}
	}
}

func (c *pdf) Document(_, title, subject string) (file []byte, err error) {
	defer func() {
		if fault := recover(); fault != nil { // fpdf does not check the tables of a font
			err = fmt.Errorf("pdf: the font cannot be embedded: %v", fault)
		}
	}()
	c.f.SetTitle(names.RemoveUnprintable(title), true)
	c.f.SetAuthor(author, true)
	c.f.SetSubject(names.RemoveUnprintable(subject), true)
	c.f.SetKeywords(keywords, true)
	c.f.SetCreator(software, true)
	c.f.SetLang("en")
	var b bytes.Buffer
	if err := c.f.Output(&b); err != nil {
		return nil, fmt.Errorf("pdf: %w", err)
	}
	return b.Bytes(), nil
}
