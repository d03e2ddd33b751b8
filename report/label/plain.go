package label

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Plain writes a label as plain text for descriptions, metadata and the pages: d_k, d_k^(1−2p),
// √(d_k/2), 1 − 2p.
func Plain(label string) string {
	var b strings.Builder
	for _, p := range mustParse(label) {
		b.WriteString(p.text)
		b.WriteString(plainMath(p.math, false))
	}
	return b.String()
}

// plainMath writes symbols as plain text. In a script, they have no spaces between them.
func plainMath(ns []node, inScript bool) string {
	var b strings.Builder
	for i, n := range ns {
		before, after := "", ""
		if !inScript {
			before, after = spacesAround(ns, i)
		}
		b.WriteString(before)
		inner := plainMath(n.children, inScript || n.script != 0)
		if n.script != 0 && utf8.RuneCountInString(inner) > 1 || n.isRoot && !isSingleSymbol(n.children) {
			inner = "(" + inner + ")"
		}
		switch {
		case n.script != 0:
			mark := "^"
			if n.script < 0 {
				mark = "_"
			}
			b.WriteString(mark + inner)
		case n.isRoot:
			b.WriteString("√" + inner)
		case n.class == space:
			b.WriteString(" ")
		default:
			b.WriteString(n.text)
		}
		b.WriteString(after)
	}
	return b.String()
}

// spacesAround returns the spaces before and after the i-th symbol in plain text.
func spacesAround(ns []node, i int) (before, after string) {
	switch ns[i].class {
	case binary:
		if isUnary(ns, i) {
			return "", ""
		}
		return " ", " "
	case relation:
		return " ", " "
	case comma:
		return "", " "
	case function:
		if i+1 < len(ns) && (ns[i+1].class == ordinary || ns[i+1].class == function) && ns[i+1].script == 0 {
			return "", " "
		}
	}
	return "", ""
}

// isUnary reports whether the i-th symbol, a sign, has no left operand.
func isUnary(ns []node, i int) bool {
	return i == 0 || slices.Contains([]class{binary, relation, comma, opening}, ns[i-1].class)
}

// isSingleSymbol reports whether a group is one symbol with its scripts.
func isSingleSymbol(ns []node) bool {
	return len(ns) < 2 || !slices.ContainsFunc(ns[1:], func(n node) bool { return n.script == 0 })
}

// latexSigns are characters that LaTeX's text fonts do not have, with their commands in
// mathematics.
var latexSigns = [][2]string{
	{"−", "-"}, {"±", `\pm`}, {"·", `\cdot`}, {"×", `\times`}, {"≤", `\le`}, {"≥", `\ge`}, {"≈", `\approx`},
	{"≠", `\ne`}, {"√", `\surd`}, {"∞", `\infty`}, {"†", `\dagger`}, {"α", `\alpha`}, {"β", `\beta`},
	{"γ", `\gamma`}, {"κ", `\kappa`}, {"σ", `\sigma`}, {"ρ", `\rho`}, {"τ", `\tau`},
}

// latexText replaces signs and characters that LaTeX reads as markup in text. latexMath replaces
// signs in mathematics.
var latexText, latexMath = func() (text, math *strings.Replacer) {
	inText := []string{
		`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `_`, `\_`, `%`, `\%`,
		`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`,
		"|", `\textbar{}`, "\u202f", `\,`, "\u00a0", `~`, "“", "``", "”", "''", "’", "'", "–", "--",
		"…", `\ldots{}`, "□", "?", "\ufffd", "?",
	}
	inMath := []string{"−", "-", "\u202f", `\,`, "\u00a0", `~`}
	for _, s := range latexSigns {
		inText = append(inText, s[0], "$"+s[1]+"$")
		inMath = append(inMath, s[0], s[1]+" ")
	}
	return strings.NewReplacer(inText...), strings.NewReplacer(inMath...)
}()

// adjacentFormulas matches the dollars between two adjacent formulas.
var adjacentFormulas = regexp.MustCompile(`([^\\])\$\$`)

// LaTeX writes a label as LaTeX that every engine accepts.
func LaTeX(label string) string {
	var b strings.Builder
	for _, p := range mustParse(label) {
		if p.source != "" {
			b.WriteString("$" + latexMath.Replace(p.source) + "$")
		}
		b.WriteString(SuperscriptsToMath(latexText.Replace(p.text)))
	}
	return adjacentFormulas.ReplaceAllString(b.String(), "$1 ")
}
