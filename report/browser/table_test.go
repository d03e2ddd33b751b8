package browser

import "testing"

// tablesScript opens all folds, and lists the scrolling boxes of tables with the widths of the box
// and of the table, and the width that the table needs at least.
const tablesScript = `(() => {
	for (const d of document.querySelectorAll("details")) d.open = true;
	const textHeight = cell => {
		const r = document.createRange();
		r.selectNodeContents(cell);
		return r.getBoundingClientRect().height;
	};
	const hole = (row, edge) => row.offsetHeight - Math.max(
		...[...row.cells].filter(c => c.getBoundingClientRect().left < edge).map(textHeight));
	return [...document.querySelectorAll(".scroll")].map(box => {
		const table = box.querySelector("table"), name = (box.closest("figure") || {}).id || "";
		const found = {name, box: box.clientWidth, table: box.scrollWidth, columns: table.rows[0].cells.length,
			left: box.getBoundingClientRect().left, right: box.getBoundingClientRect().right};
		found.hole = Math.max(0, ...[...table.tBodies[0].rows].map(r => hole(r, found.right)));
		table.style.width = "1px";
		found.minWidth = table.getBoundingClientRect().width;
		table.style.width = "";
		return found;
	});
})()`

type table struct {
	Name        string
	Box, Table  float64
	Columns     int
	Left, Right float64
	MinWidth    float64 // minimum width of the table
	Hole        float64 // height of a row beyond its visible part
}

// maxHole is the maximum height that the padding and one or two additional lines add to the
// visible part of a row. A cell of many lines that is not visible would add more.
const maxHole = 35

// maxTableMargin is the maximum width of a screen that a table leaves empty on both sides, for the
// margins of the page and a scroll bar.
const maxTableMargin = 40

// checkTables reports tables of the open page that scroll although the screen has room, or that do
// not use the whole width of the screen. Tables of up to four columns must fit on a telephone.
func (b *tab) checkTables(name string, width int64) {
	b.t.Helper()
	for _, x := range evaluate[[]table](b, tablesScript) {
		if x.Left < -0.5 || x.Right > float64(width)+0.5 {
			b.t.Errorf("%s at %d px: %s is at %.0f to %.0f", name, width, x.Name, x.Left, x.Right)
		}
		if x.Table <= x.Box {
			continue
		}
		if x.Table > x.MinWidth+1 || x.Box < float64(width)-maxTableMargin {
			b.t.Errorf("%s at %d px: %s needs %.0f px, has %.0f of the screen, and is %.0f px wide", name, width,
				x.Name, x.MinWidth, x.Box, x.Table)
		}
		if x.Hole > maxHole {
			b.t.Errorf("%s at %d px: %s scrolls, and has a row that is %.0f px higher than its visible part", name,
				width, x.Name, x.Hole)
		}
		if width >= 1024 && x.Columns < 10 {
			b.t.Errorf("%s at %d px: %s has %d columns and scrolls: %.0f px of %.0f", name, width, x.Name, x.Columns,
				x.Box, x.Table)
		}
		if x.Columns <= 4 {
			b.t.Errorf("%s at %d px: %s has %d columns and is cut: %.0f px of %.0f", name, width, x.Name, x.Columns,
				x.Box, x.Table)
		}
	}
}

// TestLongCells checks that on a telephone, a long cell that is not visible does not make its row
// high.
func TestLongCells(t *testing.T) {
	b := open(t)
	b.resize(390, 800)
	b.visit(address+"/index.html", "light")
	evaluate[bool](b, `(() => {
		for (const f of document.querySelectorAll(".table")) f.remove();
		const cell = (kind, text, name) => "<" + kind + (name ? " class=" + name : "") + ">" + text + "</" + kind + ">";
		const row = kind => "<tr>" + cell(kind, "normal") + cell(kind, "0.30690(45)", "num").repeat(6) +
			cell(kind, "a framework and ports of two more models by others", "long") + "</tr>";
		document.querySelector("main").insertAdjacentHTML("beforeend",
			'<figure class="table wide"><div class="scroll"><table><thead>' + row("th") +
			"</thead><tbody>" + row("td") + "</tbody></table></div></figure>");
		return true;
	})()`)
	for _, x := range evaluate[[]table](b, tablesScript) {
		if x.Table <= x.Box || x.Hole > maxHole {
			t.Errorf("a table of %.0f px in %.0f has a row that is %.0f px higher than its visible part", x.Table,
				x.Box, x.Hole)
		}
	}
}

