package browser

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestHandoutSheets checks that the handout prints on two sheets of A4 and of Letter paper.
func TestHandoutSheets(t *testing.T) {
	b := open(t)
	b.resize(1280, 900)
	b.visit(address+"/handout.html", "light")
	evaluate[layout](b, layoutScript) // loads the figure
	for name, size := range map[string]paper{"A4": a4, "Letter": letter} {
		if n := countSheets(b, size); n != 2 {
			t.Errorf("the handout prints on %d sheets of %s, want 2", n, name)
		}
	}
}

// answersScript returns the number of answers of the page, how many of them are open, visible or
// empty, and the number of tasks. It also returns the position of the first answer and of the last
// task.
const answersScript = `(() => {
	const answers = [...document.querySelectorAll("main > .reveal")];
	const box = e => e.getBoundingClientRect();
	return {
		count: answers.length,
		tasks: document.querySelectorAll("main > h3").length,
		open: answers.filter(d => d.open).length,
		empty: answers.filter(d =>
			d.textContent.replace(d.querySelector("summary").textContent, "").trim().length < 80).length,
		seen: answers.filter(d => box(d).height > 2 * box(d.querySelector("summary")).height).length,
		first: Math.min(...answers.map(d => box(d).top)),
		last: Math.max(...[...document.querySelectorAll("main > h3")].map(h => box(h).bottom)),
	};
})()`

// TestAnswersAreHidden checks that all answers and explanations are hidden at first, and that a
// reader can open each separately. On paper, all answers must be visible below the last question.
func TestAnswersAreHidden(t *testing.T) {
	b := open(t)
	b.resize(1280, 900)
	b.visit(address+"/quiz.html", "light")
	type state struct {
		Count, Tasks, Open, Empty, Seen int
		First, Last                     float64
	}
	s := evaluate[state](b, answersScript)
	if s.Count < 10 || s.Count != s.Tasks || s.Open != 0 || s.Seen != 0 || s.Empty != 0 {
		t.Errorf("on the screen, got %+v, want an answer for each of at least 10 tasks, all closed and none empty", s)
	}
	// A note in the margin would be hidden together with its answer.
	if evaluate[float64](b, `document.querySelector(".footnotes").getBoundingClientRect().height`) < 20 {
		t.Error("the sources of the answers are hidden")
	}
	// Only the explanation of the chosen choice is visible, after a click or a key press.
	const why = `[...document.querySelectorAll(".choices .why")]
		.filter(e => e.checkVisibility())
		.map(e => e.textContent.trim().slice(0, 5))`
	if texts := evaluate[[]string](b, why); len(texts) != 0 {
		t.Errorf("before a choice, the explanations %q are visible, want none", texts)
	}
	evaluate[bool](b, `(document.querySelector("label[for=choice-1-1]").click(),
		document.querySelector("#choice-1-1").focus(), true)`)
	if texts := evaluate[[]string](b, why); len(texts) != 1 || texts[0] != "No. T" {
		t.Errorf("after the first choice, the explanations %q are visible, want only the one of this choice", texts)
	}
	b.pressKeys("\u0301") // arrow down
	if texts := evaluate[[]string](b, why); len(texts) != 1 || texts[0] != "Right" {
		t.Errorf("after the second choice, the explanations %q are visible, want only the one of this choice", texts)
	}
	evaluate[bool](b, `(document.querySelectorAll("main > .reveal > summary")[2].click(), true)`)
	if s := evaluate[state](b, answersScript); s.Open != 1 || s.Seen != 1 {
		t.Errorf("after one answer was opened, %d are open and %d visible, want 1", s.Open, s.Seen)
	}
	b.visit(address+"/quiz.html", "light")
	b.emulate("print", "light")
	if s := evaluate[state](b, answersScript); s.Open != 0 || s.Seen != s.Count || s.First <= s.Last {
		t.Errorf("on paper, got %+v, want all answers closed on the screen, and visible below the last task", s)
	}
	b.checkFaults("quiz.html", address)
}

