package figure

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Every label that is declared, and every caption, can be set.
func TestLabelsCanBeSet(t *testing.T) {
	doc := documents()["default"]
	check := func(label string) {
		if err := Check(label); err != nil {
			t.Error(err)
		}
	}
	for _, c := range All {
		check(c.Title)
		if _, err := parse(c.whole(doc)); err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
		for _, p := range c.Panels {
			check(p.Title)
			check(p.X.Label)
			check(p.Y.Label)
			for _, s := range p.Points {
				check(s.Label)
			}
			for _, l := range p.Lines {
				check(l.Label)
			}
			for _, q := range p.Quantiles {
				check(q.Label)
				check(q.Band)
			}
			if p.Heat != nil {
				check(p.Heat.Label)
			}
			if p.Band != nil {
				check(p.Band.Label)
			}
			if p.Level != nil {
				check(p.Level.Label)
			}
		}
	}
	for name, n := range commands {
		if r, ok := lacking(n); ok {
			t.Errorf(`\%s: the font has no %q`, name, r)
		}
	}
	for _, name := range ruleNames {
		check(name)
	}
}

func TestCheckRefuses(t *testing.T) {
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
		{"本", "no '本'"},
		{"$\\mathrm{本}$", "no '本'"},
		{"$x_{本}$", "no '本'"},
	} {
		if err := Check(c.label); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%q: %v", c.label, err)
		}
	}
}

func TestWritings(t *testing.T) {
	for _, c := range []struct{ label, plain, latex, markdown string }{
		{"$d_k^{1-2p}$", "d_k^(1−2p)", "$d_k^{1-2p}$", "$d_k^{1-2p}$"},
		{`$\mathrm{Var}(q\cdot k) = d_k$`, "Var(q·k) = d_k", `$\mathrm{Var}(q\cdot k) = d_k$`, `$\mathrm{Var}(q\cdot k) = d_k$`},
		{`$\sqrt{d_k/2}$, $\sqrt{d_k}$`, "√(d_k/2), √d_k", `$\sqrt{d_k/2}$, $\sqrt{d_k}$`, `$\sqrt{d_k/2}$, $\sqrt{d_k}$`},
		{"slope $1 - 2p$ or $-1$", "slope 1 − 2p or −1", "slope $1 - 2p$ or $-1$", "slope $1 - 2p$ or $-1$"},
		{`$\ln \mathrm{Var}$ on $\ln d_k$`, "ln Var on ln d_k", `$\ln \mathrm{Var}$ on $\ln d_k$`, `$\ln \mathrm{Var}$ on $\ln d_k$`},
		{`$\alpha_{ij} \le \max(1, \sigma^2)$`, "α_(ij) ≤ max(1, σ^2)", `$\alpha_{ij} \le \max(1, \sigma^2)$`, `$\alpha_{ij} \le \max(1, \sigma^2)$`},
		{"5 ± 1, −3 and 10⁻²", "5 ± 1, −3 and 10⁻²", `5 $\pm$ 1, $-$3 and $10^{-2}$`, "5 ± 1, −3 and 10⁻²"},
		{"3·10⁻²", "3·10⁻²", `3$\cdot 10^{-2}$`, "3·10⁻²"},
		{quoted("a$") + "$p$", "a$p", `a\$$p$`, `a\$$p$`},
		{quoted(`a$b\c_d`), `a$b\c_d`, `a\$b\textbackslash{}c\_d`, `a\$b\\c\_d`},
	} {
		if got := Plain(c.label); got != c.plain {
			t.Errorf("%s: plain %q, want %q", c.label, got, c.plain)
		}
		if got := LaTeX(c.label); got != c.latex {
			t.Errorf("%s: LaTeX %q, want %q", c.label, got, c.latex)
		}
		if got := Markdown(c.label); got != c.markdown {
			t.Errorf("%s: Markdown %q, want %q", c.label, got, c.markdown)
		}
	}
}

// The widths are those of the font: Liberation Sans has Arial's, of which
// Adobe's table for Helvetica says a 556, i 222 and the space 278 thousandths.
func TestWidths(t *testing.T) {
	for label, want := range map[string]float64{"a": 0.556, "i": 0.222, " ": 0.278, "ai i": 0.556 + 2*0.222 + 0.278} {
		if got := float64(widthOf(label, 1)); math.Abs(got-want) > 0.0005 {
			t.Errorf("%q is %v em wide, want %v", label, got, want)
		}
	}
}

// Scripts stand above and below each other without touching, and a root's bar
// covers what is under it.
func TestScripts(t *testing.T) {
	both := set("$d_k^p$", 10)
	var low, high piece
	for _, p := range both.pieces {
		switch p.text {
		case "k":
			low = p
		case "p":
			high = p
		}
	}
	if low.x != high.x || low.y >= 0 || high.y <= 0 {
		t.Errorf("the scripts stand at %v, %v and %v, %v", low.x, low.y, high.x, high.y)
	}
	top := low.y + vg.Length(face(true).glyph('k').top)*low.size
	bottom := high.y - vg.Length(face(true).glyph('p').below)*high.size
	if top > bottom {
		t.Errorf("k reaches up to %v, p down to %v", top, bottom)
	}
	root := set(`$\sqrt{d_k}$`, 10)
	if len(root.bars) != 1 || root.bars[0].right < root.width-0.5 || root.bars[0].top < vg.Length(face(true).glyph('d').top)*10 {
		t.Errorf("the root is %v wide, its bar %v", root.width, root.bars)
	}
}

func TestShortLabels(t *testing.T) {
	for x, want := range map[float64]string{0.5: "0.5", -2e-12: "−2·$10^{-12}$", 1e-7: "$10^{-7}$", 3e15: "3·$10^{15}$"} {
		if got := short(x); got != want {
			t.Errorf("%v is labelled %s, want %s", x, got, want)
		}
	}
}
