package draw

import (
	"bytes"
	be "encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"mcsim/report/label"
)

const DotsPerInch = 300

// raster is a canvas of dots.
type raster struct {
	c *vgimg.Canvas
	h vg.Length
}

// NewRaster returns an empty canvas of dots of that size.
func NewRaster(w, h vg.Length) *raster {
	return &raster{vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(DotsPerInch)), h}
}

func (r *raster) Fill(p vg.Path, k color.NRGBA) {
	r.c.SetColor(k)
	r.c.Fill(p)
}

func (r *raster) Stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length) {
	r.c.SetColor(k)
	r.c.SetLineWidth(width)
	r.c.SetLineDash(dash, 0)
	r.c.Stroke(p)
}

func (r *raster) Words(ps []label.Piece, at vg.Point, up bool, k color.NRGBA) {
	for _, p := range ps {
		x := p.X
		for _, c := range p.Text {
			g := label.Face(p.Italic).Glyph(c)
			if len(g.Path) > 0 {
				r.Fill(Transform(g.Path, func(q vg.Point) vg.Point { return Place(at, up, x+q.X*p.Size, p.Y+q.Y*p.Size) }), k)
			}
			x += vg.Length(g.Advance) * p.Size
		}
	}
}

// Pixels writes dots themselves: scaled by the canvas they would be smoothed.
func (r *raster) Pixels(b Box, img *image.NRGBA) {
	dot := func(x vg.Length) int { return int(math.Round(float64(x) * DotsPerInch / 72)) }
	x0, x1, y0, y1 := dot(b.Left), dot(b.Right), dot(r.h-b.Top), dot(r.h-b.Bottom)
	to, size := r.c.Image(), img.Bounds().Size()
	page := to.Bounds()
	for y := max(y0, page.Min.Y); y < min(y1, page.Max.Y); y++ {
		for x := max(x0, page.Min.X); x < min(x1, page.Max.X); x++ {
			if k := img.NRGBAAt((x-x0)*size.X/(x1-x0), (y-y0)*size.Y/(y1-y0)); k.A == 255 {
				to.Set(x, y, k)
			}
		}
	}
}

// Document returns the PNG with its resolution, title and description.
func (r *raster) Document(title, desc string) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // a twentieth larger, in half the time
	if err := encoder.Encode(&b, r.c.Image()); err != nil {
		return nil, fmt.Errorf("png: %w", err)
	}
	perMetre := uint32(math.Round(DotsPerInch / 0.0254))
	dots := be.BigEndian.AppendUint32(be.BigEndian.AppendUint32(nil, perMetre), perMetre)
	extra := chunk("pHYs", append(dots, 1))
	for _, t := range [][2]string{{"Title", title}, {"Author", Author}, {"Description", desc}, {"Software", software}} {
		// Keyword, no compression, English, no translated keyword, text.
		extra = append(extra, chunk("iTXt", []byte(t[0]+"\x00\x00\x00en\x00\x00"+label.Printable(t[1])))...)
	}
	const head = 8 + 12 + 13 // signature and IHDR
	out := append(bytes.Clone(b.Bytes()[:head]), extra...)
	return append(out, b.Bytes()[head:]...), nil
}

// chunk is a piece of a PNG file (W3C, PNG specification, 5.3).
func chunk(kind string, data []byte) []byte {
	out := be.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return be.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}
