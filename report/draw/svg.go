package draw

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

// svg is a canvas. The back end of gonum names fonts that few machines have,
// and cannot hold a title or a description; this one writes glyphs as
// outlines, each once, so that a figure looks the same everywhere.
type svg struct {
	w, h   vg.Length
	body   bytes.Buffer
	glyphs []string // definitions, in the order of their first use
	known  map[string]bool
}

func (c *svg) Fill(p vg.Path, k color.NRGBA) {
	fmt.Fprintf(&c.body, "<path d=\"%s\" fill=\"%s\"%s/>\n", c.data(p), hex(k), opacity("fill", k))
}

func (c *svg) Stroke(p vg.Path, k color.NRGBA, width vg.Length, dash []vg.Length) {
	fmt.Fprintf(&c.body, `<path d="%s" fill="none" stroke="%s"%s stroke-width="%s"`, c.data(p), hex(k), opacity("stroke", k), num(width))
	if len(dash) > 0 {
		parts := make([]string, len(dash))
		for i, d := range dash {
			parts[i] = num(d)
		}
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s"`, strings.Join(parts, " "))
	}
	c.body.WriteString("/>\n")
}

// opacity writes the transparency of a colour as an attribute, where it has
// one.
func opacity(of string, k color.NRGBA) string {
	if k.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, of, num(vg.Length(k.A)/255))
}

// upem is how many units of a glyph's definition make one em: with it the
// coordinates are whole numbers.
const upem = 2048

func (c *svg) Words(ps []label.Piece, at vg.Point, up bool, k color.NRGBA) {
	for _, p := range ps {
		from := Place(at, up, p.X, p.Y)
		turn := ""
		if up {
			turn = " rotate(-90)"
		}
		fmt.Fprintf(&c.body, `<g fill="%s" transform="translate(%s %s)%s scale(%s)">`, hex(k), num(from.X), num(c.h-from.Y), turn,
			strconv.FormatFloat(float64(p.Size)/upem, 'g', 5, 64))
		var x float64
		for _, r := range p.Text {
			g := p.Font.Face().Glyph(r)
			if len(g.Path) > 0 {
				fmt.Fprintf(&c.body, `<use xlink:href="#%s" x="%s"/>`, c.define(r, p.Font, g), strconv.FormatFloat(x, 'f', 0, 64))
			}
			x += g.Advance * upem
		}
		c.body.WriteString("</g>\n")
	}
}

// define returns the name of a glyph's outline. A name says which glyph it
// is, so figures that meet in one page agree.
func (c *svg) define(r rune, font label.Font, g label.Outline) string {
	name := fmt.Sprintf("%c%x", "uib"[font], r) // upright, italic, bold
	if !c.known[name] {
		c.known[name] = true
		units := Transform(g.Path, func(p vg.Point) vg.Point { return vg.Point{X: p.X * upem, Y: -p.Y * upem} })
		c.glyphs = append(c.glyphs, fmt.Sprintf("<path id=\"%s\" d=\"%s\"/>\n", name, pathData(units, 1)))
	}
	return name
}

// data writes a path with y downwards, as SVG has it.
func (c *svg) data(p vg.Path) string {
	return pathData(Transform(p, func(q vg.Point) vg.Point { return vg.Point{X: q.X, Y: c.h - q.Y} }), 100)
}

// pathData writes a path in the given parts of a unit, each point relative to
// the one before, which takes half the characters. The parts are whole, so no
// error adds up.
func pathData(p vg.Path, parts float64) string {
	var b strings.Builder
	var nowX, nowY, startX, startY int
	whole := func(q vg.Point) (x, y int) {
		return int(math.Round(float64(q.X) * parts)), int(math.Round(float64(q.Y) * parts))
	}
	for _, comp := range p {
		if comp.Type == vg.CloseComp {
			b.WriteString("z")
			nowX, nowY = startX, startY
			continue
		}
		b.WriteString(map[int]string{vg.MoveComp: "m", vg.LineComp: "l", vg.CurveComp: "q"}[comp.Type])
		var x, y int
		for i, q := range append(slices.Clone(comp.Control), comp.Pos) {
			x, y = whole(q)
			for j, step := range []int{x - nowX, y - nowY} {
				text := num(vg.Length(float64(step) / parts))
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
	return b.String()
}

func (c *svg) Document(name, title, desc string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%spt" height="%spt" viewBox="0 0 %s %s" role="img" aria-labelledby="%s-title %s-desc">`+"\n",
		num(c.w), num(c.h), num(c.w), num(c.h), name, name)
	fmt.Fprintf(&b, "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n", name, html.EscapeString(label.Printable(title)), name, html.EscapeString(label.Printable(desc)))
	if len(c.glyphs) > 0 {
		b.WriteString("<defs>\n" + strings.Join(c.glyphs, "") + "</defs>\n")
	}
	b.Write(c.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// num writes a length to a hundredth of a point, less than any eye sees. SVG needs no zero
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
