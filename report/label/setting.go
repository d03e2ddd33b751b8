package label

import (
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
)

// Piece is a run of text in one font and size, from a point of the label on.
type Piece struct {
	Text string
	Font Font
	Size vg.Length
	X, Y vg.Length
}

// Width returns the width of the run.
func (p Piece) Width() (w vg.Length) {
	for _, r := range p.Text {
		w += vg.Length(p.Font.Face().Glyph(r).Advance) * p.Size
	}
	return w
}

// Setting is a label ready to be drawn; its origin is the left end of the
// base line.
type Setting struct {
	Pieces []Piece
	Bars   []vg.Rectangle // of roots
	Width  vg.Length
	top    vg.Length // the highest point above the base line
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

// Set lays out a label in a size.
func Set(label string, size vg.Length) Setting {
	var s Setting
	for _, p := range mustParse(label) {
		if p.text != "" {
			s.add(p.text, Upright, size, 0)
		}
		s.math(p.math, size, 0, false)
	}
	return s
}

// SetBold lays out words in bold, which have no mathematics.
func SetBold(words string, size vg.Length) Setting {
	var s Setting
	s.add(words, Bold, size, 0)
	return s
}

// font returns the font of a symbol: variables are slanted.
func (n node) font() Font {
	if n.italic {
		return Slanted
	}
	return Upright
}

func WidthOf(label string, size vg.Length) vg.Length { return Set(label, size).Width }

// add appends a run of text at a height above the base line.
func (s *Setting) add(text string, font Font, size, y vg.Length) {
	p := Piece{text, font, size, s.Width, y}
	for _, r := range text {
		s.top = max(s.top, y+vg.Length(font.Face().Glyph(r).top)*size)
	}
	s.Width += p.Width()
	if n := len(s.Pieces); n > 0 {
		// One run is one word to readers who search or copy.
		last := &s.Pieces[n-1]
		sameStyle := last.Font == font && last.Size == size && last.Y == y
		if gap := p.X - last.X - last.Width(); sameStyle && -1e-9 < gap && gap < 1e-9 {
			last.Text += text
			return
		}
	}
	s.Pieces = append(s.Pieces, p)
}

// math sets symbols; a superscript that follows a subscript stands above it.
func (s *Setting) math(ns []node, size, y vg.Length, script bool) {
	var from, to vg.Length // of the scripts at one symbol
	for i, n := range ns {
		switch {
		case n.script != 0:
			if i == 0 || ns[i-1].script == 0 {
				from, to = s.Width, s.Width
			}
			s.Width = from
			rise := vg.Length(scriptRise)
			if n.script < 0 {
				rise = -scriptDrop
			}
			if other := i + 1; i > 0 && ns[i-1].script != 0 || other < len(ns) && ns[other].script != 0 {
				rise += scriptApart * vg.Length(n.script)
			}
			s.math(n.group, size*scriptSize, y+rise*size, true)
			to = max(to, s.Width)
			s.Width = to
		case n.root:
			s.root(n.group, size, y, script)
		default:
			before, after := gaps(ns, i, script)
			s.Width += before * size
			if n.text != "" {
				s.add(n.text, n.font(), size, y)
			}
			s.Width += after * size
		}
	}
}

// spaces are the spaces around symbols.
var spaces = map[class]vg.Length{
	binary: mediumSpace, relation: thickSpace, comma: thinSpace, function: thinSpace,
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
	gap := spaces[ns[i].class]
	return gap * vg.Length(utf8.RuneCountInString(b)), gap * vg.Length(utf8.RuneCountInString(a))
}

// root sets the font's sign, lifted until it is clear above the group, and a bar from
// its tip over the group.
func (s *Setting) root(group []node, size, y vg.Length, script bool) {
	const bar, clear = 0.055, 0.09
	var under Setting
	under.math(group, size, 0, script)
	sign := vg.Length(Upright.Face().Glyph('√').top) * size
	top := y + max(sign, under.top+(bar+clear)*size)
	s.add("√", Upright, size, top-sign)
	from := s.Width
	s.math(group, size, y, script)
	s.Width += 0.04 * size
	s.Bars = append(s.Bars, vg.Rectangle{
		Min: vg.Point{X: from - 0.02*size, Y: top - bar*size},
		Max: vg.Point{X: s.Width, Y: top},
	})
}
