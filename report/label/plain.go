package label

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Plain writes a label as plain text for descriptions, metadata and the pages, such as d_k,
// d_k^(1−2p), √(d_k/2) or 1 − 2p. It panics if the notation does not allow the label.
func Plain(label string) string {
	var b strings.Builder
	for _, p := range mustParse(label) {
		b.WriteString(p.text)
		b.WriteString(plainMath(p.math, false))
	}
	return b.String()
}

// plainMath writes symbols as plain text. In a script, it does not write spaces around signs.
func plainMath(nodes []node, inScript bool) string {
	var b strings.Builder
	for i, n := range nodes {
		before, after := "", ""
		if !inScript {
			before, after = spacesAround(nodes, i)
		}
		b.WriteString(before)
		inner := plainMath(n.children, inScript || n.script != 0)
		isLongScript := n.script != 0 && utf8.RuneCountInString(inner) > 1
		isLongRoot := n.isRoot && !isSingleSymbol(n.children)
		if isLongScript || isLongRoot {
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

// spacesAround returns the spaces before and after the i-th symbol in plain text. A function has a
// space after it only if its argument follows without a bracket.
func spacesAround(nodes []node, i int) (before, after string) {
	switch nodes[i].class {
	case binary:
		if isUnary(nodes, i) {
			return "", ""
		}
		return " ", " "
	case relation:
		return " ", " "
	case comma:
		return "", " "
	case function:
		if i+1 == len(nodes) {
			break
		}
		next := nodes[i+1]
		isArgument := next.class == ordinary || next.class == function
		if isArgument && next.script == 0 {
			return "", " "
		}
	}
	return "", ""
}

// isUnary reports whether the i-th symbol, such as a minus sign, does not have a left operand.
func isUnary(nodes []node, i int) bool {
	return i == 0 || slices.Contains([]class{binary, relation, comma, opening}, nodes[i-1].class)
}

// isSingleSymbol reports whether a group is empty, or one symbol with its scripts.
func isSingleSymbol(nodes []node) bool {
	return len(nodes) < 2 || !slices.ContainsFunc(nodes[1:], func(n node) bool { return n.script == 0 })
}

// latexSigns are pairs of a character that LaTeX's text fonts do not have, and its command in
// mathematics.
var latexSigns = [][2]string{
	{"−", "-"}, {"±", `\pm`}, {"·", `\cdot`}, {"×", `\times`}, {"≤", `\le`}, {"≥", `\ge`}, {"≈", `\approx`},
	{"≠", `\ne`}, {"√", `\surd`}, {"∞", `\infty`}, {"†", `\dagger`}, {"α", `\alpha`}, {"β", `\beta`},
	{"γ", `\gamma`}, {"κ", `\kappa`}, {"σ", `\sigma`}, {"ρ", `\rho`}, {"τ", `\tau`},
}

// latexText replaces, in text, the latexSigns and the characters that LaTeX reads as markup.
// latexMath replaces the latexSigns in mathematics.
var latexText, latexMath = func() (text, math *strings.Replacer) {
	inText := []string{ // pairs of a character and its replacement
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

// adjacentFormulas matches the dollars between two adjacent formulas, and the character before
// them.
var adjacentFormulas = regexp.MustCompile(`([^\\])\$\$`)

// LaTeX writes a label as LaTeX that every engine accepts. It panics if the notation does not allow
// the label.
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
