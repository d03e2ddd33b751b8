package browser

import (
	"bytes"
	"fmt"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// folds lists the anchors of the folded tables of a page.
const folds = `[...document.querySelectorAll("details.fold figure")].map(f => f.id)`

// A link to a folded table opens it, whether it comes from elsewhere or from the page, and
// opens no other; until then its caption alone is seen.
func TestLinksOpenFolds(t *testing.T) {
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
	var checked atomic.Int64
	t.Run("pages", func(t *testing.T) {
		everyPage(t, func(b *tab, name string) {
			b.resize(1280, 900)
			b.visit(address+"/"+name, "light")
			ids := evaluate[[]string](b, folds)
			if len(ids) == 0 {
				return
			}
			checked.Add(1)
			id := ids[len(ids)-1]
			if f := evaluate[fold](b, fmt.Sprintf("%s(%q)", state, id)); f.Open || f.Others > 0 {
				b.t.Errorf("%s: %s is open before anyone asks for it", name, id)
			}
			const follow = `new Promise(done => { const a = document.createElement("a"); a.href = "#" + %q; document.body.append(a); a.click(); a.remove(); requestAnimationFrame(() => setTimeout(() => done(true), 50)); })`
			evaluate[bool](b, fmt.Sprintf(follow, id))
			if f := evaluate[fold](b, fmt.Sprintf("%s(%q)", state, id)); !f.Open || f.Others > 0 || !f.Seen {
				b.t.Errorf("%s: a link of the page leaves %s as %+v", name, id, f)
			}
			b.visit("about:blank", "light")
			b.visit(address+"/"+name+"#"+ids[0], "light")
			evaluate[bool](b, `new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 50)))`)
			if f := evaluate[fold](b, fmt.Sprintf("%s(%q)", state, ids[0])); !f.Open || f.Others > 0 || !f.Seen {
				b.t.Errorf("%s: a link from elsewhere leaves %s as %+v", name, ids[0], f)
			}
		})
	})
	if checked.Load() == 0 {
		t.Error("no page has a folded table")
	}
}

// sheet is a page of a PDF.
var sheet = regexp.MustCompile(`/Type\s*/Page\b`)

// paper is a size of paper in inches.
type paper struct{ width, height float64 }

var a4, letter = paper{8.27, 11.69}, paper{8.5, 11}

// printed is how many sheets of A4 a page takes.
func printed(b *tab) int { return printedOn(b, a4) }

// printedOn is how many sheets of a paper a page takes, in the styles of print, which a tab
// that shows a screen would leave out.
func printedOn(b *tab, on paper) int {
	b.t.Helper()
	b.emulate("print", "light")
	pdf, err := chromedp.Call(b, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: on.width, PaperHeight: on.height})
	must(b.t, err)
	return len(sheet.FindAll(bytes.ReplaceAll(pdf.Data, []byte("/Type /Pages"), nil), -1))
}

// The checks print on ten sheets at most: the list of gates is folded, and is printed only
// by who has opened it.
func TestPrintedChecks(t *testing.T) {
	whole(t)
	b := open(t)
	b.resize(1280, 900)
	b.visit(address+"/checks.html", "light")
	folded := printed(b)
	if folded < 1 || folded > 10 {
		t.Errorf("the checks take %d sheets", folded)
	}
	evaluate[bool](b, `(document.querySelectorAll("details").forEach(d => d.open = true), true)`)
	if opened := printed(b); opened < folded+3 {
		t.Errorf("with every list of gates open the checks take %d sheets, and %d without", opened, folded)
	}
}
