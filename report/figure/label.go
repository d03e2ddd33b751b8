package figure

import (
	"image/color"
	"math"
	"strings"
	"sync"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"
)

// Labels are written in a small notation: *x* is italic, _{x} below, ^{x}
// above the line, and a backslash takes the next character as it is.

const textSize = vg.Length(8)

// literal writes a string of the plan so that a label shows it as it is.
func literal(s string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `_`, `\_`, `^`, `\^`, `{`, `\{`, `}`, `\}`).Replace(printable(s))
}

// printable drops what neither a font nor XML can hold.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
}

// run is a piece of a label in one font at one height.
type run struct {
	text   string
	italic bool
	shift  int // -1 below, +1 above the line
}

func runs(label string) []run {
	var out []run
	var now run
	flush := func() {
		if now.text != "" {
			out = append(out, now)
		}
		now.text = ""
	}
	rs := []rune(label)
	for i := 0; i < len(rs); i++ {
		next := func() rune {
			if i+1 < len(rs) {
				return rs[i+1]
			}
			return 0
		}()
		switch r := rs[i]; {
		case r == '\\' && next != 0:
			now.text += string(next)
			i++
		case r == '*':
			flush()
			now.italic = !now.italic
		case (r == '_' || r == '^') && next == '{':
			flush()
			now.shift = map[rune]int{'_': -1, '^': 1}[r]
			i++
		case r == '}' && now.shift != 0:
			flush()
			now.shift = 0
		default:
			now.text += string(r)
		}
	}
	flush()
	return out
}

var fonts = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

func (r run) face(size vg.Length) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if r.italic {
		f.Style = xfont.StyleItalic
	}
	if r.shift != 0 {
		size *= 0.72
	}
	return fonts().Lookup(f, size)
}

func (r run) rise(size vg.Length) vg.Length {
	return size * map[int]vg.Length{-1: -0.18, 0: 0, 1: 0.36}[r.shift]
}

// widthOf returns how wide a label is.
func widthOf(label string, size vg.Length) vg.Length {
	var w vg.Length
	for _, r := range runs(label) {
		f := r.face(size)
		w += f.Width(r.text)
	}
	return w
}

// write draws a label with the given part of its width to the left of at:
// 0 starts there, 0.5 is centred, 1 ends there.
func write(c vg.Canvas, label string, at vg.Point, part float64, colour color.Color) {
	c.SetColor(colour)
	x := at.X - vg.Length(part)*widthOf(label, textSize)
	for _, r := range runs(label) {
		f := r.face(textSize)
		c.FillString(f, vg.Point{X: x, Y: at.Y + r.rise(textSize)}, r.text)
		x += f.Width(r.text)
	}
}

// writeUp draws a label from below to above, centred at the given point.
func writeUp(c vg.Canvas, label string, at vg.Point, colour color.Color) {
	c.Push()
	c.Translate(at)
	c.Rotate(math.Pi / 2)
	write(c, label, vg.Point{}, 0.5, colour)
	c.Pop()
}
