package label

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestFontHasCommands(t *testing.T) {
	for name, n := range commands {
		for _, r := range n.text {
			if !n.font().Face().Has(r) {
				t.Errorf(`\%s: the font has no %q`, name, r)
			}
		}
	}
}

func TestValidateErrors(t *testing.T) {
	for _, c := range []struct{ label, why string }{ // why is a part of the error
		{"a $ b", "dollar"},
		{`$\frac{1}{2}$`, `\frac`},
		{"$x_{k$", "{"},
		{"$x}$", "'}'"},
		{"$_k$", "script"},
		{"$x^$", "contents"},
		{`$\sqrt$`, "contents"},
		{`$\mathrm{a_b}$`, `\mathrm`},
		{`a \b`, "backslash"},
	} {
		if err := Validate(c.label); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("Validate(%q): got the error %v, want one with %q", c.label, err, c.why)
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
			t.Errorf("Plain(%q) = %q, want %q", c.label, got, c.plain)
		}
		if got := LaTeX(c.label); got != c.latex {
			t.Errorf("LaTeX(%q) = %q, want %q", c.label, got, c.latex)
		}
	}
}

// TestWidth checks that Liberation Sans has the widths of Arial and Helvetica. The reference is
// Adobe's table for Helvetica, in which a is 0.556 em wide, i 0.222 em and the space 0.278 em.
func TestWidth(t *testing.T) {
	for label, want := range map[string]float64{"a": 0.556, "i": 0.222, " ": 0.278, "ai i": 0.556 + 2*0.222 + 0.278} {
		if got := float64(Width(label, 1)); math.Abs(got-want) > 0.0005 {
			t.Errorf("%q is %v em wide, want %v", label, got, want)
		}
	}
}

// TestScripts checks that a superscript and a subscript of one symbol do not touch, and that the
// bar of a root is above the contents of the root and as wide.
func TestScripts(t *testing.T) {
	both := Typeset("$d_k^p$", 10)
	var subscript, superscript Piece
	for _, p := range both.Pieces {
		switch p.Text {
		case "k":
			subscript = p
		case "p":
			superscript = p
		}
	}
	if subscript.X != superscript.X || subscript.Y >= 0 || superscript.Y <= 0 {
		t.Errorf("the subscript is at (%v, %v) and the superscript at (%v, %v), want the same x on both sides of y = 0",
			subscript.X, subscript.Y, superscript.X, superscript.Y)
	}
	top := subscript.Y + vg.Length(Slanted.Face().Glyph('k').height)*subscript.Size
	bottom := superscript.Y - vg.Length(Slanted.Face().Glyph('p').depth)*superscript.Size
	if top > bottom {
		t.Errorf("the subscript k reaches up to %v, want at most %v, the lower end of the superscript p", top, bottom)
	}
	for _, contents := range []string{"d_k", "d_k/2", `2\,\ln n`, "(d)"} {
		plain, root := Typeset("$"+contents+"$", 10), Typeset(`$\sqrt{`+contents+"}$", 10)
		if gap := root.Bars[0].Min.Y - plain.top; gap < 0.4 {
			t.Errorf("the bar of the root of %s is %v points above its contents, want at least 0.4", contents, gap)
		}
	}
	root := Typeset(`$\sqrt{d_k}$`, 10)
	letterTop := vg.Length(Slanted.Face().Glyph('d').height) * 10
	if len(root.Bars) != 1 {
		t.Fatalf("the root has %d bars, want 1", len(root.Bars))
	}
	if end := root.Bars[0].Max; end.X < root.Width-0.5 || end.Y < letterTop {
		t.Errorf("the bar ends at (%v, %v), want it at the end of the root (x = %v) and above the letter (y = %v)",
			end.X, end.Y, root.Width, letterTop)
	}
}
