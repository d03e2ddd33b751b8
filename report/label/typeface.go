package label

import (
	"bytes"
	"errors"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
)

// typeface is a font with a cache of its glyphs. All lengths are in units of the em.
type typeface struct {
	Ttf    []byte // the font as a TrueType file
	Family string
	font   *sfnt.Font

	mu     sync.Mutex
	buf    sfnt.Buffer
	glyphs map[rune]Outline
}

// Outline is the outline of a glyph, in units of the em.
type Outline struct {
	known         bool // the font has the glyph; if not, the outline is the sign for missing glyphs
	Advance       float64
	height, depth float64 // extent above and below the base line
	Path          vg.Path // y points upwards
}

// Font is one of the two fonts of labels.
type Font int

const (
	Upright Font = iota
	Slanted      // for variables
)

// faces has a function for each font, which parses the font when it is called first. Most commands
// do not need fonts.
var faces = map[Font]func() *typeface{
	Upright: sync.OnceValue(func() *typeface { return mustTypeface(liberationsansregular.TTF) }),
	Slanted: sync.OnceValue(func() *typeface { return mustTypeface(liberationsansitalic.TTF) }),
}

// Face returns the typeface of a font.
func (f Font) Face() *typeface { return faces[f]() }

// UseFont makes a TrueType file the typeface of fonts. It must be called before labels are laid
// out.
func UseFont(ttf []byte, fonts ...Font) error {
	t, err := newTypeface(ttf)
	if err != nil {
		return err
	}
	for _, f := range fonts {
		faces[f] = func() *typeface { return t }
	}
	return nil
}

func newTypeface(ttf []byte) (*typeface, error) {
	f, err := sfnt.Parse(ttf)
	if err != nil || !bytes.HasPrefix(ttf, []byte{0, 1, 0, 0}) {
		return nil, errors.New("is not a font with TrueType outlines (.ttf, and some .otf)")
	}
	t := &typeface{Ttf: ttf, font: f, glyphs: map[rune]Outline{}}
	t.Family, err = f.Name(&t.buf, sfnt.NameIDFamily)
	return t, err
}

func mustTypeface(ttf []byte) *typeface {
	t, err := newTypeface(ttf)
	if err != nil {
		panic("label: the embedded font is damaged")
	}
	return t
}

// FindMissing returns the first character of a label that its font does not have.
func FindMissing(label string) (r rune, ok bool) {
	for _, p := range Typeset(label, 1).Pieces {
		for _, r := range p.Text {
			if !p.Font.Face().Has(r) {
				return r, true
			}
		}
	}
	return 0, false
}

func (t *typeface) Has(r rune) bool { return t.Glyph(r).known }

// Glyph returns the outline of a character. A character that the font does not have gets the font's
// sign for missing glyphs.
func (t *typeface) Glyph(r rune) Outline {
	t.mu.Lock()
	defer t.mu.Unlock()
	o, ok := t.glyphs[r]
	if !ok {
		o = t.loadOutline(r)
		t.glyphs[r] = o
	}
	return o
}

func (t *typeface) loadOutline(r rune) (o Outline) {
	em := t.font.UnitsPerEm()
	size := fixed.Int26_6(int(em) << 6) // one unit of the font is one pixel
	i, err := t.font.GlyphIndex(&t.buf, r)
	if err != nil {
		panic("label: the font has no index of its glyphs")
	}
	o.known = i != 0
	inEm := func(x fixed.Int26_6) float64 { return float64(x) / 64 / float64(em) }
	if a, err := t.font.GlyphAdvance(&t.buf, i, size, xfont.HintingNone); err == nil {
		o.Advance = inEm(a)
	}
	segments, err := t.font.LoadGlyph(&t.buf, i, size, nil)
	if err != nil {
		return o
	}
	bounds := segments.Bounds()
	o.height, o.depth = -inEm(bounds.Min.Y), inEm(bounds.Max.Y)
	point := func(p fixed.Point26_6) vg.Point {
		return vg.Point{X: vg.Length(inEm(p.X)), Y: vg.Length(-inEm(p.Y))}
	}
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(o.Path) > 0 {
				o.Path.Close()
			}
			o.Path.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			o.Path.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			o.Path.QuadTo(point(s.Args[0]), point(s.Args[1]))
		}
	}
	if len(o.Path) > 0 {
		o.Path.Close()
	}
	return o
}
