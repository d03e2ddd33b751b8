package browser

import "testing"

// tables lists those that scroll: how wide the box is that shows them, how wide they are,
// and how narrow they could be. Whatever is folded is open.
const tables = `(() => {
	for (const d of document.querySelectorAll("details")) d.open = true;
	return [...document.querySelectorAll(".scroll")].map(box => {
		const table = box.querySelector("table"), name = (box.closest("figure") || {}).id || "";
		const found = {name, box: box.clientWidth, table: box.scrollWidth, columns: table.rows[0].cells.length,
			left: box.getBoundingClientRect().left, right: box.getBoundingClientRect().right};
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
}

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
				if x.Columns <= 4 {
					t.Errorf("%s at %d px: %s has %d columns and is cut: %.0f px of %.0f", name, width, x.Name, x.Columns, x.Box, x.Table)
				}
			}
		}
	}
}
