package markdown

import (
	"strings"
	"testing"
)

// Formulas of rules become subscripts and italics; what is none is shown as it is.
func TestFormulaText(t *testing.T) {
	for formula, want := range map[string]string{
		"S/d_k^p":               "*S*/d_k^p",
		"s·S/(|q||k|)":          `*s*·*S*/(\|q\|\|k\|)`,
		"q = x·W_Q":             `q \= *x*·W_Q`,
		"d_k^(1−2p)":            "d_k^(1−2p)",
		"wᵀtanh(W_q q + W_k k)": `*w*ᵀtanh(W_q q \+ W_k k)`,
		"a_b_c":                 `a\_b\_c`,
		"<b>*x*":                `\<*b*\>\**x*\*`,
		"none, a pure number":   "none, a pure number",
		"a ≥ 1/2":               "*a* ≥ 1/2",
		"e^(−√2|x|)/√2":         `e^(−√2\|x\|)/√2`,
		"1e-6..1e6":             `1e-6.\.1e6`,
	} {
		if got := Formula(formula); got != want {
			t.Errorf("%q: %q, want %q", formula, got, want)
		}
	}
}

// What the notation of the pages can set is shown set, and nothing else: no marks of
// Markdown, TeX or plain text are left.
func TestFormulasAreSet(t *testing.T) {
	for formula, want := range map[string]string{
		"e^(−√2|x|)/√2":         "e<sup>−√2|<i>x</i>|</sup>/√2",
		"e^(−x²/2)/√(2π)":       "e<sup>−<i>x</i>²/2</sup>/√(2π)",
		"S/d_k^p":               "<em>S</em>/<i>d</i><sub><i>k</i></sub><sup><i>p</i></sup>",
		"W_Q·W_KᵀΣ":             "<i>W</i><sub><i>Q</i></sub>·<i>W</i><sub><i>K</i></sub>ᵀΣ",
		"E x_i x_(i+1)/Var x":   "<em>E</em> <i>x</i><sub><i>i</i></sub> <i>x</i><sub><i>i</i>+1</sub>/Var <em>x</em>",
		"√E‖J‖_F², ‖∂α/∂K‖_F":   "√<em>E</em>‖<em>J</em>‖<sub><i>F</i></sub>², ‖∂<i>α</i>/∂<em>K</em>‖<sub><i>F</i></sub>",
		"d_model − 1":           "<i>d</i><sub>model</sub> − 1",
		"[−√3, √3], P(R < 0.5)": "[−√3, √3], <em>P</em>(<em>R</em> &lt; 0.5)",
	} {
		for _, frame := range []string{"y %s z\n", "| y |\n| - |\n| y %s z |\n"} {
			page, err := HTML([]byte(strings.Replace(frame, "%s", Formula(formula), 1)), Site{})
			if err != nil || !strings.Contains(page.Body, "y "+want+" z") {
				t.Errorf("%q is set as %s (%v)", formula, page.Body, err)
			}
		}
	}
}
