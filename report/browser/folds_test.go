package browser

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// foldsScript lists the anchors of the folded tables of a page.
const foldsScript = `[...document.querySelectorAll("details.fold figure")].map(f => f.id)`

// checkFoldLink follows a link to the last folded table of the open page. It checks that the link
// opens the table and scrolls to it, and that all other folds remain closed.
func (b *tab) checkFoldLink(name string, totals *counts) {
	b.t.Helper()
	const state = `(id => {
		const f = document.getElementById(id), r = f.getBoundingClientRect();
		return {
			open: f.closest("details").open,
			others: [...document.querySelectorAll("details[open]")].filter(d => !d.contains(f)).length,
			seen: r.height > 20 && r.bottom > 0 && r.top < innerHeight,
		};
	})`
	type fold struct {
		Open, Seen bool
		Others     int
	}
	ids := evaluate[[]string](b, foldsScript)
	if len(ids) == 0 {
		return
	}
	totals.folds.Add(1)
	id := ids[len(ids)-1]
	if f := evaluate[fold](b, fmt.Sprintf("%s(%q)", state, id)); f.Open || f.Others > 0 {
		b.t.Errorf("%s: before the link, the table %s is open: %v, and %d other folds are open; want all closed",
			name, id, f.Open, f.Others)
	}
	const follow = `new Promise(done => {
		const a = document.createElement("a");
		a.href = "#" + %q;
		document.body.append(a);
		a.click();
		a.remove();
		requestAnimationFrame(() => setTimeout(() => done(true), 50));
	})`
	evaluate[bool](b, fmt.Sprintf(follow, id))
	if f := evaluate[fold](b, fmt.Sprintf("%s(%q)", state, id)); !f.Open || f.Others > 0 || !f.Seen {
		b.t.Errorf("%s: after the link to the table %s, got %+v; want it open and in sight, and no others open",
			name, id, f)
	}
}

// pdfPage matches a page of a PDF.
var pdfPage = regexp.MustCompile(`/Type\s*/Page\b`)

// paper is a size of paper in inches.
type paper struct{ width, height float64 }

var a4, letter = paper{8.27, 11.69}, paper{8.5, 11}

// countSheets returns the number of sheets on which the open page prints.
func countSheets(b *tab, size paper) int {
	b.t.Helper()
	b.emulate("print", "light")
	pdf, err := chromedp.Call(b, page.PrintToPDF,
		page.PrintToPDFParams{PaperWidth: size.width, PaperHeight: size.height})
	must(b.t, err)
	return len(pdfPage.FindAll(bytes.ReplaceAll(pdf.Data, []byte("/Type /Pages"), nil), -1))
}
