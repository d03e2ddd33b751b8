package figure

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svg is a canvas of vg. The back end of gonum names fonts that few machines
// have and cannot hold a title, a description or a style for dark pages; this
// one writes absolute coordinates, plain attributes, and one style sheet that
// exchanges the colours on a dark page.
type svg struct {
	w, h  vg.Length
	body  bytes.Buffer
	stack []svgState
}

type svgState struct {
	m      [6]float64 // x' = m0 x + m2 y + m4, y' = m1 x + m3 y + m5, y upwards
	turn   float64    // rotation in degrees, for text
	width  vg.Length
	dash   []vg.Length
	colour color.Color
}

func newSVG(w, h vg.Length) *svg {
	c := &svg{w: w, h: h, stack: []svgState{{m: [6]float64{1, 0, 0, 1, 0, 0}}}}
	vg.Initialize(c)
	return c
}

func (c *svg) Size() (w, h vg.Length)                 { return c.w, c.h }
func (c *svg) now() *svgState                         { return &c.stack[len(c.stack)-1] }
func (c *svg) Push()                                  { c.stack = append(c.stack, *c.now()) }
func (c *svg) Pop()                                   { c.stack = c.stack[:len(c.stack)-1] }
func (c *svg) SetLineWidth(w vg.Length)               { c.now().width = w }
func (c *svg) SetColor(k color.Color)                 { c.now().colour = k }
func (c *svg) SetLineDash(d []vg.Length, _ vg.Length) { c.now().dash = d }

func (c *svg) Translate(p vg.Point) {
	m := &c.now().m
	m[4], m[5] = m[4]+m[0]*float64(p.X)+m[2]*float64(p.Y), m[5]+m[1]*float64(p.X)+m[3]*float64(p.Y)
}

func (c *svg) Rotate(rad float64) {
	s := c.now()
	sin, cos := math.Sincos(rad)
	m := s.m
	s.m = [6]float64{m[0]*cos + m[2]*sin, m[1]*cos + m[3]*sin, m[2]*cos - m[0]*sin, m[3]*cos - m[1]*sin, m[4], m[5]}
	s.turn -= rad * 180 / math.Pi
}

func (c *svg) Scale(float64, float64)              { panic("figure: the SVG canvas does not scale") }
func (c *svg) DrawImage(vg.Rectangle, image.Image) { panic("figure: the SVG canvas has no images") }
func (c *svg) Stroke(p vg.Path)                    { c.shape(p, false) }
func (c *svg) Fill(p vg.Path)                      { c.shape(p, true) }

func (c *svg) shape(p vg.Path, fill bool) {
	s := c.now()
	if fill {
		fmt.Fprintf(&c.body, "<path d=\"%s\" fill=\"%s\"/>\n", c.data(p), hex(s.colour))
		return
	}
	if s.width <= 0 {
		return
	}
	fmt.Fprintf(&c.body, `<path d="%s" fill="none" stroke="%s" stroke-width="%s"`, c.data(p), hex(s.colour), num(s.width))
	if len(s.dash) > 0 {
		parts := make([]string, len(s.dash))
		for i, d := range s.dash {
			parts[i] = num(d)
		}
		fmt.Fprintf(&c.body, ` stroke-dasharray="%s"`, strings.Join(parts, " "))
	}
	c.body.WriteString("/>\n")
}

func (c *svg) data(p vg.Path) string {
	var b strings.Builder
	for _, comp := range p {
		switch comp.Type {
		case vg.MoveComp:
			b.WriteString("M" + c.at(comp.Pos))
		case vg.LineComp:
			b.WriteString("L" + c.at(comp.Pos))
		case vg.ArcComp:
			// Only whole circles are drawn here: two halves, as SVG wants.
			r := num(comp.Radius)
			half := vg.Point{X: comp.Pos.X - comp.Radius, Y: comp.Pos.Y}
			full := vg.Point{X: comp.Pos.X + comp.Radius, Y: comp.Pos.Y}
			fmt.Fprintf(&b, "A%s %s 0 1 0 %sA%s %s 0 1 0 %s", r, r, c.at(half), r, r, c.at(full))
		case vg.CloseComp:
			b.WriteString("Z")
		default:
			panic("figure: the SVG canvas has no curves")
		}
	}
	return b.String()
}

// at writes a point in the coordinates of SVG, whose y grows downwards.
func (c *svg) at(p vg.Point) string {
	x, y := c.place(p)
	return num(x) + " " + num(y)
}

func (c *svg) place(p vg.Point) (x, y vg.Length) {
	m, px, py := c.now().m, float64(p.X), float64(p.Y)
	return vg.Length(m[0]*px + m[2]*py + m[4]), c.h - vg.Length(m[1]*px+m[3]*py+m[5])
}

func (c *svg) FillString(f font.Face, p vg.Point, text string) {
	if text == "" {
		return
	}
	x, y := c.place(p)
	fmt.Fprintf(&c.body, `<text x="%s" y="%s" font-size="%s" fill="%s"`, num(x), num(y), num(f.Font.Size), hex(c.now().colour))
	if f.Font.Style == xfont.StyleItalic {
		c.body.WriteString(` font-style="italic"`)
	}
	if turn := c.now().turn; turn != 0 {
		fmt.Fprintf(&c.body, ` transform="rotate(%s %s %s)"`, num(vg.Length(turn)), num(x), num(y))
	}
	// Any other font is stretched to the width that was laid out.
	if len([]rune(text)) > 1 {
		fmt.Fprintf(&c.body, ` textLength="%s" lengthAdjust="spacingAndGlyphs"`, num(f.Width(text)))
	}
	fmt.Fprintf(&c.body, " xml:space=\"preserve\">%s</text>\n", escapeXML(text))
}

// document returns the whole SVG with its title and description.
func (c *svg) document(name, title, desc string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%spt" height="%spt" viewBox="0 0 %s %s" role="img" aria-labelledby="%s-title %s-desc" font-family="'Liberation Sans', Arimo, Arial, Helvetica, 'Nimbus Sans', sans-serif">`+"\n",
		num(c.w), num(c.h), num(c.w), num(c.h), name, name)
	fmt.Fprintf(&b, "<title id=\"%s-title\">%s</title>\n<desc id=\"%s-desc\">%s</desc>\n", name, escapeXML(title), name, escapeXML(desc))
	b.WriteString("<style>@media (prefers-color-scheme: dark) {\n")
	for _, s := range swatches() {
		k := hex(s.paper)
		fmt.Fprintf(&b, "[fill=\"%s\"] { fill: %s } [stroke=\"%s\"] { stroke: %s }\n", k, s.dark, k, s.dark)
	}
	b.WriteString("}</style>\n")
	b.Write(c.body.Bytes())
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// num writes a length to a hundredth of a point, less than any eye sees.
func num(x vg.Length) string {
	text := strconv.FormatFloat(float64(x), 'f', 2, 64)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if text == "-0" || text == "" {
		return "0"
	}
	return text
}

func hex(k color.Color) string {
	n := color.NRGBAModel.Convert(k).(color.NRGBA)
	return fmt.Sprintf("#%02x%02x%02x", n.R, n.G, n.B)
}

func escapeXML(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(printable(s))
}
