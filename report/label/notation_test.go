package label

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// The font has every sign of the notation.
func TestCommandsCanBeSet(t *testing.T) {
	for name, n := range commands {
		for _, r := range n.text {
			if !n.font().Face().Has(r) {
				t.Errorf(`\%s: the font has no %q`, name, r)
			}
		}
	}
}

// What the notation does not allow is named.
func TestRefusals(t *testing.T) {
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
		if err := Allows(c.label); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v", c.label, err)
		}
	}
}

// A label as plain text and as LaTeX.
func TestWritings(t *testing.T) {
	for _, c := range []struct{ label, plain, latex string }{
		{"$d_k^{1-2p}$", "d_k^(1−2p)", "$d_k^{1-2p}$"},
		{`$\mathrm{Var}(q\cdot k) = d_k$`, "Var(q·k) = d_k", `$\mathrm{Var}(q\cdot k) = d_k$`},
		{`$\sqrt{d_k/2}$, $\sqrt{d_k}$`, "√(d_k/2), √d_k", `$\sqrt{d_k/2}$, $\sqrt{d_k}$`},
		{"slope $1 - 2p$ or $-1$", "slope 1 − 2p or −1", "slope $1 - 2p$ or $-1$"},
		{`$\ln \mathrm{Var}$ on $\ln d_k$`, "ln Var on ln d_k", `$\ln \mathrm{Var}$ on $\ln d_k$`},
		{`$\alpha_{ij} \le \max(1, \sigma^2)$`, "α_(ij) ≤ max(1, σ^2)", `$\alpha_{ij} \le \max(1, \sigma^2)$`},
		{"5 ± 1, −3 and 10⁻²", "5 ± 1, −3 and 10⁻²", `5 $\pm$ 1, $-$3 and $10^{-2}$`},
		{"3·10⁻²", "3·10⁻²", `3$\cdot 10^{-2}$`},
		{Quoted("a$") + "$p$", "a$p", `a\$$p$`},
		{Quoted(`a$b\c_d`), `a$b\c_d`, `a\$b\textbackslash{}c\_d`},
	} {
		if got := Plain(c.label); got != c.plain {
			t.Errorf("%s: plain %q, want %q", c.label, got, c.plain)
		}
		if got := LaTeX(c.label); got != c.latex {
			t.Errorf("%s: LaTeX %q, want %q", c.label, got, c.latex)
		}
	}
}

// The widths are those of the font: Liberation Sans has Arial's, of which
// Adobe's table for Helvetica says a 556, i 222 and the space 278 thousandths.
func TestWidths(t *testing.T) {
	for label, want := range map[string]float64{"a": 0.556, "i": 0.222, " ": 0.278, "ai i": 0.556 + 2*0.222 + 0.278} {
		if got := float64(WidthOf(label, 1)); math.Abs(got-want) > 0.0005 {
			t.Errorf("%q is %v em wide, want %v", label, got, want)
		}
	}
}

// Scripts stand above and below each other without touching, and a root's bar
// covers what is under it.
func TestScripts(t *testing.T) {
	both := Set("$d_k^p$", 10)
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
		t.Errorf("the scripts stand at %v, %v and %v, %v", low.X, low.Y, high.X, high.Y)
	}
	top := low.Y + vg.Length(Slanted.Face().Glyph('k').top)*low.Size
	bottom := high.Y - vg.Length(Slanted.Face().Glyph('p').below)*high.Size
	if top > bottom {
		t.Errorf("k reaches up to %v, p down to %v", top, bottom)
	}
	for _, under := range []string{"d_k", "d_k/2", `2\,\ln n`, "(d)"} {
		alone, root := Set("$"+under+"$", 10), Set(`$\sqrt{`+under+"}$", 10)
		if gap := root.Bars[0].Min.Y - alone.top; gap < 0.4 {
			t.Errorf("the bar over %s stands %v above it", under, gap)
		}
	}
	root := Set(`$\sqrt{d_k}$`, 10)
	if len(root.Bars) != 1 || root.Bars[0].Max.X < root.Width-0.5 || root.Bars[0].Max.Y < vg.Length(Slanted.Face().Glyph('d').top)*10 {
		t.Errorf("the root is %v wide, its bar %v", root.Width, root.Bars)
	}
}
