package browser

// mathScript returns the number of formulas, how many formulas are shown as TeX (tex) or have
// hardly any height (flat), and whether the font of formulas is loaded. It also returns the width
// of the widest formula in this font (fontWidth) and in another font (otherWidth).
const mathScript = `(async () => {
	const font = '16px "mcsim Math"', letter = "\u{1d451}";
	await document.fonts.load(font, letter);
	const formulas = [...document.querySelectorAll("math")];
	const widthOf = e => e.getBoundingClientRect().width;
	const widest = formulas.reduce((a, b) => a && widthOf(a) > widthOf(b) ? a : b, null);
	const width = () => widest ? widthOf(widest) : 0;
	const fontWidth = width();
	if (widest) widest.style.fontFamily = "monospace";
	const otherWidth = width();
	if (widest) widest.style.fontFamily = "";
	return {
		formulas: formulas.length, fontWidth, otherWidth,
		loaded: document.fonts.check(font, letter) &&
			[...document.fonts].some(f => f.family.includes("mcsim Math") && f.status === "loaded"),
		tex: document.querySelectorAll(".tex").length,
		flat: formulas.filter(m => m.checkVisibility() && m.getBoundingClientRect().height < 5).length,
	};
})()`

type mathState struct {
	Formulas, Tex, Flat   int
	FontWidth, OtherWidth float64
	Loaded                bool
}

// checkFormulas checks that all formulas of the open page are shown in the font of formulas, and
// returns their number.
func (b *tab) checkFormulas(name string) int {
	b.t.Helper()
	m := evaluate[mathState](b, mathScript)
	if m.Tex > 0 || m.Flat > 0 {
		b.t.Errorf("%s: %d formulas are shown as TeX and %d have hardly any height, want none", name, m.Tex, m.Flat)
	}
	isFontUsed := m.Loaded && m.FontWidth != m.OtherWidth && m.FontWidth >= 5
	if m.Formulas > 0 && !isFontUsed {
		b.t.Errorf("%s: the font of formulas is loaded: %v; the widest formula is %g px wide, and %g px in another "+
			"font; want a loaded font that changes the width", name, m.Loaded, m.FontWidth, m.OtherWidth)
	}
	return m.Formulas
}
