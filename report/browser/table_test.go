package browser

import "testing"

// tables lists those that scroll: how wide the box is that shows them, how wide they are,
// and how narrow they could be. Whatever is folded is open.
const tables = `(() => {
	for (const d of document.querySelectorAll("details")) d.open = true;
	const lines = cell => { const r = document.createRange(); r.selectNodeContents(cell); return r.getBoundingClientRect().height; };
	const hole = (row, edge) => row.offsetHeight - Math.max(...[...row.cells].filter(c => c.getBoundingClientRect().left < edge).map(lines));
	return [...document.querySelectorAll(".scroll")].map(box => {
		const table = box.querySelector("table"), name = (box.closest("figure") || {}).id || "";
		const found = {name, box: box.clientWidth, table: box.scrollWidth, columns: table.rows[0].cells.length,
			left: box.getBoundingClientRect().left, right: box.getBoundingClientRect().right};
		found.hole = Math.max(0, ...[...table.tBodies[0].rows].map(r => hole(r, found.right)));
		table.style.width = "1px";
		found.least = table.getBoundingClientRect().width;
		table.style.width = "";
		return found;
	});
})()`

type table struct {
	Name        string
	Box, Table  float64
	Columns     int
	Left, Right float64
	Least       float64 // width that the table needs
	Hole        float64 // by how much a row is higher than what is in sight of it
}

// noHole is what the padding of a row and a line or two more add to what is in sight of it:
// a cell of many lines out of sight would leave a hole.
const noHole = 35

// beside is what a table may leave of a screen on both sides: the edges of the page and
// the room of a scroll bar.
const beside = 40

// fit reports tables of the page that is open which are cut though the screen is as wide
// as they can be, or have less than the whole screen. Tables of up to four columns fit a
// telephone.
func (b *tab) fit(name string, width int64) {
	b.t.Helper()
	for _, x := range evaluate[[]table](b, tables) {
		if x.Left < -0.5 || x.Right > float64(width)+0.5 {
			b.t.Errorf("%s at %d px: %s stands from %.0f to %.0f", name, width, x.Name, x.Left, x.Right)
		}
		if x.Table <= x.Box {
			continue
		}
		if x.Table > x.Least+1 || x.Box < float64(width)-beside {
			b.t.Errorf("%s at %d px: %s needs %.0f px, has %.0f of the screen, and is %.0f px wide", name, width, x.Name, x.Least, x.Box, x.Table)
		}
		if x.Hole > noHole {
			b.t.Errorf("%s at %d px: %s scrolls, and has a row that is %.0f px higher than what is in sight of it", name, width, x.Name, x.Hole)
		}
		if width >= 1024 && x.Columns < 10 {
			b.t.Errorf("%s at %d px: %s has %d columns and scrolls: %.0f px of %.0f", name, width, x.Name, x.Columns, x.Box, x.Table)
		}
		if x.Columns <= 4 {
			b.t.Errorf("%s at %d px: %s has %d columns and is cut: %.0f px of %.0f", name, width, x.Name, x.Columns, x.Box, x.Table)
		}
	}
}

// A cell of many words at the end of a table that a telephone cuts does not make its row high.
func TestLongCellsLeaveNoHoles(t *testing.T) {
	b := open(t)
	b.resize(390, 800)
	b.visit(address+"/index.html", "light")
	evaluate[bool](b, `(() => {
		for (const f of document.querySelectorAll(".table")) f.remove();
		const cell = (kind, text, of) => "<" + kind + (of ? " class=" + of : "") + ">" + text + "</" + kind + ">";
		const row = kind => "<tr>" + cell(kind, "normal") + cell(kind, "0.30690(45)", "num").repeat(6) + cell(kind, "a framework and ports of two more models by others", "long") + "</tr>";
		document.querySelector("main").insertAdjacentHTML("beforeend",
			'<figure class="table wide"><div class="scroll"><table><thead>' + row("th") + "</thead><tbody>" + row("td") + "</tbody></table></div></figure>");
		return true;
	})()`)
	for _, x := range evaluate[[]table](b, tables) {
		if x.Table <= x.Box || x.Hole > noHole {
			t.Errorf("a table of %.0f px in %.0f has a row that is %.0f px higher than what is in sight of it", x.Table, x.Box, x.Hole)
		}
	}
}

// listings reports one, such as a plan or an entry of a bibliography, that is not read
// without scrolling. The one line that embeds a figure is copied and not read.
func (b *tab) listings(name string, width int64) {
	b.t.Helper()
	if over := evaluate[int](b, `Math.max(0, ...[...document.querySelectorAll("pre:not(figcaption pre)")].map(p => p.scrollWidth - p.clientWidth))`); over > 0 {
		b.t.Errorf("%s at %d px: a listing is %d px too wide", name, width, over)
	}
}

// leads reports a figure that, on a wide screen, does not follow the lead of its page at
// once, or a short passage that leads to it, however many sections the page lists.
func (b *tab) leads(name string) (figures int) {
	b.t.Helper()
	for _, gap := range evaluate[[]float64](b, `[...document.querySelectorAll(".opening:has(nav)")].filter(o => {
		const next = o.nextElementSibling, after = next.nextElementSibling
		return next.matches(".chart") || next.matches("p") && !next.querySelector(".note") && after.matches(".chart")
	}).map(o => o.nextElementSibling.getBoundingClientRect().top - o.querySelector("nav").previousElementSibling.getBoundingClientRect().bottom)`) {
		if figures++; gap > 30 {
			b.t.Errorf("%s: the figure begins %.0f px below the lead", name, gap)
		}
	}
	return figures
}

// faults are what is wrong with the tables of a page: every box that scrolls has a name of
// its own, which is the caption of its table; a column of text breaks its lines, and a
// number stays on one.
const faults = `(() => {
	document.querySelectorAll("details").forEach(d => d.open = true);
	const bad = [], names = new Set();
	for (const s of document.querySelectorAll(".scroll")) {
		const by = document.getElementById(s.getAttribute("aria-labelledby"));
		const name = by ? by.innerText.trim() : s.getAttribute("aria-label");
		if (!name || names.has(name)) bad.push("the name of a table: " + name);
		names.add(name);
		for (const c of s.querySelectorAll("thead th")) if (c.scope !== "col") bad.push("no head of a column: " + c.innerText);
		for (const c of s.querySelectorAll("tbody tr > :first-child")) if (c.innerText.trim() && (c.localName !== "th" || c.scope !== "row")) bad.push("no head of a line: " + c.innerText);
		for (const c of s.querySelectorAll("tbody .num")) {
			const line = parseFloat(getComputedStyle(c).lineHeight);
			const text = document.createRange();
			text.selectNodeContents(c);
			if (text.getBoundingClientRect().height > 1.6 * line) bad.push("a number on two lines: " + c.innerText);
		}
		for (const c of s.querySelectorAll("tbody .long:not(.num)")) if (c.innerText.length > 60 && c.clientWidth > 0.9 * innerWidth && s.scrollWidth > s.clientWidth + 1) bad.push("a text that does not break: " + c.innerText.slice(0, 60));
	}
	return bad;
})()`

// breaks reports what is wrong with the names and lines of the tables of the page that is open.
func (b *tab) breaks(name string, width int64) {
	b.t.Helper()
	for _, fault := range evaluate[[]string](b, faults) {
		b.t.Errorf("%s at %d px: %s", name, width, fault)
	}
}
