package markdown

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	stdhtml "html"
	"regexp"
	"strings"
	"sync"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"mcsim/report/label"
	"mcsim/templates"
)

// Formulas are TeX between dollar signs, as code hosts read it. They were
// turned into MathML when the templates were made (templates/generate); here
// each is looked up. One that is not there, because a user's template brought
// it, is shown as its TeX.

// FontFile holds the font of the formulas. It is within the style sheet because
// Firefox loads no font files from pages that are files themselves.
const FontFile = "math.css"

// mathSet is math.json.
type mathSet struct {
	Inline  map[string]string `json:"inline"`
	Display map[string]string `json:"display"`
}

var typeset = sync.OnceValue(func() mathSet {
	var set mathSet
	data, err := templates.Math.ReadFile("math.json")
	if err == nil {
		err = json.Unmarshal(data, &set)
	}
	if err != nil {
		panic("markdown: the embedded math.json: " + err.Error())
	}
	return set
})

// Font is the style sheet with the font of the formulas.
func Font() ([]byte, error) {
	font, err := templates.Math.ReadFile("math.woff2")
	if err != nil {
		return nil, fmt.Errorf("templates: %w", err)
	}
	return fmt.Appendf(nil, `/* A subset of Latin Modern Math (GUST Font License), renamed as that licence
   asks; made by templates/generate. */
@font-face { font-family: "mcsim Math"; font-display: block; src: url("data:font/woff2;base64,%s") format("woff2"); }
math { font-family: "mcsim Math", "Latin Modern Math", "STIX Two Math", "Cambria Math", math; }
`, base64.StdEncoding.EncodeToString(font)), nil
}

// mathematics finds formulas.
var mathematics = passthrough.New(passthrough.Config{
	InlineDelimiters: []passthrough.Delimiters{{Open: "$", Close: "$"}},
	BlockDelimiters:  []passthrough.Delimiters{{Open: "$$", Close: "$$"}},
})

// renderInlineFormula writes a formula in running text.
func renderInlineFormula(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*passthrough.PassthroughInline)
	html := stdhtml.EscapeString(string(n.Segment.Value(source)))
	if isFormula(n, source) {
		html = mathML(typeset().Inline, inlineTeX(n, source))
	}
	return writeTag(w, entering, html, "")
}

// renderDisplayFormula writes a formula on its own line, with its number.
func renderDisplayFormula(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	tex, number := displayTeX(node.(*passthrough.PassthroughBlock), source)
	formula := mathML(typeset().Display, tex)
	id, name, link := "", "equation", ""
	if number != "" {
		id = fmt.Sprintf(` id="equation-%s"`, number)
		name = "equation " + number
		link = fmt.Sprintf(`<a href="#equation-%s">(%s)</a>`, number, number)
	}
	fmt.Fprintf(w, `<div class="equation"%s tabindex="0" role="group" aria-label="%s">`, id, name)
	_, _ = w.WriteString(formula + link + "</div>\n")
	return ast.WalkSkipChildren, nil
}

// mathML returns the MathML of a formula, or its TeX if it is not known.
func mathML(known map[string]string, tex string) string {
	if mathml, ok := known[tex]; ok {
		return mathml
	}
	return `<code class="tex">` + stdhtml.EscapeString(tex) + "</code>"
}

// isFormula reports whether the text between two dollars is a formula: it
// touches both of them, unlike the text between two sums of money.
func isFormula(n *passthrough.PassthroughInline, source []byte) bool {
	tex := withoutDelimiters(string(n.Segment.Value(source)), n.Delimiters)
	return tex != "" && strings.TrimSpace(tex) == tex
}

// inlineTeX is the TeX between the dollars.
func inlineTeX(n *passthrough.PassthroughInline, source []byte) string {
	return oneLine(withoutDelimiters(string(n.Segment.Value(source)), n.Delimiters))
}

// withoutDelimiters returns the text between two delimiters.
func withoutDelimiters(text string, d *passthrough.Delimiters) string {
	return strings.TrimSuffix(strings.TrimPrefix(text, d.Open), d.Close)
}

var tag = regexp.MustCompile(`\\tag\{(\d+)\}\s*$`)

// displayTeX returns a formula without the number that it may end with.
func displayTeX(n *passthrough.PassthroughBlock, source []byte) (tex, number string) {
	tex = withoutDelimiters(string(n.Lines().Value(source)), n.Delimiters)
	if m := tag.FindStringSubmatch(tex); m != nil {
		tex, number = strings.TrimSuffix(tex, m[0]), m[1]
	}
	return oneLine(tex), number
}

// oneLine writes TeX on one line.
func oneLine(tex string) string { return strings.Join(strings.Fields(tex), " ") }

// fraction and name match TeX that labels do not know and plain text writes in another way.
var (
	fraction = regexp.MustCompile(`\\t?frac\{([^{}]*)\}\{([^{}]*)\}`)
	name     = regexp.MustCompile(`\\(?:operatorname|mathsf|mathrm)\{([^{}]*)\}`)
)

// spoken writes TeX as plain text, as far as the notation of labels goes.
func spoken(tex string) string {
	tex = name.ReplaceAllString(fraction.ReplaceAllString(tex, "$1/$2"), "$1")
	tex = strings.ReplaceAll(tex, `\thinspace`, `\,`)
	if written := "$" + tex + "$"; label.Validate(written) == nil {
		return label.Plain(written)
	}
	return tex
}
