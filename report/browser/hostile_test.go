package browser

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// foreign lists what a document holds that a page of ours does not: scripts, handlers
// of events, frames, forms, addresses of other kinds, and tables whose rows
// have other numbers of cells than their heads.
const foreign = `(document => {
	const bad = [];
	for (const e of document.querySelectorAll("*")) {
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

// A name is text wherever it comes from a plan: no page, and no figure opened
// by itself, runs, asks for or links to anything that a name says, and no table
// loses its shape.
func TestHostileNames(t *testing.T) {
	needBrowser(t)
	for i := 0; i < hostiles; i += hostileStep {
		t.Run(hostile(i), func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.resize(1280, 900)
			b.hostileSite(hostile(i))
		})
	}
}

// hostileSite opens the page of a site of hostile names, and its figures, each in a frame of one
// page.
func (b *tab) hostileSite(below string) {
	b.t.Helper()
	harmless := func(at, script string) {
		b.t.Helper()
		b.visit(address+"/"+at, "light")
		for _, found := range evaluate[[]string](b, script) {
			b.t.Errorf("%s: %s", at, found)
		}
		b.sound(at, address)
	}
	harmless(below+"/index.html", foreign+"(document)")
	figures, err := filepath.Glob(filepath.Join(siteDir, below, "figures", "*.svg"))
	if err != nil || len(figures) == 0 {
		b.t.Fatalf("no figures of %s (%v)", below, err)
	}
	frames := "<!doctype html><title>Figures</title>\n"
	for _, path := range figures {
		text, err := os.ReadFile(path)
		must(b.t, err)
		if err := wellFormed(string(text)); err != nil {
			b.t.Errorf("%s: %v", path, err)
		}
		if !strings.Contains(path, "-narrow") { // which has the same names in other places
			frames += `<iframe src="figures/` + filepath.Base(path) + `"></iframe>` + "\n"
		}
	}
	must(b.t, os.WriteFile(filepath.Join(siteDir, below, "frames.htm"), []byte(frames), 0o644))
	harmless(below+"/frames.htm", `[...document.querySelectorAll("iframe")].flatMap(f => {
		const figure = f.contentDocument;
		if (figure?.documentElement.localName !== "svg") return [f.src + " is not shown"];
		return `+foreign+`(figure).map(found => f.src + ": " + found);
	})`)
}

func wellFormed(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}
