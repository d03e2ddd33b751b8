package draw

import (
	"bytes"
	be "encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"math"
	"slices"

	"git.sr.ht/~sbinet/gg"
	"github.com/klauspost/compress/zlib"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"mcsim/report/label"
)

const dotsPerInch = 300

// raster is a canvas of dots.
type raster struct {
	c    *vgimg.Canvas
	dots *image.RGBA
}

// spare are the dots of a figure that is written, some 15 MB, which the next one takes over.
var spare = make(chan *image.RGBA, 1)

// newRaster returns a white canvas of dots of that size. The context is made here, since
// vgimg would copy the dots.
func newRaster(w, h vg.Length) *raster {
	whole := func(x vg.Length) int { return int(x.Dots(dotsPerInch) + 0.5) }
	dots := new(image.RGBA)
	select {
	case dots = <-spare:
	default:
	}
	dots.Stride, dots.Rect = 4*whole(w), image.Rect(0, 0, whole(w), whole(h))
	dots.Pix = slices.Grow(dots.Pix[:0], dots.Stride*whole(h))[:dots.Stride*whole(h)]
	context := gg.NewContextForRGBA(dots)
	context.SetLineCapButt()
	context.InvertY()
	return &raster{vgimg.NewWith(vgimg.UseImageWithContext(dots, context), vgimg.UseDPI(dotsPerInch)), dots}
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

// Document returns the PNG with its resolution, title and description. Its rows are not
// filtered, which image/png does: drawings of few colours are smaller without, and take a third
// of the time.
func (r *raster) Document(_, title, desc string) ([]byte, error) {
	size := r.dots.Bounds().Size()
	header := be.BigEndian.AppendUint32(be.BigEndian.AppendUint32(nil, uint32(size.X)), uint32(size.Y))
	const depth, trueColour = 8, 2 // bits of each of red, green and blue
	perMetre := be.BigEndian.AppendUint32(nil, uint32(math.Round(dotsPerInch/0.0254)))
	out := slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(header, depth, trueColour, 0, 0, 0)),
		chunk("pHYs", slices.Concat(perMetre, perMetre, []byte{1})))
	for _, t := range [][2]string{{"Title", title}, {"Author", Author}, {"Description", desc}, {"Software", software}} {
		// Keyword, no compression, English, no translated keyword, text.
		out = append(out, chunk("iTXt", []byte(t[0]+"\x00\x00\x00en\x00\x00"+label.Printable(t[1])))...)
	}
	packed, err := r.packed()
	select {
	case spare <- r.dots:
	default: // another is there
	}
	return slices.Concat(out, chunk("IDAT", packed), chunk("IEND", nil)), err
}

// packed are the rows of dots, compressed: each a zero for no filter, and red, green and blue
// of every dot.
func (r *raster) packed() ([]byte, error) {
	var b bytes.Buffer
	z, err := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	row := make([]byte, 1+3*r.dots.Rect.Dx())
	for dots := r.dots.Pix; len(dots) > 0; dots = dots[r.dots.Stride:] {
		for to, from := row[1:], dots; len(to) > 0; to, from = to[3:], from[4:] {
			to[0], to[1], to[2] = from[0], from[1], from[2]
		}
		if _, err := z.Write(row); err != nil {
			return nil, err
		}
	}
	err = z.Close()
	return b.Bytes(), err
}

// chunk is a piece of a PNG file (W3C, PNG specification, 5.3).
func chunk(kind string, data []byte) []byte {
	out := be.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return be.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}
