package label

import (
	"unicode/utf8"

	"gonum.org/v1/plot/vg"
)

// Piece is a run of text in one font and size.
type Piece struct {
	Text string
	Font Font
	Size vg.Length
	X, Y vg.Length // left end of its base line
}

func (p Piece) Width() (w vg.Length) {
	for _, r := range p.Text {
		w += vg.Length(p.Font.Face().Glyph(r).Advance) * p.Size
	}
	return w
}

// Layout is a label that is ready to be drawn. Its origin is the left end of the base line.
type Layout struct {
	Pieces []Piece
	Bars   []vg.Rectangle // bars of roots
	Width  vg.Length
	top    vg.Length // height of its highest point above the base line
}

// Sizes and heights of scripts, and spaces, in units of the em. They are those of the
// plain format of TeX, rounded.
const (
	scriptSize       = 0.72
	scriptDrop       = 0.18
	scriptRise       = 0.36
	scriptSeparation = 0.13 // added to both heights if a symbol has two scripts
	mediumSpace      = 0.2
	thickSpace       = 0.26
	thinSpace        = 0.16
)

// Typeset lays out a label whose em has the given size. It panics if the notation does not allow
// the label.
func Typeset(label string, size vg.Length) Layout {
	var s Layout
	for _, p := range mustParse(label) {
		if p.text != "" {
			s.addText(p.text, Upright, size, 0)
		}
		s.addMath(p.math, size, 0, false)
	}
	return s
}

// TypesetBold lays out bold words, which are not in the notation.
func TypesetBold(words string, size vg.Length) Layout {
	var s Layout
	s.addText(words, Bold, size, 0)
	return s
}

// font returns the font of a symbol: variables are slanted.
func (n node) font() Font {
	if n.italic {
		return Slanted
	}
	return Upright
}

// Width returns the width of a label whose em has the given size.
func Width(label string, size vg.Length) vg.Length { return Typeset(label, size).Width }

// addText appends a run of text at a height above the base line.
func (s *Layout) addText(text string, font Font, size, y vg.Length) {
	p := Piece{text, font, size, s.Width, y}
	for _, r := range text {
		s.top = max(s.top, y+vg.Length(font.Face().Glyph(r).height)*size)
	}
	s.Width += p.Width()
	if n := len(s.Pieces); n > 0 {
		// Adjacent pieces of one style become one piece, so that readers can search and copy whole
		// words.
		last := &s.Pieces[n-1]
		sameStyle := last.Font == font && last.Size == size && last.Y == y
		if gap := p.X - last.X - last.Width(); sameStyle && -1e-9 < gap && gap < 1e-9 {
			last.Text += text
			return
		}
	}
	s.Pieces = append(s.Pieces, p)
}

// addMath appends symbols. A superscript that follows a subscript is above it.
func (s *Layout) addMath(ns []node, size, y vg.Length, inScript bool) {
	var scriptStart, scriptEnd vg.Length // horizontal extent of the scripts of one symbol
	for i, n := range ns {
		switch {
		case n.script != 0:
			isSecond := i > 0 && ns[i-1].script != 0
			hasSecond := i+1 < len(ns) && ns[i+1].script != 0
			if !isSecond {
				scriptStart, scriptEnd = s.Width, s.Width
			}
			s.Width = scriptStart
			rise := vg.Length(scriptRise)
			if n.script < 0 {
				rise = -scriptDrop
			}
			if isSecond || hasSecond {
				rise += scriptSeparation * vg.Length(n.script)
			}
			s.addMath(n.children, size*scriptSize, y+rise*size, true)
			scriptEnd = max(scriptEnd, s.Width)
			s.Width = scriptEnd
		case n.isRoot:
			s.addRoot(n.children, size, y, inScript)
		default:
			before, after := gapsAround(ns, i, inScript)
			s.Width += before * size
			if n.text != "" {
				s.addText(n.text, n.font(), size, y)
			}
			s.Width += after * size
		}
	}
}

// spaces are the spaces around symbols.
var spaces = map[class]vg.Length{
	binary: mediumSpace, relation: thickSpace, comma: thinSpace, function: thinSpace,
}

// gapsAround returns the space around the i-th symbol, in units of the em. Scripts have no spaces.
func gapsAround(ns []node, i int, inScript bool) (before, after vg.Length) {
	if ns[i].class == space {
		return thinSpace, 0
	}
	if inScript {
		return 0, 0
	}
	b, a := spacesAround(ns, i)
	gap := spaces[ns[i].class]
	return gap * vg.Length(utf8.RuneCountInString(b)), gap * vg.Length(utf8.RuneCountInString(a))
}

// addRoot appends the font's root sign, raised until it is higher than the group, and the group
// under a bar.
func (s *Layout) addRoot(group []node, size, y vg.Length, inScript bool) {
	const barHeight, clearance = 0.055, 0.09 // in units of the em
	var contents Layout
	contents.addMath(group, size, 0, inScript)
	signTop := vg.Length(Upright.Face().Glyph('√').height) * size
	top := y + max(signTop, contents.top+(barHeight+clearance)*size)
	s.addText("√", Upright, size, top-signTop)
	barStart := s.Width
	s.addMath(group, size, y, inScript)
	s.Width += 0.04 * size
	s.Bars = append(s.Bars, vg.Rectangle{
		Min: vg.Point{X: barStart - 0.02*size, Y: top - barHeight*size},
		Max: vg.Point{X: s.Width, Y: top},
	})
}
