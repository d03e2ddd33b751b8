package markdown

import "testing"

// Formulas of rules become subscripts and italics; what is none is shown as it is.
func TestFormulaText(t *testing.T) {
	for formula, want := range map[string]string{
		"S/d_k^p":               "*S*/d_k^p",
		"s·S/(|q||k|)":          `*s*·*S*/(\|q\|\|k\|)`,
		"q = x·W_Q":             "q = *x*·W_Q",
		"d_k^(1−2p)":            "d_k^(1−2p)",
		"wᵀtanh(W_q q + W_k k)": "*w*ᵀtanh(W_q q + W_k k)",
		"a_b_c":                 `a\_b\_c`,
		"<b>*x*":                `\<b\>\*x\*`,
	} {
		if got := Formula(formula); got != want {
			t.Errorf("%q: %q, want %q", formula, got, want)
		}
	}
}
