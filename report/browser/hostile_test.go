package browser

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// forbiddenScript is a function of a document that lists what the document must not have: scripts,
// event handlers, frames, forms, addresses from hostile names, and tables whose rows have different
// numbers of cells.
const forbiddenScript = `(document => {
	const bad = [];
	for (const e of document.querySelectorAll("*")) {
		if (e.closest("#strip") || e.matches("#strip + script")) continue; // part of the first page
		const kind = e.localName;
		if (/^(script|iframe|object|embed|form|input|base|frame)$/i.test(kind)) bad.push("<" + kind + ">");
		for (const a of e.attributes) {
			if (/^on/i.test(a.name)) bad.push(a.name + "=" + a.value);
			if (/^\s*javascript:/i.test(a.value)) bad.push(a.value);
			if (/^(src|srcset|poster|background)$/i.test(a.name) && /evil/.test(a.value)) bad.push(a.value);
			if (/^href$/i.test(a.name) && /evil/.test(a.value) && a.value[0] !== "#") bad.push(a.value);
		}
	}
	for (const t of document.querySelectorAll("table")) {
		const head = t.tHead ? t.tHead.rows[0].cells.length : t.rows[0].cells.length;
		for (const r of t.rows) {
			if (r.cells.length === head) continue;
			bad.push("a row of " + r.cells.length + " cells under " + head + ": " + r.innerText.slice(0, 80));
		}
	}
	return bad;
})`

// TestHostileNames checks that hostile names of a plan are text on pages and in figures: they do
// not run, load or link to anything, and do not add cells to tables.
func TestHostileNames(t *testing.T) {
	requireBrowser(t)
	for i := 0; i < hostileSites; i += hostileStep {
		t.Run(hostileFolder(i), func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.resize(1280, 900)
			b.checkHostileSite(hostileFolder(i))
		})
	}
}

// checkHostileSite checks the page of a site with hostile names, and then the figures of the site,
// which it shows on another page in frames.
func (b *tab) checkHostileSite(folder string) {
	b.t.Helper()
	checkPage := func(path, script string) {
		b.t.Helper()
		b.visit(address+"/"+path, "light")
		for _, found := range evaluate[[]string](b, script) {
			b.t.Errorf("%s must not have %s", path, found)
		}
		b.checkFaults(path, address)
	}
	checkPage(folder+"/index.html", forbiddenScript+"(document)")
	figures, err := filepath.Glob(filepath.Join(siteDir, folder, "figures", "*.svg"))
	if err != nil || len(figures) == 0 {
		b.t.Fatalf("found no figures in %s (%v)", folder, err)
	}
	frames := "<!doctype html><title>Figures</title>\n"
	for _, path := range figures {
		text, err := os.ReadFile(path)
		must(b.t, err)
		if err := checkWellFormed(string(text)); err != nil {
			b.t.Errorf("%s: %v", path, err)
		}
		if !strings.Contains(path, "-narrow") { // a narrow variant shows the same names
			frames += `<iframe src="figures/` + filepath.Base(path) + `"></iframe>` + "\n"
		}
	}
	must(b.t, os.WriteFile(filepath.Join(siteDir, folder, "frames.htm"), []byte(frames), 0o644))
	checkPage(folder+"/frames.htm", `[...document.querySelectorAll("iframe")].flatMap(f => {
		const figure = f.contentDocument;
		if (figure?.documentElement.localName !== "svg") return [f.src + " is not shown"];
		return `+forbiddenScript+`(figure).map(found => f.src + ": " + found);
	})`)
}

// checkWellFormed returns an error if a text is not well-formed XML.
func checkWellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
