package browser

import (
	"os"
	"path/filepath"
	"testing"
)

// The handout prints on two sheets, of the paper of either side of the Atlantic.
func TestHandoutIsTwoSheets(t *testing.T) {
	b := open(t)
	b.resize(1280, 900)
	b.visit(address+"/handout.html", "light")
	evaluate[layout](b, measure) // loads the figure
	for name, on := range map[string]paper{"A4": a4, "Letter": letter} {
		if n := printedOn(b, on); n != 2 {
			t.Errorf("the handout takes %d sheets of %s", n, name)
		}
	}
}

// revealed says of all answers of the page whether they are open, what is seen of them, and
// where they and the tasks stand.
const revealed = `(() => {
	const all = [...document.querySelectorAll("main > .reveal")];
	const box = e => e.getBoundingClientRect();
	return {
		count: all.length, tasks: document.querySelectorAll("main > h3").length, open: all.filter(d => d.open).length,
		empty: all.filter(d => d.textContent.replace(d.querySelector("summary").textContent, "").trim().length < 80).length,
		seen: all.filter(d => box(d).height > 2 * box(d.querySelector("summary")).height).length,
		first: Math.min(...all.map(d => box(d).top)), last: Math.max(...[...document.querySelectorAll("main > h3")].map(h => box(h).bottom)),
	};
})()`

// Every question has an answer, which nobody sees who has not asked for it; one opens alone.
// On paper all are seen, below the last question.
func TestAnswersWaitToBeAsked(t *testing.T) {
	b := open(t)
	b.resize(1280, 900)
	b.visit(address+"/quiz.html", "light")
	type state struct {
		Count, Tasks, Open, Empty, Seen int
		First, Last                     float64
	}
	s := evaluate[state](b, revealed)
	if s.Count < 10 || s.Count != s.Tasks || s.Open != 0 || s.Seen != 0 || s.Empty != 0 {
		t.Errorf("on the screen: %+v", s)
	}
	// A note in the margin would be hidden with the answer that it stands in.
	if evaluate[float64](b, `document.querySelector(".footnotes").getBoundingClientRect().height`) < 20 {
		t.Error("nobody can read which texts the answers speak of")
	}
	// A choice, by click or by key, says why it is right or wrong, and no other does.
	const why = `[...document.querySelectorAll(".choices .why")].filter(e => e.checkVisibility()).map(e => e.textContent.trim().slice(0, 5))`
	if said := evaluate[[]string](b, why); len(said) != 0 {
		t.Errorf("before anything is chosen the page says %q", said)
	}
	evaluate[bool](b, `(document.querySelector("label[for=choice-1-1]").click(), document.querySelector("#choice-1-1").focus(), true)`)
	if said := evaluate[[]string](b, why); len(said) != 1 || said[0] != "No. T" {
		t.Errorf("the first choice says %q", said)
	}
	b.press("\u0301") // arrow down
	if said := evaluate[[]string](b, why); len(said) != 1 || said[0] != "Right" {
		t.Errorf("the second choice says %q", said)
	}
	evaluate[bool](b, `(document.querySelectorAll("main > .reveal > summary")[2].click(), true)`)
	if s := evaluate[state](b, revealed); s.Open != 1 || s.Seen != 1 {
		t.Errorf("after one was asked for: %+v", s)
	}
	b.visit(address+"/quiz.html", "light")
	b.emulate("print", "light")
	if s := evaluate[state](b, revealed); s.Open != 0 || s.Seen != s.Count || s.First <= s.Last {
		t.Errorf("on paper: %+v", s)
	}
	b.sound("quiz.html", address)
}

// lines are what a figure's fold offers for other pages.
const lines = `[...document.querySelectorAll("#figure-scaled .reveal pre")].map(p => p.textContent.trim())`

// The line that a figure offers shows it on an empty page beside the folder of figures, as
// large as here where there is room, and leads back. It scrolls in its box on a telephone.
func TestEmbeddedFigure(t *testing.T) {
	b := open(t)
	b.resize(390, 900)
	b.visit(address+"/index.html", "light")
	found := evaluate[[]string](b, lines)
	if len(found) != 2 {
		t.Fatalf("the first figure offers %q", found)
	}
	evaluate[bool](b, `(document.querySelectorAll(".reveal").forEach(d => d.open = true), true)`)
	const scrolls = `(() => { const p = document.querySelector("#figure-scaled .reveal pre"), r = document.documentElement;
		return p.scrollWidth > p.clientWidth && p.getBoundingClientRect().right <= innerWidth && r.scrollWidth <= r.clientWidth })()`
	if !evaluate[bool](b, scrolls) {
		t.Error("the line does not scroll in its box alone at 390 px")
	}
	other := filepath.Join(siteDir, "another.html")
	must(t, os.WriteFile(other, []byte("<!doctype html>\n<meta charset=utf-8>\n<meta name=viewport content=\"width=device-width\">\n<title>Another</title>\n"+found[0]+"\n"), 0o644))
	defer os.Remove(other)
	const shown = `(async () => {
		const i = document.images[0];
		await i.decode().catch(() => {});
		return { images: document.images.length, natural: i.naturalWidth, width: i.clientWidth, height: i.clientHeight, wanted: +i.getAttribute("width"), tall: +i.getAttribute("height"),
			alt: i.alt, link: i.closest("a").href, credit: document.querySelector("figcaption").textContent, sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth };
	})()`
	type embedded struct {
		Images, Natural, Width, Height, Wanted, Tall, Sideways int
		Alt, Link, Credit                                      string
	}
	for _, width := range []int64{1280, 390} {
		b.resize(width, 900)
		b.visit(address+"/another.html", "light")
		e := evaluate[embedded](b, shown)
		fits := e.Width == e.Wanted && e.Height == e.Tall
		if width < int64(e.Wanted) {
			fits = e.Width < int(width) && e.Width > int(width)/2 && abs(e.Height*e.Wanted-e.Width*e.Tall) <= 2*e.Wanted
		}
		if e.Images != 1 || e.Natural == 0 || !fits || e.Sideways > 0 || len(e.Alt) < 20 || e.Credit == "" {
			t.Errorf("at %d px: %+v", width, e)
		}
		b.visit(e.Link, "light")
		if !evaluate[bool](b, `document.querySelector(":target .chart, .chart:target") !== null`) {
			t.Errorf("the picture leads to %s, which does not show it", e.Link)
		}
	}
	b.sound("another.html", address)
}

func abs(x int) int { return max(x, -x) }
