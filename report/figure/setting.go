package figure

import (
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
)

// piece is a run of text in one font and size, from a point of the label on.
type piece struct {
	text   string
	italic bool
	size   vg.Length
	x, y   vg.Length
}

func (p piece) width() (w vg.Length) {
	for _, r := range p.text {
		w += vg.Length(face(p.italic).glyph(r).advance) * p.size
	}
	return w
}

// setting is a label ready to be drawn; its origin is the left end of the
// base line.
type setting struct {
	pieces []piece
	bars   []box // of roots
	width  vg.Length
	top    vg.Length // above the base line, at most
	bottom vg.Length // below it, at most, as a positive length
}

// Sizes and heights of scripts, and spaces, in units of the em: those of the
// plain format of TeX, rounded.
const (
	scriptSize  = 0.72
	scriptDrop  = 0.18
	scriptRise  = 0.36
	scriptApart = 0.13 // how much farther from the line where one is above the other
	mediumSpace = 0.2
	thickSpace  = 0.26
	thinSpace   = 0.16
)

func set(label string, size vg.Length) setting {
	var s setting
	for _, p := range mustParse(label) {
		if p.text != "" {
			s.add(p.text, false, size, 0)
		}
		s.math(p.math, size, 0, false)
	}
	return s
}

func widthOf(label string, size vg.Length) vg.Length { return set(label, size).width }

func (s *setting) add(text string, italic bool, size, y vg.Length) {
	p := piece{text, italic, size, s.width, y}
	for _, r := range text {
		g := face(italic).glyph(r)
		s.top = max(s.top, y+vg.Length(g.top)*size)
		s.bottom = max(s.bottom, vg.Length(g.below)*size-y)
	}
	s.width += p.width()
	if n := len(s.pieces); n > 0 {
		// One run is one word to who searches or copies.
		if last := &s.pieces[n-1]; last.italic == italic && last.size == size && last.y == y && last.x+last.width()-p.x < 1e-9 && p.x-last.x-last.width() < 1e-9 {
			last.text += text
			return
		}
	}
	s.pieces = append(s.pieces, p)
}

// math sets symbols; a superscript that follows a subscript stands above it.
func (s *setting) math(ns []node, size, y vg.Length, script bool) {
	var from, to vg.Length // of the scripts at one symbol
	for i, n := range ns {
		switch {
		case n.script != 0:
			if i == 0 || ns[i-1].script == 0 {
				from, to = s.width, s.width
			}
			s.width = from
			rise := vg.Length(scriptRise)
			if n.script < 0 {
				rise = -scriptDrop
			}
			if other := i + 1; i > 0 && ns[i-1].script != 0 || other < len(ns) && ns[other].script != 0 {
				rise += scriptApart * vg.Length(n.script)
			}
			s.math(n.group, size*scriptSize, y+rise*size, true)
			to = max(to, s.width)
			s.width = to
		case n.root:
			s.root(n.group, size, y, script)
		default:
			before, after := gaps(ns, i, script)
			s.width += before * size
			if n.text != "" {
				s.add(n.text, n.italic, size, y)
			}
			s.width += after * size
		}
	}
}

// gaps returns the space around a symbol; inside a script there is none.
func gaps(ns []node, i int, script bool) (before, after vg.Length) {
	if ns[i].class == space {
		return thinSpace, 0
	}
	if script {
		return 0, 0
	}
	b, a := around(ns, i)
	gap := map[class]vg.Length{binary: mediumSpace, relation: thickSpace, comma: thinSpace, function: thinSpace}[ns[i].class]
	return gap * vg.Length(utf8.RuneCountInString(b)), gap * vg.Length(utf8.RuneCountInString(a))
}

// root draws the font's own sign and a bar from its tip over the group.
func (s *setting) root(group []node, size, y vg.Length, script bool) {
	const bar = 0.055
	sign := upright().glyph('√')
	s.add("√", false, size, y)
	from := s.width
	s.math(group, size, y, script)
	s.width += 0.04 * size
	top := y + vg.Length(sign.top)*size
	s.bars = append(s.bars, box{from - 0.02*size, top - bar*size, s.width, top})
}
