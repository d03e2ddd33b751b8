package draw

import (
	"bytes"
	"compress/zlib"
	be "encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
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
			g := p.Font.Face().Glyph(c)
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
	img, ok := r.c.Image().(*image.RGBA)
	if !ok || !img.Opaque() {
		return nil, errors.New("png: the canvas is not an opaque page of RGBA")
	}
	pixels, err := deflated(img)
	if err != nil {
		return nil, fmt.Errorf("png: %w", err)
	}
	numbers := func(a, b int, rest ...byte) []byte {
		return append(be.BigEndian.AppendUint32(be.BigEndian.AppendUint32(nil, uint32(a)), uint32(b)), rest...)
	}
	perMetre := int(math.Round(DotsPerInch / 0.0254))
	out := []byte("\x89PNG\r\n\x1a\n")
	out = append(out, chunk("IHDR", numbers(img.Rect.Dx(), img.Rect.Dy(), 8, 2, 0, 0, 0))...) // 8 bits each of red, green, blue
	out = append(out, chunk("pHYs", numbers(perMetre, perMetre, 1))...)
	for _, t := range [][2]string{{"Title", title}, {"Author", Author}, {"Description", desc}, {"Software", software}} {
		// Keyword, no compression, English, no translated keyword, text.
		out = append(out, chunk("iTXt", []byte(t[0]+"\x00\x00\x00en\x00\x00"+label.Printable(t[1])))...)
	}
	return append(append(out, chunk("IDAT", pixels)...), chunk("IEND", nil)...), nil
}

// deflated compresses rows of dots that are not filtered (filter 0): a drawing has
// large areas of one colour, so that filters make it no smaller, and those of
// image/png take two thirds of its time.
func deflated(img *image.RGBA) ([]byte, error) {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	row := make([]byte, 1+3*img.Rect.Dx())
	for y := range img.Rect.Dy() {
		dots := img.Pix[y*img.Stride:]
		for x := range img.Rect.Dx() {
			copy(row[1+3*x:], dots[4*x:4*x+3])
		}
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// chunk is a piece of a PNG file (W3C, PNG specification, 5.3).
func chunk(kind string, data []byte) []byte {
	out := be.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return be.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}
