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

// Formulas are TeX between dollar signs, as on code hosts. The command templates/generate converts
// the formulas of the embedded templates into MathML. Other formulas, which only a user's templates
// can have, are shown as TeX.

// FontFile is the style sheet with the font of the formulas. It contains the font, since Firefox
// does not load font files from pages that are local files.
const FontFile = "math.css"

// mathSet is the contents of math.json, which maps TeX to MathML.
type mathSet struct {
	Inline  map[string]string `json:"inline"`
	Display map[string]string `json:"display"`
}

var typesetFormulas = sync.OnceValue(func() mathSet {
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

// Font returns the contents of FontFile.
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

// formulaExtension is the extension that parses formulas.
var formulaExtension = passthrough.New(passthrough.Config{
	InlineDelimiters: []passthrough.Delimiters{{Open: "$", Close: "$"}},
	BlockDelimiters:  []passthrough.Delimiters{{Open: "$$", Close: "$$"}},
})

func renderInlineFormula(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*passthrough.PassthroughInline)
	html := stdhtml.EscapeString(string(n.Segment.Value(source)))
	if isFormula(n, source) {
		html = lookUpMathML(typesetFormulas().Inline, inlineTeX(n, source))
	}
	return writeTag(w, entering, html, "")
}

// renderDisplayFormula writes a formula on a separate line with its number.
func renderDisplayFormula(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	tex, number := displayTeX(node.(*passthrough.PassthroughBlock), source)
	formula := lookUpMathML(typesetFormulas().Display, tex)
	id, ariaLabel, link := "", "equation", ""
	if number != "" {
		id = fmt.Sprintf(` id="equation-%s"`, number)
		ariaLabel = "equation " + number
		link = fmt.Sprintf(`<a href="#equation-%s">(%s)</a>`, number, number)
	}
	fmt.Fprintf(w, `<div class="equation"%s tabindex="0" role="group" aria-label="%s">`, id, ariaLabel)
	_, _ = w.WriteString(formula + link + "</div>\n")
	fmt.Fprintf(w, "<details class=\"copy-tex\"><summary>TeX</summary><code>%s</code></details>\n", stdhtml.EscapeString(tex))
	return ast.WalkSkipChildren, nil
}

// lookUpMathML returns the MathML of a formula, or its TeX if the formula is not known.
func lookUpMathML(known map[string]string, tex string) string {
	if mathml, ok := known[tex]; ok {
		return mathml
	}
	return `<code class="tex">` + stdhtml.EscapeString(tex) + "</code>"
}

// isFormula reports whether the text between two dollars is a formula, and not the text between two
// prices. A formula has no space after the first dollar, nor before the second.
func isFormula(n *passthrough.PassthroughInline, source []byte) bool {
	tex := trimDelimiters(string(n.Segment.Value(source)), n.Delimiters)
	return tex != "" && strings.TrimSpace(tex) == tex
}

func inlineTeX(n *passthrough.PassthroughInline, source []byte) string {
	return joinLines(trimDelimiters(string(n.Segment.Value(source)), n.Delimiters))
}

func trimDelimiters(text string, d *passthrough.Delimiters) string {
	return strings.TrimSuffix(strings.TrimPrefix(text, d.Open), d.Close)
}

var equationNumber = regexp.MustCompile(`\\tag\{(\d+)\}\s*$`)

// displayTeX returns the TeX of a formula without its number, and the number, which may be "".
func displayTeX(n *passthrough.PassthroughBlock, source []byte) (tex, number string) {
	tex = trimDelimiters(string(n.Lines().Value(source)), n.Delimiters)
	if m := equationNumber.FindStringSubmatch(tex); m != nil {
		tex, number = strings.TrimSuffix(tex, m[0]), m[1]
	}
	return joinLines(tex), number
}

// joinLines writes TeX on one line.
func joinLines(tex string) string { return strings.Join(strings.Fields(tex), " ") }

// fractionPattern and namePattern match the commands that plainTeX replaces, since the notation of
// labels does not have all of them.
var (
	fractionPattern = regexp.MustCompile(`\\t?frac\{([^{}]*)\}\{([^{}]*)\}`)
	namePattern     = regexp.MustCompile(`\\(?:operatorname|mathsf|mathrm)\{([^{}]*)\}`)
)

// plainTeX writes TeX as plain text if the notation of labels can express it. Otherwise it leaves
// most of the TeX as it is.
func plainTeX(tex string) string {
	tex = namePattern.ReplaceAllString(fractionPattern.ReplaceAllString(tex, "$1/$2"), "$1")
	tex = strings.ReplaceAll(tex, `\thinspace`, `\,`)
	if formula := "$" + tex + "$"; label.Validate(formula) == nil {
		return label.Plain(formula)
	}
	return tex
}
