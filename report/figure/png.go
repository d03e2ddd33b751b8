package figure

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/color"
	"image/png"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"mcsim/report/label"
	"mcsim/sim/names"
)

const dotsPerInch = 300

// raster is the canvas of a PNG.
type raster struct{ c *vgimg.Canvas }

func newRaster(w, h vg.Length) *raster {
	return &raster{vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dotsPerInch))}
}

func (r *raster) Fill(p vg.Path, colour color.NRGBA) {
	r.c.SetColor(colour)
	r.c.Fill(p)
}

func (r *raster) Stroke(p vg.Path, colour color.NRGBA, width vg.Length, dash []vg.Length) {
	r.c.SetColor(colour)
	r.c.SetLineWidth(width)
	r.c.SetLineDash(dash, 0)
	r.c.Stroke(p)
}

func (r *raster) DrawLabel(pieces []label.Piece, origin vg.Point, rotated bool, colour color.NRGBA) {
	for _, p := range pieces {
		x := p.X
		for _, c := range p.Text {
			g := p.Font.Face().Glyph(c)
			if len(g.Path) > 0 {
				r.Fill(transform(g.Path, func(q vg.Point) vg.Point {
					return labelPoint(origin, rotated, x+q.X*p.Size, p.Y+q.Y*p.Size)
				}), colour)
			}
			x += vg.Length(g.Advance) * p.Size
		}
	}
}

// Document returns the PNG with its resolution, title and description.
func (r *raster) Document(_, title, desc string) ([]byte, error) {
	var file bytes.Buffer
	if err := png.Encode(&file, r.c.Image()); err != nil {
		return nil, err
	}
	perMetre := binary.BigEndian.AppendUint32(nil, uint32(math.Round(dotsPerInch/0.0254)))
	metadata := chunk("pHYs", slices.Concat(perMetre, perMetre, []byte{1}))
	texts := [][2]string{{"Title", title}, {"Author", author}, {"Description", desc}, {"Software", software}}
	for _, t := range texts {
		// A keyword, no compression, the language, no translated keyword, the text.
		text := t[0] + "\x00\x00\x00en\x00\x00" + names.RemoveUnprintable(t[1])
		metadata = append(metadata, chunk("iTXt", []byte(text))...)
	}
	const headerSize = 8 + 12 + 13 // the signature, and IHDR, which comes first
	return slices.Insert(file.Bytes(), headerSize, metadata...), nil
}

// chunk returns a chunk of a PNG file (W3C, PNG specification, 5.3).
func chunk(kind string, data []byte) []byte {
	length := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return binary.BigEndian.AppendUint32(append(length, body...), crc32.ChecksumIEEE(body))
}
