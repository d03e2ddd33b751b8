package label

import "gonum.org/v1/plot/vg"

// Piece is a run of text in one font and size.
type Piece struct {
	Text string
	Font Font
	Size vg.Length
	X, Y vg.Length // left end of the base line of the piece
}

func (p Piece) Width() (w vg.Length) {
	for _, r := range p.Text {
		w += vg.Length(p.Font.Face().Glyph(r).Advance) * p.Size
	}
	return w
}

// Layout is a label that is ready to be drawn. Its origin is the left end of the label's base line.
type Layout struct {
	Pieces []Piece
	Bars   []vg.Rectangle // bars of roots
	Width  vg.Length
	top    vg.Length // height of the label's highest point above the base line
}

// Sizes and heights of scripts, and spaces, in units of the em. They are the values of the plain
// format of TeX, rounded.
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

// font returns the font of a symbol: variables are slanted.
func (n node) font() Font {
	if n.italic {
		return Slanted
	}
	return Upright
}

// Width returns the width of a label whose em has the given size.
func Width(label string, size vg.Length) vg.Length { return Typeset(label, size).Width }

// addText appends a run of text at the height y above the base line.
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
		const maxRoundingError = 1e-9
		if gap := p.X - last.X - last.Width(); sameStyle && -maxRoundingError < gap && gap < maxRoundingError {
			last.Text += text
			return
		}
	}
	s.Pieces = append(s.Pieces, p)
}

// addMath appends symbols at the height y above the base line. If a symbol has two scripts, the
// second starts at the same x as the first.
func (s *Layout) addMath(nodes []node, size, y vg.Length, inScript bool) {
	var scriptStart, scriptEnd vg.Length // horizontal extent of the scripts of one symbol
	for i, n := range nodes {
		switch {
		case n.script != 0:
			isSecond := i > 0 && nodes[i-1].script != 0
			hasSecond := i+1 < len(nodes) && nodes[i+1].script != 0
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
			before, after := gapsAround(nodes, i, inScript)
			s.Width += before * size
			if n.text != "" {
				s.addText(n.text, n.font(), size, y)
			}
			s.Width += after * size
		}
	}
}

// spaces are the widths of the spaces around symbols, in units of the em.
var spaces = map[class]vg.Length{
	binary: mediumSpace, relation: thickSpace, comma: thinSpace, function: thinSpace,
}

// gapsAround returns the widths of the spaces around the i-th symbol, in units of the em. In
// scripts, only the explicit space `\,` has a width.
func gapsAround(nodes []node, i int, inScript bool) (before, after vg.Length) {
	if nodes[i].class == space {
		return thinSpace, 0
	}
	if inScript {
		return 0, 0
	}
	// The same symbols have spaces as in plain text.
	plainBefore, plainAfter := spacesAround(nodes, i)
	if plainBefore != "" {
		before = spaces[nodes[i].class]
	}
	if plainAfter != "" {
		after = spaces[nodes[i].class]
	}
	return before, after
}

// addRoot appends the font's root sign, and then the group below a bar. If the group is high, the
// sign and the bar are raised.
func (s *Layout) addRoot(group []node, size, y vg.Length, inScript bool) {
	const ( // in units of the em
		barHeight = 0.055
		clearance = 0.09 // between the group and the bar
		overlap   = 0.02 // of the bar and the sign
		overhang  = 0.04 // of the bar after the group
	)
	var contents Layout
	contents.addMath(group, size, 0, inScript)
	signTop := vg.Length(Upright.Face().Glyph('√').height) * size
	top := y + max(signTop, contents.top+(barHeight+clearance)*size)
	s.addText("√", Upright, size, top-signTop)
	barStart := s.Width
	s.addMath(group, size, y, inScript)
	s.Width += overhang * size
	s.Bars = append(s.Bars, vg.Rectangle{
		Min: vg.Point{X: barStart - overlap*size, Y: top - barHeight*size},
		Max: vg.Point{X: s.Width, Y: top},
	})
}
