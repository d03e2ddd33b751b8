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

// A table is cut only where the screen is narrower than the table can be, and there it has
// the whole screen. Tables of up to four columns fit a telephone.
func TestTablesFit(t *testing.T) {
	at := widths[1:]
	if testing.Short() {
		at = []int64{390, 1440}
	}
	for _, name := range pages(t) {
		b := open(t)
		b.visit(address+"/"+name, "light")
		for _, width := range at {
			b.resize(width, 900)
			for _, x := range evaluate[[]table](b, tables) {
				if x.Left < -0.5 || x.Right > float64(width)+0.5 {
					t.Errorf("%s at %d px: %s stands from %.0f to %.0f", name, width, x.Name, x.Left, x.Right)
				}
				if x.Table <= x.Box {
					continue
				}
				if x.Table > x.Least+1 || x.Box < float64(width)-beside {
					t.Errorf("%s at %d px: %s needs %.0f px, has %.0f of the screen, and is %.0f px wide", name, width, x.Name, x.Least, x.Box, x.Table)
				}
				if x.Hole > noHole {
					t.Errorf("%s at %d px: %s scrolls, and has a row that is %.0f px higher than what is in sight of it", name, width, x.Name, x.Hole)
				}
				if width >= 1024 && x.Columns < 10 {
					t.Errorf("%s at %d px: %s has %d columns and scrolls: %.0f px of %.0f", name, width, x.Name, x.Columns, x.Box, x.Table)
				}
				if x.Columns <= 4 {
					t.Errorf("%s at %d px: %s has %d columns and is cut: %.0f px of %.0f", name, width, x.Name, x.Columns, x.Box, x.Table)
				}
			}
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

// Listings, such as a plan or an entry of a bibliography, are read without scrolling, but
// for the one line that embeds a figure, which is copied and not read.
func TestListingsFit(t *testing.T) {
	for _, name := range pages(t) {
		b := open(t)
		b.visit(address+"/"+name, "light")
		for _, width := range []int64{390, 1440} {
			b.resize(width, 900)
			if over := evaluate[int](b, `Math.max(0, ...[...document.querySelectorAll("pre:not(figcaption pre)")].map(p => p.scrollWidth - p.clientWidth))`); over > 0 {
				t.Errorf("%s at %d px: a listing is %d px too wide", name, width, over)
			}
		}
	}
}

// On a wide screen a figure follows the lead of its page at once, or a short passage
// that leads to it does, however many sections the page lists.
func TestFiguresFollowTheLead(t *testing.T) {
	figures := 0
	for _, name := range pages(t) {
		b := open(t)
		b.resize(1440, 900)
		b.visit(address+"/"+name, "light")
		for _, gap := range evaluate[[]float64](b, `[...document.querySelectorAll(".opening:has(nav)")].filter(o => {
			const next = o.nextElementSibling, after = next.nextElementSibling
			return next.matches(".chart") || next.matches("p") && !next.querySelector(".note") && after.matches(".chart")
		}).map(o => o.nextElementSibling.getBoundingClientRect().top - o.querySelector("nav").previousElementSibling.getBoundingClientRect().bottom)`) {
			if figures++; gap > 30 {
				t.Errorf("%s: the figure begins %.0f px below the lead", name, gap)
			}
		}
	}
	if figures == 0 {
		t.Error("no page opens with a figure")
	}
}
