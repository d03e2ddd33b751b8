package draw

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"maps"
	"math"
	"math/bits"
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
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(size.X)), uint32(size.Y))
	const depth, indexed = 8, 3 // bits of the number of a colour
	palette, dots := r.indexed()
	perMetre := binary.BigEndian.AppendUint32(nil, uint32(math.Round(dotsPerInch/0.0254)))
	out := slices.Concat([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(header, depth, indexed, 0, 0, 0)),
		chunk("pHYs", slices.Concat(perMetre, perMetre, []byte{1})))
	for _, t := range [][2]string{{"Title", title}, {"Author", Author}, {"Description", desc}, {"Software", software}} {
		// Keyword, no compression, English, no translated keyword, text.
		out = append(out, chunk("iTXt", []byte(t[0]+"\x00\x00\x00en\x00\x00"+label.Printable(t[1])))...)
	}
	out = append(out, chunk("PLTE", palette)...)
	packed, err := r.packed(dots)
	select {
	case spare <- r.dots:
	default: // another is there
	}
	return slices.Concat(out, chunk("IDAT", packed), chunk("IEND", nil)), err
}

// mostColours is how many a palette has.
const mostColours = 256

// indexed are the colours of the dots, as red, green and blue, and each dot as the number of its
// colour, in the room of the dots. A drawing has few colours, and many shades of them where edges are
// smooth: beyond as many as a palette has, the rarest take the nearest of the others.
func (r *raster) indexed() (palette, dots []byte) {
	count := map[uint32]int{}
	r.runs(func(colour uint32, from, to int) { count[colour] += to - from })
	colours := slices.SortedFunc(maps.Keys(count), func(a, b uint32) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(bits.ReverseBytes32(a), bits.ReverseBytes32(b)))
	})
	number := map[uint32]byte{}
	for i, c := range colours {
		rgb := binary.LittleEndian.AppendUint32(nil, c)[:3]
		if i < mostColours {
			palette = append(palette, rgb...)
			number[c] = byte(i)
			continue
		}
		nearest, least := 0, math.MaxInt
		for j := range mostColours {
			off := 0
			for k, x := range rgb {
				d := int(x) - int(palette[3*j+k])
				off += d * d
			}
			if off < least {
				nearest, least = j, off
			}
		}
		number[c] = byte(nearest)
	}
	dots = r.dots.Pix[:len(r.dots.Pix)/4]
	r.runs(func(colour uint32, from, to int) {
		n := number[colour]
		for i := from; i < to; i++ { // behind what runs has read
			dots[i] = n
		}
	})
	return palette, dots
}

// runs calls f for each run of dots of one colour.
func (r *raster) runs(f func(colour uint32, from, to int)) {
	pix, colourAt := r.dots.Pix, binary.LittleEndian.Uint32
	for from := 0; from < len(pix); {
		c, to := colourAt(pix[from:]), from+4
		for two := uint64(c)<<32 | uint64(c); to+8 <= len(pix) && binary.LittleEndian.Uint64(pix[to:]) == two; {
			to += 8
		}
		for to < len(pix) && colourAt(pix[to:]) == c {
			to += 4
		}
		f(c, from/4, to/4)
		from = to
	}
}

// packed are the rows of dots, compressed, each with a zero before it for no filter.
func (r *raster) packed(dots []byte) ([]byte, error) {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	for row := range slices.Chunk(dots, r.dots.Rect.Dx()) {
		_, err := z.Write([]byte{0})
		if _, err2 := z.Write(row); err != nil || err2 != nil {
			return nil, cmp.Or(err, err2)
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// chunk is a piece of a PNG file (W3C, PNG specification, 5.3).
func chunk(kind string, data []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	body := append([]byte(kind), data...)
	return binary.BigEndian.AppendUint32(append(out, body...), crc32.ChecksumIEEE(body))
}
