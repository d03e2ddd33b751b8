package browser

import (
	"bytes"
	"fmt"
	"regexp"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// folds lists the anchors of the folded tables of a page.
const folds = `[...document.querySelectorAll("details.fold figure")].map(f => f.id)`

// foldsOpen follows a link to the last folded table of the page that is open: it opens that
// table and no other, of which until then the caption alone is seen.
func (b *tab) foldsOpen(name string, all *seen) {
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
	ids := evaluate[[]string](b, folds)
	if len(ids) == 0 {
		return
	}
	all.folds.Add(1)
	id := ids[len(ids)-1]
	if f := evaluate[fold](b, fmt.Sprintf("%s(%q)", state, id)); f.Open || f.Others > 0 {
		b.t.Errorf("%s: %s is open before anyone asks for it", name, id)
	}
	const follow = `new Promise(done => { const a = document.createElement("a"); a.href = "#" + %q; document.body.append(a); a.click(); a.remove(); requestAnimationFrame(() => setTimeout(() => done(true), 50)); })`
	evaluate[bool](b, fmt.Sprintf(follow, id))
	if f := evaluate[fold](b, fmt.Sprintf("%s(%q)", state, id)); !f.Open || f.Others > 0 || !f.Seen {
		b.t.Errorf("%s: a link of the page leaves %s as %+v", name, id, f)
	}
}

// sheet is a page of a PDF.
var sheet = regexp.MustCompile(`/Type\s*/Page\b`)

// paper is a size of paper in inches.
type paper struct{ width, height float64 }

var a4, letter = paper{8.27, 11.69}, paper{8.5, 11}

// printedOn is how many sheets of a paper a page takes, in the styles of print, which a tab
// that shows a screen would leave out.
func printedOn(b *tab, on paper) int {
	b.t.Helper()
	b.emulate("print", "light")
	pdf, err := chromedp.Call(b, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: on.width, PaperHeight: on.height})
	must(b.t, err)
	return len(sheet.FindAll(bytes.ReplaceAll(pdf.Data, []byte("/Type /Pages"), nil), -1))
}
