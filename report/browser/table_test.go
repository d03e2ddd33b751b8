package browser

import "testing"

// tablesScript opens all folds, and returns the fields of table for each box in which a table can
// scroll.
const tablesScript = `(() => {
	for (const d of document.querySelectorAll("details")) d.open = true;
	const textHeight = cell => {
		const r = document.createRange();
		r.selectNodeContents(cell);
		return r.getBoundingClientRect().height;
	};
	// The height of a row in addition to its highest cell that begins left of the edge.
	const emptyHeight = (row, edge) => row.offsetHeight - Math.max(
		...[...row.cells].filter(c => c.getBoundingClientRect().left < edge).map(textHeight));
	return [...document.querySelectorAll(".scroll")].map(box => {
		const table = box.querySelector("table"), name = (box.closest("figure") || {}).id || "";
		const found = {name, box: box.clientWidth, table: box.scrollWidth, columns: table.rows[0].cells.length,
			left: box.getBoundingClientRect().left, right: box.getBoundingClientRect().right};
		found.emptyHeight = Math.max(0, ...[...table.tBodies[0].rows].map(r => emptyHeight(r, found.right)));
		table.style.width = "1px";
		found.minWidth = table.getBoundingClientRect().width;
		table.style.width = "";
		return found;
	});
})()`

// table has measures of a table and of its box, in CSS pixels.
type table struct {
	Name        string
	Box, Table  float64 // widths of the box and of the table
	Columns     int
	Left, Right float64 // ends of the box
	MinWidth    float64 // minimum width of the table
	EmptyHeight float64 // largest height by which a row is higher than its highest visible cell
}

// maxEmptyHeight is the maximum of EmptyHeight in CSS pixels. It allows for the padding and for a
// cell that is not visible and has one or two more lines than the visible ones.
const maxEmptyHeight = 35

// maxTableMargin is the maximum width in CSS pixels that a table leaves empty on both sides
// together. It allows for the margins of the page and a scroll bar.
const maxTableMargin = 40

// checkTables fails the test for each table of the open page that leaves the screen, that scrolls
// although the screen has room, or that scrolls in a box that is narrower than the screen. Tables
// of fewer than ten columns must not scroll on a laptop, and tables of up to four columns on any
// screen.
func (b *tab) checkTables(name string, width int64) {
	b.t.Helper()
	for _, x := range evaluate[[]table](b, tablesScript) {
		if x.Left < -0.5 || x.Right > float64(width)+0.5 {
			b.t.Errorf("%s at %d px: the table %s leaves the screen: it extends from %.0f px to %.0f px", name, width,
				x.Name, x.Left, x.Right)
		}
		if x.Table <= x.Box {
			continue
		}
		if x.Table > x.MinWidth+1 {
			b.t.Errorf("%s at %d px: the table %s scrolls and is %.0f px wide, want its minimum width of %.0f px", name,
				width, x.Name, x.Table, x.MinWidth)
		}
		if minBox := float64(width) - maxTableMargin; x.Box < minBox {
			b.t.Errorf("%s at %d px: the box of the table %s scrolls and is %.0f px wide, want at least %.0f px", name,
				width, x.Name, x.Box, minBox)
		}
		if x.EmptyHeight > maxEmptyHeight {
			b.t.Errorf("%s at %d px: the table %s has a row that is %.0f px higher than its visible cells, want at "+
				"most %d px", name, width, x.Name, x.EmptyHeight, maxEmptyHeight)
		}
		if width >= 1024 && x.Columns < 10 {
			b.t.Errorf("%s at %d px: the table %s of only %d columns scrolls: %.0f px of %.0f px are visible",
				name, width, x.Name, x.Columns, x.Box, x.Table)
		}
		if x.Columns <= 4 {
			b.t.Errorf("%s at %d px: the table %s of at most four columns scrolls: %.0f px of %.0f px are visible",
				name, width, x.Name, x.Box, x.Table)
		}
	}
}

// TestLongCells checks, on a telephone, that a long cell does not make its row high if the cell is
// outside of the visible part of the table.
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
		if x.Table <= x.Box {
			t.Errorf("the table of %.0f px fits into its box of %.0f px, want a cell that is not visible",
				x.Table, x.Box)
		}
		if x.EmptyHeight > maxEmptyHeight {
			t.Errorf("a row is %.0f px higher than its visible cells, want at most %d px", x.EmptyHeight,
				maxEmptyHeight)
		}
	}
}

// checkListings reports listings that are too wide for the screen. It ignores the HTML that embeds
// a figure, since readers copy this HTML and do not read it.
func (b *tab) checkListings(name string, width int64) {
	b.t.Helper()
	const excessWidth = `Math.max(0,
		...[...document.querySelectorAll("pre:not(figcaption pre)")].map(p => p.scrollWidth - p.clientWidth))`
	if excess := evaluate[int](b, excessWidth); excess > 0 {
		b.t.Errorf("%s at %d px: a listing is %d px too wide", name, width, excess)
	}
}

// checkLeads checks the gap below the lead of a page on a wide screen. The lead is the opening
// paragraph, which is next to the table of contents. If a figure follows the lead, directly or
// after one paragraph, there must be no large gap between the lead and what follows it. checkLeads
// returns the number of the checked figures.
func (b *tab) checkLeads(name string) (figures int) {
	b.t.Helper()
	const maxGap = 30 // CSS pixels
	const gaps = `[...document.querySelectorAll(".opening:has(nav)")].filter(o => {
		const next = o.nextElementSibling, after = next.nextElementSibling;
		return next.matches(".chart") || next.matches("p") && !next.querySelector(".note") && after.matches(".chart");
	}).map(o => {
		const lead = o.querySelector("nav").previousElementSibling;
		return o.nextElementSibling.getBoundingClientRect().top - lead.getBoundingClientRect().bottom;
	})`
	for _, gap := range evaluate[[]float64](b, gaps) {
		figures++
		if gap > maxGap {
			b.t.Errorf("%s: the figure or its paragraph begins %.0f px below the lead, want at most %d px", name, gap,
				maxGap)
		}
	}
	return figures
}

// tableFaultsScript lists faults of the tables of a page: boxes without a name, two boxes with the
// same name, headers without a scope, numbers on two lines, and long texts that do not break.
const tableFaultsScript = `(() => {
	document.querySelectorAll("details").forEach(d => d.open = true);
	const bad = [], names = new Set();
	for (const s of document.querySelectorAll(".scroll")) {
		const caption = document.getElementById(s.getAttribute("aria-labelledby"));
		const name = caption ? caption.innerText.trim() : s.getAttribute("aria-label");
		if (!name) bad.push("a table has no name");
		else if (names.has(name)) bad.push("two tables have the name " + name);
		names.add(name);
		for (const c of s.querySelectorAll("thead th")) {
			if (c.scope !== "col") bad.push("a header of a column does not have the scope col: " + c.innerText);
		}
		for (const c of s.querySelectorAll("tbody tr > :first-child")) {
			if (!c.innerText.trim() || c.localName === "th" && c.scope === "row") continue;
			bad.push("the first cell of a row is not a header of the scope row: " + c.innerText);
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
