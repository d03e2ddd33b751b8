package figure

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"mcsim/report/label"
)

// svg is a canvas. The back end of gonum cannot write a title or a description. This one
// writes words as text, which can be searched and copied, with the widths of the font in which labels
// were laid out, even if a machine lacks the font.
type svg struct {
	w, h     vg.Length
	body     bytes.Buffer
	outlines map[string]string // names of those that are shared
	defined  []string          // the same, in the order of their first use
}

// fonts are some of the same widths, most likely first.
const fonts = "Liberation Sans, Arimo, Helvetica, Arial, sans-serif"

// fontStyles are attributes that select a font of the family.
var fontStyles = [3]string{
	label.Upright: "",
	label.Slanted: ` font-style="italic"`,
	label.Bold:    ` font-weight="bold"`,
}

func (c *svg) Fill(p vg.Path, k color.NRGBA) {
	c.path(p, fmt.Sprintf(`fill="%s"%s`, hex(k), opacity("fill", k)))
}

func (c *svg) Stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length) {
	look := fmt.Sprintf(`fill="none" stroke="%s"%s stroke-width="%s"`, hex(k), opacity("stroke", k), num(width))
	if len(dash) > 0 {
		parts := make([]string, len(dash))
		for i, d := range dash {
			parts[i] = num(d)
		}
		look += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(parts, " "))
	}
	c.path(p, look)
}

// minShared is the length from which on an outline is written once, and then used by its name.
const minShared = 40

// path writes an outline with its attributes.
func (c *svg) path(p vg.Path, look string) {
	start, rest := c.data(p)
	if len(rest) < minShared {
		fmt.Fprintf(&c.body, "<path d=\"m%s%s\" %s/>\n", start, rest, look)
		return
	}
	id, known := c.outlines[rest]
	if !known {
		id = fmt.Sprintf("o%d", len(c.outlines))
		c.outlines[rest] = id
		c.defined = append(c.defined, fmt.Sprintf("<path id=\"%s\" d=\"m0 0%s\"/>\n", id, rest))
	}
	x, y, _ := strings.Cut(start, " ")
	fmt.Fprintf(&c.body, "<use href=\"#%s\" x=\"%s\" y=\"%s\" %s/>\n", id, x, y, look)
}

// opacity writes the transparency of a colour as an attribute, if it has one.
func opacity(of string, k color.NRGBA) string {
	if k.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, of, num(vg.Length(k.A)/255))
}

func (c *svg) Words(ps []label.Piece, at vg.Point, up bool, k color.NRGBA) {
	turn := ""
	if up {
		turn = " rotate(-90)"
	}
	fmt.Fprintf(&c.body, `<text fill="%s" transform="translate(%s %s)%s">`, hex(k), num(at.X), num(c.h-at.Y), turn)
	for _, p := range ps {
		fmt.Fprintf(&c.body,
			`<tspan x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</tspan>`,
			num(p.X), num(-p.Y), num(p.Size), num(p.Width()), fontStyles[p.Font], html.EscapeString(p.Text))
	}
	c.body.WriteString("</text>\n")
}

// data writes a path with y downwards: its start, and the rest in hundredths of a unit, each point
// relative to the one before, which takes half the characters. The hundredths are whole, so rounding
// errors do not add up.
func (c *svg) data(p vg.Path) (start, rest string) {
	var b strings.Builder
	var nowX, nowY, startX, startY int
	origin := p[0].Pos
	whole := func(q vg.Point) (x, y int) {
		return int(math.Round(float64(q.X-origin.X) * 100)), int(math.Round(float64(origin.Y-q.Y) * 100))
	}
	start = num(origin.X) + " " + num(c.h-origin.Y)
	for n, comp := range p {
		if comp.Type == vg.CloseComp {
			b.WriteString("z")
			nowX, nowY = startX, startY
			continue
		}
		if n == 0 {
			continue
		}
		b.WriteString(map[int]string{vg.MoveComp: "m", vg.LineComp: "l", vg.CurveComp: "q"}[comp.Type])
		var x, y int
		for i, q := range append(slices.Clone(comp.Control), comp.Pos) {
			x, y = whole(q)
			for j, step := range []int{x - nowX, y - nowY} {
				text := num(vg.Length(step) / 100)
				if i+j > 0 && text[0] != '-' {
					b.WriteString(" ")
				}
				b.WriteString(text)
			}
		}
		nowX, nowY = x, y
		if comp.Type == vg.MoveComp {
			startX, startY = x, y
		}
	}
	return start, b.String()
}

func (c *svg) Document(name, title, desc string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" `,
		num(c.w), num(c.h), num(c.w), num(c.h))
	fmt.Fprintf(&b, `font-family="%s" xml:space="preserve" role="img" aria-labelledby="%s-title %s-desc">`+"\n",
		fonts, name, name)
	fmt.Fprintf(&b, "<title id=\"%s-title\">%s</title>\n", name, html.EscapeString(label.RemoveUnprintable(title)))
	fmt.Fprintf(&b, "<desc id=\"%s-desc\">%s</desc>\n", name, html.EscapeString(label.RemoveUnprintable(desc)))
	if len(c.defined) > 0 {
		b.WriteString("<defs>\n" + strings.Join(c.defined, "") + "</defs>\n")
	}
	b.Write(c.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// num writes a length to a hundredth of a point, which is not visible. SVG needs no zero
// before the point.
func num(x vg.Length) string {
	text := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(float64(x), 'f', 2, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "-"), "0."); ok {
		return strings.TrimSuffix(text, "0."+rest) + "." + rest
	}
	return text
}

func hex(k color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", k.R, k.G, k.B) }
