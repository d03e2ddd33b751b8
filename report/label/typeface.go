package label

import (
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// typeface is one font with what was read of it. All lengths are in units of
// the em, so that a size is one factor.
type typeface struct {
	Ttf  []byte
	font *sfnt.Font

	mu     sync.Mutex
	buf    sfnt.Buffer
	glyphs map[rune]Outline
}

// Outline is a glyph: its advance, its extent above and below the line, and
// its path with y upwards.
type Outline struct {
	known               bool
	Advance, top, below float64
	Path                vg.Path
}

// Font is one of those that labels are set in.
type Font int

const (
	Upright Font = iota
	Slanted      // variables
	Bold         // letters of panels, where a journal asks for it
)

// Parsed when the first label is set: most commands set none.
var faces = map[Font]func() *typeface{
	Upright: sync.OnceValue(func() *typeface { return newTypeface(liberationsansregular.TTF) }),
	Slanted: sync.OnceValue(func() *typeface { return newTypeface(liberationsansitalic.TTF) }),
	Bold:    sync.OnceValue(func() *typeface { return newTypeface(liberationsansbold.TTF) }),
}

// Face returns the glyphs of a font.
func (f Font) Face() *typeface { return faces[f]() }

// newTypeface parses a font.
func newTypeface(ttf []byte) *typeface {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("label: the font in the binary is no font")
	}
	return &typeface{Ttf: ttf, font: f, glyphs: map[rune]Outline{}}
}

func (t *typeface) Has(r rune) bool { return t.Glyph(r).known }

// Glyph returns the outline of a character; an unknown one has the font's own
// sign for that.
func (t *typeface) Glyph(r rune) Outline {
	t.mu.Lock()
	defer t.mu.Unlock()
	o, ok := t.glyphs[r]
	if !ok {
		o = t.read(r)
		t.glyphs[r] = o
	}
	return o
}

// read takes a glyph's outline from the font.
func (t *typeface) read(r rune) (o Outline) {
	em := t.font.UnitsPerEm()
	size := fixed.Int26_6(int(em) << 6) // one unit of the font is one pixel
	i, err := t.font.GlyphIndex(&t.buf, r)
	if err != nil {
		panic("label: the font has no index of its glyphs")
	}
	o.known = i != 0
	unit := func(x fixed.Int26_6) float64 { return float64(x) / 64 / float64(em) }
	if a, err := t.font.GlyphAdvance(&t.buf, i, size, xfont.HintingNone); err == nil {
		o.Advance = unit(a)
	}
	segments, err := t.font.LoadGlyph(&t.buf, i, size, nil)
	if err != nil {
		return o
	}
	bounds := segments.Bounds()
	o.top, o.below = -unit(bounds.Min.Y), unit(bounds.Max.Y)
	at := func(p fixed.Point26_6) vg.Point { return vg.Point{X: vg.Length(unit(p.X)), Y: vg.Length(-unit(p.Y))} }
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(o.Path) > 0 {
				o.Path.Close()
			}
			o.Path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			o.Path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			o.Path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		}
	}
	if len(o.Path) > 0 {
		o.Path.Close()
	}
	return o
}
