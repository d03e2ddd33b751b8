package label

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Plain writes a label as text that reads well by itself, for descriptions,
// metadata and the pages: d_k, d_k^(1−2p), √(d_k/2), 1 − 2p.
func Plain(label string) string {
	var b strings.Builder
	for _, p := range mustParse(label) {
		b.WriteString(p.text)
		b.WriteString(flat(p.math, false))
	}
	return b.String()
}

// flat writes symbols as text; in a script they have no spaces.
func flat(ns []node, inScript bool) string {
	var b strings.Builder
	for i, n := range ns {
		before, after := "", ""
		if !inScript {
			before, after = around(ns, i)
		}
		b.WriteString(before)
		inner := flat(n.group, inScript || n.script != 0)
		if n.script != 0 && utf8.RuneCountInString(inner) > 1 || n.root && !single(n.group) {
			inner = "(" + inner + ")"
		}
		switch {
		case n.script != 0:
			b.WriteString(map[int]string{-1: "_", 1: "^"}[n.script] + inner)
		case n.root:
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

// around returns the spaces that plain text has around a symbol.
func around(ns []node, i int) (before, after string) {
	switch ns[i].class {
	case binary:
		if unary(ns, i) {
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

// unary reports whether nothing stands before a sign that it could join.
func unary(ns []node, i int) bool {
	return i == 0 || slices.Contains([]class{binary, relation, comma, opening}, ns[i-1].class)
}

// single reports whether a group is one symbol with its scripts.
func single(ns []node) bool {
	return len(ns) < 2 || !slices.ContainsFunc(ns[1:], func(n node) bool { return n.script == 0 })
}

// signs are characters that LaTeX's text fonts lack, with their commands in mathematics.
var signs = [][2]string{
	{"−", "-"}, {"±", `\pm`}, {"·", `\cdot`}, {"×", `\times`}, {"≤", `\le`}, {"≥", `\ge`}, {"≈", `\approx`},
	{"≠", `\ne`}, {"√", `\surd`}, {"∞", `\infty`}, {"†", `\dagger`}, {"α", `\alpha`}, {"β", `\beta`},
	{"γ", `\gamma`}, {"κ", `\kappa`}, {"σ", `\sigma`}, {"ρ", `\rho`}, {"τ", `\tau`},
}

// latexText replaces signs, and characters that LaTeX reads as markup, in text; latexMath replaces
// signs in mathematics.
var latexText, latexMath = func() (text, math *strings.Replacer) {
	inText := []string{
		`\`, `\textbackslash{}`, `{`, `\{`, `}`, `\}`, `$`, `\$`, `&`, `\&`, `#`, `\#`, `_`, `\_`, `%`, `\%`,
		`~`, `\textasciitilde{}`, `^`, `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`,
		"|", `\textbar{}`, "\u202f", `\,`, "\u00a0", `~`, "“", "``", "”", "''", "’", "'", "–", "--",
		"…", `\ldots{}`, "□", "?", "\ufffd", "?",
	}
	inMath := []string{"−", "-", "\u202f", `\,`, "\u00a0", `~`}
	for _, s := range signs {
		inText = append(inText, s[0], "$"+s[1]+"$")
		inMath = append(inMath, s[0], s[1]+" ")
	}
	return strings.NewReplacer(inText...), strings.NewReplacer(inMath...)
}()

// meeting are two formulas without anything between them.
var meeting = regexp.MustCompile(`([^\\])\$\$`)

// LaTeX writes a label as LaTeX, for any engine.
func LaTeX(label string) string {
	var b strings.Builder
	for _, p := range mustParse(label) {
		if p.source != "" {
			b.WriteString("$" + latexMath.Replace(p.source) + "$")
		}
		b.WriteString(Raised(latexText.Replace(p.text)))
	}
	return meeting.ReplaceAllString(b.String(), "$1 ")
}
