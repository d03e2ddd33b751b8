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
	"mcsim/sim/names"
)

// svg is the canvas of an SVG. Unlike the SVGs of gonum, the file has a title and a description,
// and its labels are text, which a reader can search and copy. Labels keep the widths of the font
// in which they were laid out, even if a machine does not have this font.
type svg struct {
	w, h    vg.Length
	body    bytes.Buffer
	tooltip string // what a browser shows next to a pointer on the next paths; may be empty
}

// fonts are the font families for the labels, in order of preference, after the family of the font.
// A glyph has the same width in each of the named families.
const fonts = ", Arimo, Helvetica, Arial, sans-serif"

// fontStyles are the attributes that select a font of the family.
var fontStyles = [2]string{
	label.Upright: "",
	label.Slanted: ` font-style="italic"`,
}

func (c *svg) Fill(p vg.Path, colour color.NRGBA) {
	c.writePath(p, fmt.Sprintf(`fill="%s"%s`, hex(colour), opacity("fill", colour)))
}

func (c *svg) Stroke(p vg.Path, colour color.NRGBA, width vg.Length, dash []vg.Length) {
	attributes := fmt.Sprintf(`fill="none" stroke="%s"%s stroke-width="%s"`, hex(colour), opacity("stroke", colour),
		formatLength(width))
	if len(dash) > 0 {
		attributes += fmt.Sprintf(` stroke-dasharray="%s"`, strings.Join(names.Map(dash, formatLength), " "))
	}
	c.writePath(p, attributes)
}

// writePath writes an outline with its attributes.
func (c *svg) writePath(p vg.Path, attributes string) {
	start, rest := c.pathData(p)
	end := "/>\n"
	if c.tooltip != "" {
		end = "><title>" + html.EscapeString(c.tooltip) + "</title></path>\n"
	}
	fmt.Fprintf(&c.body, "<path d=\"m%s%s\" %s%s", start, rest, attributes, end)
}

// opacity returns the attribute for the opacity of a fill or stroke, or "" for an opaque colour.
func opacity(attribute string, colour color.NRGBA) string {
	if colour.A == 255 {
		return ""
	}
	return fmt.Sprintf(` %s-opacity="%s"`, attribute, formatLength(vg.Length(colour.A)/255))
}

func (c *svg) DrawLabel(pieces []label.Piece, origin vg.Point, rotated bool, colour color.NRGBA) {
	rotation := ""
	if rotated {
		rotation = " rotate(-90)"
	}
	fmt.Fprintf(&c.body, `<text fill="%s" transform="translate(%s %s)%s">`,
		hex(colour), formatLength(origin.X), formatLength(c.h-origin.Y), rotation)
	for _, p := range pieces {
		fmt.Fprintf(&c.body,
			`<tspan x="%s" y="%s" font-size="%s" textLength="%s" lengthAdjust="spacingAndGlyphs"%s>%s</tspan>`,
			formatLength(p.X), formatLength(-p.Y), formatLength(p.Size), formatLength(p.Width()), fontStyles[p.Font],
			html.EscapeString(p.Text))
	}
	c.body.WriteString("</text>\n")
}

// pathCommands are the commands of path data, with coordinates relative to the previous point.
var pathCommands = map[int]string{vg.MoveComp: "m", vg.LineComp: "l", vg.CurveComp: "q"}

// pathData returns the start of a path and the path data after the start. In the data, each point
// is relative to the previous one, which halves the number of characters. Points are rounded to
// hundredths before the differences are taken, so that rounding errors do not add up.
func (c *svg) pathData(p vg.Path) (start, rest string) {
	var b strings.Builder
	var previousX, previousY, startX, startY int
	origin := p[0].Pos
	hundredths := func(q vg.Point) (x, y int) {
		return int(math.Round(float64(q.X-origin.X) * 100)), int(math.Round(float64(origin.Y-q.Y) * 100))
	}
	start = formatLength(origin.X) + " " + formatLength(c.h-origin.Y)
	for n, comp := range p {
		if comp.Type == vg.CloseComp {
			b.WriteString("z")
			previousX, previousY = startX, startY
			continue
		}
		if n == 0 {
			continue
		}
		b.WriteString(pathCommands[comp.Type])
		var x, y int
		for i, q := range append(slices.Clone(comp.Control), comp.Pos) {
			x, y = hundredths(q)
			for j, step := range []int{x - previousX, y - previousY} {
				text := formatLength(vg.Length(step) / 100)
				if i+j > 0 && text[0] != '-' { // a minus sign separates numbers, too
					b.WriteString(" ")
				}
				b.WriteString(text)
			}
		}
		previousX, previousY = x, y
		if comp.Type == vg.MoveComp {
			startX, startY = x, y
		}
	}
	return start, b.String()
}

func (c *svg) Document(name, title, desc string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" `,
		formatLength(c.w), formatLength(c.h), formatLength(c.w), formatLength(c.h))
	fmt.Fprintf(&b, `font-family="%s" xml:space="preserve" role="img" aria-labelledby="%s-title %s-desc">`+"\n",
		html.EscapeString(label.Upright.Face().Family)+fonts, name, name)
	fmt.Fprintf(&b, "<title id=\"%s-title\">%s</title>\n", name, html.EscapeString(names.RemoveUnprintable(title)))
	fmt.Fprintf(&b, "<desc id=\"%s-desc\">%s</desc>\n", name, html.EscapeString(names.RemoveUnprintable(desc)))
	b.Write(c.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes(), nil
}

// formatLength writes a length rounded to a hundredth of a point, without a zero before the
// decimal point.
func formatLength(x vg.Length) string {
	text := strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(float64(x), 'f', 2, 64), "0"), ".")
	if text == "-0" {
		return "0"
	}
	if rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "-"), "0."); ok {
		return strings.TrimSuffix(text, "0."+rest) + "." + rest
	}
	return text
}

func hex(colour color.NRGBA) string {
	return fmt.Sprintf("#%02x%02x%02x", colour.R, colour.G, colour.B)
}
