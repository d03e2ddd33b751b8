package draw

import (
	"bytes"
	be "encoding/binary"
	"fmt"
	"hash/crc32"
	"image/color"
	"image/png"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"mcsim/report/label"
)

const dotsPerInch = 300

// raster is a canvas of dots.
type raster struct{ c *vgimg.Canvas }

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

// Document returns the PNG with its resolution, title and description, which stand behind
// the header.
func (r *raster) Document(_, title, desc string) ([]byte, error) {
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&b, r.c.Image()); err != nil {
		return nil, fmt.Errorf("png: %w", err)
	}
	const header = 8 + 12 + 13 // a signature, and a chunk of 13 bytes
	perMetre := be.BigEndian.AppendUint32(nil, uint32(math.Round(dotsPerInch/0.0254)))
	out := append(bytes.Clone(b.Bytes()[:header]), chunk("pHYs", slices.Concat(perMetre, perMetre, []byte{1}))...)
	for _, t := range [][2]string{{"Title", title}, {"Author", Author}, {"Description", desc}, {"Software", software}} {
		// Keyword, no compression, English, no translated keyword, text.
		out = append(out, chunk("iTXt", []byte(t[0]+"\x00\x00\x00en\x00\x00"+label.Printable(t[1])))...)
	}
	return append(out, b.Bytes()[header:]...), nil
}

// chunk is a piece of a PNG file (W3C, PNG specification, 5.3).
func chunk(kind string, data []byte) []byte {
	out := be.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return be.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}
