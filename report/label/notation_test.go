package label

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestCommandsCanBeSet(t *testing.T) {
	for name, n := range commands {
		for _, r := range n.text {
			if !n.font().Face().Has(r) {
				t.Errorf(`\%s: the font has no %q`, name, r)
			}
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct{ label, why string }{
		{"a $ b", "dollar"},
		{`$\frac{1}{2}$`, `\frac`},
		{"$x_{k$", "{"},
		{"$x}$", "'}'"},
		{"$_k$", "script"},
		{"$x^$", "nothing"},
		{`$\sqrt$`, "nothing"},
		{`$\mathrm{a_b}$`, `\mathrm`},
		{`a \b`, "backslash"},
	} {
		if err := Validate(c.label); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v", c.label, err)
		}
	}
}

func TestPlainAndLaTeX(t *testing.T) {
	for _, c := range []struct{ label, plain, latex string }{
		{"$d_k^{1-2p}$", "d_k^(1−2p)", "$d_k^{1-2p}$"},
		{`$\mathrm{Var}(q\cdot k) = d_k$`, "Var(q·k) = d_k", `$\mathrm{Var}(q\cdot k) = d_k$`},
		{`$\sqrt{d_k/2}$, $\sqrt{d_k}$`, "√(d_k/2), √d_k", `$\sqrt{d_k/2}$, $\sqrt{d_k}$`},
		{"slope $1 - 2p$ or $-1$", "slope 1 − 2p or −1", "slope $1 - 2p$ or $-1$"},
		{`$\ln \mathrm{Var}$ on $\ln d_k$`, "ln Var on ln d_k", `$\ln \mathrm{Var}$ on $\ln d_k$`},
		{`$\alpha_{ij} \le \max(1, \sigma^2)$`, "α_(ij) ≤ max(1, σ^2)", `$\alpha_{ij} \le \max(1, \sigma^2)$`},
		{"5 ± 1, −3 and 10⁻²", "5 ± 1, −3 and 10⁻²", `5 $\pm$ 1, $-$3 and $10^{-2}$`},
		{"3·10⁻²", "3·10⁻²", `3$\cdot 10^{-2}$`},
		{Escape("a$") + "$p$", "a$p", `a\$$p$`},
		{Escape(`a$b\c_d`), `a$b\c_d`, `a\$b\textbackslash{}c\_d`},
	} {
		if got := Plain(c.label); got != c.plain {
			t.Errorf("%s: plain %q, want %q", c.label, got, c.plain)
		}
		if got := LaTeX(c.label); got != c.latex {
			t.Errorf("%s: LaTeX %q, want %q", c.label, got, c.latex)
		}
	}
}

// TestWidth checks that Liberation Sans has the widths of Arial and Helvetica. Adobe's table for
// Helvetica has 556 thousandths for a, 222 for i and 278 for the space.
func TestWidth(t *testing.T) {
	for label, want := range map[string]float64{"a": 0.556, "i": 0.222, " ": 0.278, "ai i": 0.556 + 2*0.222 + 0.278} {
		if got := float64(Width(label, 1)); math.Abs(got-want) > 0.0005 {
			t.Errorf("%q is %v em wide, want %v", label, got, want)
		}
	}
}

// TestScripts checks that a superscript and a subscript of one symbol do not touch, and a root's
// bar covers its contents.
func TestScripts(t *testing.T) {
	both := Typeset("$d_k^p$", 10)
	var low, high Piece
	for _, p := range both.Pieces {
		switch p.Text {
		case "k":
			low = p
		case "p":
			high = p
		}
	}
	if low.X != high.X || low.Y >= 0 || high.Y <= 0 {
		t.Errorf("the scripts are at %v, %v and %v, %v", low.X, low.Y, high.X, high.Y)
	}
	top := low.Y + vg.Length(Slanted.Face().Glyph('k').height)*low.Size
	bottom := high.Y - vg.Length(Slanted.Face().Glyph('p').depth)*high.Size
	if top > bottom {
		t.Errorf("k reaches up to %v, p down to %v", top, bottom)
	}
	for _, contents := range []string{"d_k", "d_k/2", `2\,\ln n`, "(d)"} {
		plain, root := Typeset("$"+contents+"$", 10), Typeset(`$\sqrt{`+contents+"}$", 10)
		if gap := root.Bars[0].Min.Y - plain.top; gap < 0.4 {
			t.Errorf("the bar is %v above %s", gap, contents)
		}
	}
	root := Typeset(`$\sqrt{d_k}$`, 10)
	letterTop := vg.Length(Slanted.Face().Glyph('d').height) * 10
	if len(root.Bars) != 1 || root.Bars[0].Max.X < root.Width-0.5 || root.Bars[0].Max.Y < letterTop {
		t.Errorf("the root is %v wide, its bar %v", root.Width, root.Bars)
	}
}