// embedScript returns the HTML and the Markdown that embed the first figure.
const embedScript = `[...document.querySelectorAll("#figure-scaled .reveal pre")].map(p => p.textContent.trim())`

// TestEmbeddedFigure puts the HTML that embeds a figure into another page. There, the figure must
// have the size that the HTML gives, or be smaller on a narrow screen, and must link to its
// original page. The test also checks that the box with the HTML scrolls on a telephone, and not
// the whole page.
func TestEmbeddedFigure(t *testing.T) {
	b := open(t)
	b.resize(390, 900)
	b.visit(address+"/index.html", "light")
	found := evaluate[[]string](b, embedScript)
	if len(found) != 2 {
		t.Fatalf("got %q to embed the first figure, want HTML and Markdown", found)
	}
	evaluate[bool](b, `(document.querySelectorAll(".reveal").forEach(d => d.open = true), true)`)
	const scrolls = `(() => {
		const p = document.querySelector("#figure-scaled .reveal pre"), root = document.documentElement;
		return p.scrollWidth > p.clientWidth && p.getBoundingClientRect().right <= innerWidth &&
			root.scrollWidth <= root.clientWidth;
	})()`
	if !evaluate[bool](b, scrolls) {
		t.Error("at 390 px, the line of HTML does not scroll in its box, or the whole page scrolls sideways")
	}
	file := filepath.Join(siteDir, "another.html")
	const start = "<!doctype html>\n<meta charset=utf-8>\n" +
		"<meta name=viewport content=\"width=device-width\">\n<title>Another</title>\n"
	must(t, os.WriteFile(file, []byte(start+found[0]+"\n"), 0o644))
	defer os.Remove(file)
	const shown = `(async () => {
		const i = document.images[0];
		await i.decode().catch(() => {});
		const root = document.documentElement;
		return {
			images: document.images.length, natural: i.naturalWidth, width: i.clientWidth, height: i.clientHeight,
			attributeWidth: +i.getAttribute("width"), attributeHeight: +i.getAttribute("height"),
			alt: i.alt, link: i.closest("a").href, credit: document.querySelector("figcaption").textContent,
			sideways: root.scrollWidth - root.clientWidth,
		};
	})()`
	type embedded struct {
		Images, Natural, Width, Height, AttributeWidth, AttributeHeight, Sideways int
		Alt, Link, Credit                                                         string
	}
	for _, width := range []int64{1280, 390} {
		b.resize(width, 900)
		b.visit(address+"/another.html", "light")
		e := evaluate[embedded](b, shown)
		if width >= int64(e.AttributeWidth) {
			if e.Width != e.AttributeWidth || e.Height != e.AttributeHeight {
				t.Errorf("at %d px, the picture has %d × %d px, want %d × %d px", width, e.Width, e.Height,
					e.AttributeWidth, e.AttributeHeight)
			}
		} else {
			if e.Width >= int(width) || e.Width <= int(width)/2 {
				t.Errorf("at %d px, the picture is %d px wide, want more than half of the screen", width, e.Width)
			}
			wantHeight := float64(e.Width*e.AttributeHeight) / float64(e.AttributeWidth)
			if math.Abs(float64(e.Height)-wantHeight) > 2 {
				t.Errorf("at %d px, the picture is %d px high, want %.1f px for its width", width, e.Height, wantHeight)
			}
		}
		if e.Images != 1 || e.Natural == 0 || e.Sideways > 0 {
			t.Errorf("at %d px, got %+v, want one picture that is loaded, on a page that does not scroll sideways",
				width, e)
		}
		if len(e.Alt) < 20 || e.Credit == "" {
			t.Errorf("at %d px, got the alternative text %q and the credit %q, want both", width, e.Alt, e.Credit)
		}
		b.visit(e.Link, "light")
		if !evaluate[bool](b, `document.querySelector(":target .chart, .chart:target") !== null`) {
			t.Errorf("the picture links to %s, which does not show the picture", e.Link)
		}
	}
	b.checkFaults("another.html", address)
}
