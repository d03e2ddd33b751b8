package browser

// setting says how the first formula of a page is set: whether the font that
// comes with the pages has loaded, the width of the formula in it and in
// another face, and how many formulas are shown as TeX.
const setting = `(async () => {
	const font = '16px "mcsim Math"', letter = "\u{1d451}";
	await document.fonts.load(font, letter);
	const formulas = [...document.querySelectorAll("math")];
	const widest = formulas.reduce((a, b) => a && a.getBoundingClientRect().width > b.getBoundingClientRect().width ? a : b, null);
	const width = () => widest ? widest.getBoundingClientRect().width : 0;
	const own = width();
	if (widest) widest.style.fontFamily = "monospace";
	const other = width();
	if (widest) widest.style.fontFamily = "";
	return {
		formulas: formulas.length, own, other,
		loaded: [...document.fonts].some(f => f.family.includes("mcsim Math") && f.status === "loaded") && document.fonts.check(font, letter),
		tex: document.querySelectorAll(".tex").length,
		flat: formulas.filter(m => m.checkVisibility() && m.getBoundingClientRect().height < 5).length,
	};
})()`

type mathematics struct {
	Formulas, Tex, Flat int
	Own, Other          float64
	Loaded              bool
}

// formulas reports those of the page that is open which are not set in the font that comes
// with the pages.
func (b *tab) formulas(name string) int {
	b.t.Helper()
	m := evaluate[mathematics](b, setting)
	if m.Tex > 0 || m.Flat > 0 {
		b.t.Errorf("%s: %d formulas are shown as TeX, %d have no height", name, m.Tex, m.Flat)
	}
	if m.Formulas > 0 && (!m.Loaded || m.Own == m.Other || m.Own < 5) {
		b.t.Errorf("%s: the font of the formulas is not used: loaded %v, widths %g and %g", name, m.Loaded, m.Own, m.Other)
	}
	return m.Formulas
}