// checkListings reports listings that are too wide for the screen, except the HTML that embeds a
// figure, which is copied and not read.
func (b *tab) checkListings(name string, width int64) {
	b.t.Helper()
	const excessWidth = `Math.max(0,
		...[...document.querySelectorAll("pre:not(figcaption pre)")].map(p => p.scrollWidth - p.clientWidth))`
	if excess := evaluate[int](b, excessWidth); excess > 0 {
		b.t.Errorf("%s at %d px: a listing is %d px too wide", name, width, excess)
	}
}

// checkLeads reports figures on a wide screen that are not directly below the lead of their page
// or below a short paragraph after it. It returns the number of these figures.
func (b *tab) checkLeads(name string) (figures int) {
	b.t.Helper()
	const gaps = `[...document.querySelectorAll(".opening:has(nav)")].filter(o => {
		const next = o.nextElementSibling, after = next.nextElementSibling;
		return next.matches(".chart") || next.matches("p") && !next.querySelector(".note") && after.matches(".chart");
	}).map(o => {
		const lead = o.querySelector("nav").previousElementSibling;
		return o.nextElementSibling.getBoundingClientRect().top - lead.getBoundingClientRect().bottom;
	})`
	for _, gap := range evaluate[[]float64](b, gaps) {
		figures++
		if gap > 30 {
			b.t.Errorf("%s: the figure begins %.0f px below the lead", name, gap)
		}
	}
	return figures
}

// tableFaultsScript lists faults of the tables of a page: boxes without a name or with the name of
// another, headers without a scope, numbers on two lines, and long texts that do not break.
const tableFaultsScript = `(() => {
	document.querySelectorAll("details").forEach(d => d.open = true);
	const bad = [], names = new Set();
	for (const s of document.querySelectorAll(".scroll")) {
		const caption = document.getElementById(s.getAttribute("aria-labelledby"));
		const name = caption ? caption.innerText.trim() : s.getAttribute("aria-label");
		if (!name || names.has(name)) bad.push("the name of a table: " + name);
		names.add(name);
		for (const c of s.querySelectorAll("thead th")) {
			if (c.scope !== "col") bad.push("no head of a column: " + c.innerText);
		}
		for (const c of s.querySelectorAll("tbody tr > :first-child")) {
			if (!c.innerText.trim() || c.localName === "th" && c.scope === "row") continue;
			bad.push("no head of a line: " + c.innerText);
		}
		for (const c of s.querySelectorAll("tbody .num")) {
			const line = parseFloat(getComputedStyle(c).lineHeight);
			const text = document.createRange();
			text.selectNodeContents(c);
			if (text.getBoundingClientRect().height > 1.6 * line) bad.push("a number on two lines: " + c.innerText);
		}
		for (const c of s.querySelectorAll("tbody .long:not(.num)")) {
			const isWide = c.clientWidth > 0.9 * innerWidth && s.scrollWidth > s.clientWidth + 1;
			if (c.innerText.length > 60 && isWide) {
				bad.push("a text that does not break: " + c.innerText.slice(0, 60));
			}
		}
	}
	return bad;
})()`

// checkTableFaults reports the faults that tableFaultsScript finds.
func (b *tab) checkTableFaults(name string, width int64) {
	b.t.Helper()
	for _, fault := range evaluate[[]string](b, tableFaultsScript) {
		b.t.Errorf("%s at %d px: %s", name, width, fault)
	}
}
