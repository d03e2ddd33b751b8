package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"mcsim/report/internal/sample"
	reportpage "mcsim/report/page"
	"mcsim/report/site"
	"mcsim/sim/attention/example"
)

// buildLab compiles the lab's program as the Makefile does, into a folder that a site is
// made from.
func buildLab(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	program := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w",
		"-o", filepath.Join(dir, "lab.wasm"), "mcsim/cmd/lab")
	program.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := program.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	runtime, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "wasm_exec.js"), runtime, 0o644)
}

// labFile is the lab as a file, which is how most people will open it.
func labFile() string { return "file://" + filepath.Join(siteDir, "lab.html") }

// hasStarted is true once the lab shows a row.
const hasStarted = `!document.getElementById("shown").hidden`

// openLab opens the lab from its file, in the state of a link.
func openLab(t *testing.T, state string) *tab {
	t.Helper()
	b := open(t)
	b.resize(1280, 1000)
	b.visit(labFile()+state, "light")
	b.until("it has started", hasStarted)
	return b
}

// follow follows a link to another state of the lab that is open.
func (b *tab) follow(state string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`new Promise(done => {
		addEventListener("hashchange", () => done(true), {once: true}); // after the page's own listener
		location.hash = %q;
	})`, state))
}

// until waits for what a script says.
func (b *tab) until(what, script string) {
	b.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !evaluate[bool](b, script); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("after two minutes it is not so that %s; the lab says %q", what, b.message())
		}
	}
}

// message is what the lab says.
func (b *tab) message() string {
	b.t.Helper()
	return evaluate[string](b, `document.getElementById("lab-say").textContent`)
}

// numbers is the line of numbers of the row that is shown.
func (b *tab) numbers() string {
	b.t.Helper()
	return evaluate[string](b, `document.getElementById("numbers").textContent`)
}

// request is the request that the controls make, and field one of its fields.
func (b *tab) request() string {
	b.t.Helper()
	return evaluate[string](b, `JSON.stringify(request())`)
}

func (b *tab) field(name string) string {
	b.t.Helper()
	return evaluate[string](b, fmt.Sprintf(`request()[%q] ?? ""`, name))
}

// answer is what the lab's program answers to the controls.
func (b *tab) answer() []byte {
	b.t.Helper()
	return []byte(evaluate[string](b, `mcsim.answer(JSON.stringify(request()))`))
}

// shows waits until the pictures are those of the controls.
func (b *tab) shows() {
	b.t.Helper()
	b.until("the pictures follow the controls", `JSON.stringify(asked) === JSON.stringify(request())`)
}

// focus, press and write work as a reader's keyboard does.
func (b *tab) focus(selector string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`(e => { e.focus(); return true })(document.querySelector(%q))`, selector))
}

func (b *tab) press(keys string) {
	b.t.Helper()
	must(b.t, chromedp.Do(b, chromedp.KeyEvent(keys)))
}

func (b *tab) write(id, text string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`(e => { e.focus(); e.select(); return true })(document.getElementById(%q))`, id))
	b.press(text)
}

// centre is where an element can be touched, in the window.
func (b *tab) centre(selector string, part float64) (x, y float64) {
	b.t.Helper()
	at := evaluate[[]float64](b, fmt.Sprintf(`(e => {
		e.scrollIntoView({block: "end"});
		const r = e.getBoundingClientRect();
		return [r.left + r.width * %v, r.top + r.height / 2];
	})(document.querySelector(%q))`, part, selector))
	return at[0], at[1]
}

// Ten states of the page, each in a link, have the row that the command of the page
// prints, to the bit: what was drawn, and what softmax makes of it.
func TestLabIsTheProgram(t *testing.T) {
	b := openLab(t, "")
	program := filepath.Join(t.TempDir(), "mcsim")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "mcsim/cmd/mcsim")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, c := range []struct{ state, condition string }{
		{"d_k=1&exponent=0", "true"},
		{"d_k=8&exponent=0&row=5", "true"},
		{"d_k=64&exponent=0&row=1023", "true"},
		{"d_k=256&exponent=0&row=7", "true"},
		{"d_k=256&exponent=0&row=" + spreadRow(b), `a.scalings[0].label === "spread"`},
		{"d_k=64&keys=2&temperature=8&row=3", "true"},
		{"d_k=64&keys=64&rule=sqrt(d_k/2)&seed=9007199254740991", "true"},
		{"distribution=rademacher&d_k=4&keys=16&row=11", `new Set(a.scores).size < a.scores.length`},
		{"d_k=256&exponent=1&rho=0.5&row=2", `a.cell.startsWith("alignment/")`},
		{"distribution=uniform&d_k=100&keys=5&exponent=1/3&sd=1.5&mean=-0.25&rho=-0.3&seed=0", "true"},
	} {
		b.follow("#" + c.state + "&hold=no")
		b.shows()
		if !evaluate[bool](b, `(a => `+c.condition+`)(JSON.parse(mcsim.answer(JSON.stringify(request()))))`) {
			t.Errorf("%s is not such a state: %s", c.state, c.condition)
		}
		line := evaluate[string](b, `document.getElementById("command").value`)
		args := strings.Fields(strings.ReplaceAll(line, `"`, ""))
		printed, err := exec.Command(program, args[1:]...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v: %s", line, err, printed)
		}
		want, got := fieldsOf(t, printed), fieldsOf(t, b.answer())
		if len(want) < 7 {
			t.Fatalf("%s prints %s", line, printed)
		}
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s: %s is %s, and %s prints %s", c.state, name, got[name], line, text)
			}
		}
	}
	b.sound("the lab", "file://"+siteDir)
}

// spreadRow returns the number of a row of 256 components whose label is spread without a scale.
func spreadRow(b *tab) string {
	return evaluate[string](b, `(() => { for (let i = 0; i < 1000; i++) {
		const request = {hold: "no", d_k: "256", exponent: "0", row: String(i)};
		if (JSON.parse(mcsim.answer(JSON.stringify(request))).scalings[0].label === "spread") return String(i);
	} return "none" })()`)
}

// fieldsOf are the fields of a JSON object as compact text.
func fieldsOf(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var raw map[string]json.RawMessage
	must(t, json.Unmarshal(text, &raw))
	out := map[string]string{}
	for name, value := range raw {
		var b bytes.Buffer
		must(t, json.Compact(&b, value))
		out[name] = b.String()
	}
	return out
}

// Every control works by keyboard, changes what is shown, and stands in the address, from
// which the state comes back.
func TestLabByKeyboard(t *testing.T) {
	const arrowRight, space = "\u0303", " "
	b := openLab(t, "")
	pictures := func() string {
		return b.numbers() + evaluate[string](b,
			`document.getElementById("weights").outerHTML + document.getElementById("walks").innerHTML`)
	}
	before := pictures()
	changed := func(control string) {
		t.Helper()
		b.shows()
		now := pictures()
		if now == before {
			t.Errorf("%s changes no picture", control)
		}
		before = now
		state, link := b.request(), evaluate[string](b, `document.getElementById("link").value`)
		if here := evaluate[string](b, "location.href"); here != link {
			t.Errorf("%s: the address is %s, the link %s", control, here, link)
		}
		if back := evaluate[string](b, `(restore(), JSON.stringify(request()))`); back != state {
			t.Errorf("%s: the link brings back %s of %s", control, back, state)
		}
	}
	is := func(name, want string) {
		t.Helper()
		if got := b.field(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	type control struct{ id, text string }
	types := func(c control) {
		t.Helper()
		b.write(c.id, c.text)
		is(c.id, c.text)
		changed(c.id)
	}
	slides := func(id string) {
		t.Helper()
		b.focus(`[type=range][data-of="` + id + `"]`)
		b.press(arrowRight)
		changed("the slider of " + id)
	}
	pressing := func(selector string) {
		t.Helper()
		b.focus(selector)
		b.press(space)
	}
	for _, c := range []control{
		{"d_k", "96"}, {"keys", "12"}, {"row", "3"}, {"seed", "2"}, {"exponent", "1/3"}, {"temperature", "5"},
	} {
		types(c)
	}
	for _, id := range []string{"d_k", "keys", "exponent", "temperature"} {
		slides(id)
	}
	for _, selector := range []string{"#by-power", "#by-rule"} {
		pressing(selector)
		changed(selector)
	}
	b.focus("#distribution")
	b.press("u")
	is("distribution", "uniform")
	changed("distribution")
	pressing("#breakers summary")
	if !evaluate[bool](b, `document.getElementById("breakers").open`) {
		t.Error("the assumptions do not open")
	}
	for _, c := range []control{{"sd", "2"}, {"mean", "0.5"}, {"rho", "-0.25"}} {
		types(c)
		slides(c.id)
	}
	if !evaluate[bool](b, `document.getElementById("command-line").hidden`) {
		t.Error("a held row has a command")
	}
	for _, c := range []struct{ button, field, want string }{{"hold", "hold", "no"}, {"resample", "row", "4"}} {
		pressing("#" + c.button)
		is(c.field, c.want)
		changed(c.button)
	}
	pressing("#copy")
	b.until("it says that the link can be taken",
		`/^(Copied|It is marked)/.test(document.getElementById("lab-say").textContent)`)
	pressing("#reset")
	is("hold", "yes")
	is("d_k", "4")
	changed("reset")
	b.sound("the lab", "file://"+siteDir)
}

// A held row is not drawn again: with other lengths, keys and divisors its scores are those
// that its walks have there.
func TestLabHolds(t *testing.T) {
	b := openLab(t, "#hold=yes&d_k=1024&keys=8&row=3")
	type answer struct {
		Scores []float64
		Walks  struct {
			Components []int
			Sums       [][]float64
		}
	}
	ask := func() (a answer) {
		t.Helper()
		b.shows()
		must(t, json.Unmarshal(b.answer(), &a))
		return a
	}
	whole := ask()
	compared := 0
	for _, change := range []struct{ id, text string }{
		{"d_k", "512"}, {"exponent", "1"}, {"d_k", "8"}, {"keys", "4"}, {"temperature", "3"}, {"keys", "64"},
		{"d_k", "1"},
	} {
		b.write(change.id, change.text)
		now := ask()
		d := evaluate[int](b, `Number(asked.d_k)`)
		for j := range min(8, len(now.Scores)) {
			for i, at := range whole.Walks.Components {
				if at != d {
					continue
				}
				compared++
				if now.Scores[j] != whole.Walks.Sums[j][i] {
					t.Errorf("%s = %s: score %d is %v, the walk is at %v",
						change.id, change.text, j+1, now.Scores[j], whole.Walks.Sums[j][i])
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d scores compared", compared)
	}
}

// cutOff lists elements of the lab whose content does not fit.
const cutOff = `[...document.querySelectorAll("#lab *")].filter(e =>
	e.scrollHeight > e.clientHeight + 1 && e.clientHeight && /hidden|clip/.test(getComputedStyle(e).overflowY) ||
	e.matches("td,th,caption,span,label") && e.scrollWidth > e.clientWidth + 1 && e.clientWidth
).map(e => e.outerHTML.slice(0, 120))`

// allCounted is true once all rows like the one shown are counted.
const allCounted = `document.getElementById("many").dataset.rows === "1000"`

// On a telephone the lab is used with a thumb: what a control changes is in sight while it
// is touched, nothing scrolls sideways, and it is fit for all, in the dark too, with few
// keys or many.
func TestLabByTouch(t *testing.T) {
	const inSight = `(e => {
		const r = e.getBoundingClientRect();
		return r.top >= 0 && r.bottom <= innerHeight;
	})(document.getElementById("numbers"))`
	axe := accessibility(t)
	b := open(t)
	b.resize(390, 844)
	_, err := chromedp.Call(b, emulation.SetTouchEmulationEnabled,
		emulation.SetTouchEmulationEnabledParams{Enabled: true})
	must(t, err)
	b.visit(labFile(), "light")
	b.until("it has started", hasStarted)
	for _, look := range []struct{ scheme, state string }{
		{"light", "#keys=16&rho=0.5&exponent=1"},
		{"dark", "#keys=64&distribution=rademacher&d_k=2&hold=yes"},
	} {
		b.resize(390, 844)
		b.emulate("screen", look.scheme)
		b.follow("#d_k=16")
		for _, c := range []struct {
			selector string
			part     float64
			field    string
		}{
			{`[data-of="d_k"]`, 0.9, "d_k"}, {`[data-of="keys"]`, 0.5, "keys"}, {"#hold", 0.5, "hold"},
			{"#resample", 0.5, "row"}, {"#by-rule", 0.5, "rule"}, {`[data-of="temperature"]`, 0.3, "temperature"},
		} {
			before := b.field(c.field)
			b.tap(b.centre(c.selector, c.part))
			b.until("a touch of "+c.selector+" changes "+c.field,
				fmt.Sprintf(`(request()[%q] ?? "") !== %q`, c.field, before))
			b.shows()
			if !evaluate[bool](b, inSight) {
				t.Errorf("%s: while %s is touched, what it changes is out of sight", look.scheme, c.selector)
			}
		}
		b.follow(look.state)
		b.until("all rows are counted", allCounted)
		if cut := evaluate[[]string](b, cutOff); len(cut) > 0 {
			t.Errorf("%s, %s: cut off: %q", look.state, look.scheme, cut)
		}
		if l := evaluate[layout](b, measure); l.Sideways > 0 {
			t.Errorf("%s, %s: the lab scrolls sideways by %d px", look.state, look.scheme, l.Sideways)
		}
		b.sound("the lab", "file://"+siteDir)
		b.accessible("the lab with "+look.state, look.scheme, axe)
		b.forget() // that axe asks for style sheets, which the policy forbids
	}
}

// tap touches the window at a point.
func (b *tab) tap(x, y float64) {
	b.t.Helper()
	for _, step := range []input.DispatchTouchEventParams{
		{Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}}},
		{Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{}},
	} {
		_, err := chromedp.Call(b, input.DispatchTouchEvent, step)
		must(b.t, err)
	}
}

// Links within the page leave the state as it is; what a link has wrong is said.
func TestLabLinks(t *testing.T) {
	b := openLab(t, "#d_k=16&hold=yes&row=7")
	before := b.request()
	for _, part := range []string{"#main", "#try", "#how"} {
		evaluate[bool](b, fmt.Sprintf(`new Promise(done => {
			addEventListener("hashchange", () => done(true), {once: true});
			document.querySelector('a[href=%q]').click();
		})`, part))
		if now := b.request(); now != before {
			t.Errorf("a link to %s leaves %s of %s", part, now, before)
		}
	}
	says := func(link, want string) {
		t.Helper()
		if got := b.message(); !strings.Contains(got, want) {
			t.Errorf("%s: the lab says %q, want %q", link, got, want)
		}
	}
	for link, want := range map[string]string{
		"#distribution=x":           "distribution: unknown distribution",
		"#exponent=1&temperature=2": "are both given",
		"#hold=true":                "hold: ",
		"#junk=1":                   "no control",
		"#d_k=1e3&exponent=abc":     "exponent: ",
		"#rule=cosine":              "rule: ",
	} {
		b.follow(link)
		says(link, want)
		b.resize(1100, 900) // which draws again, and leaves the message
		b.resize(1280, 1000)
		says(link+" in another window", want)
	}
	b.follow("#d_k=1024&exponent=1")
	b.shows()
	if got := b.numbers(); !strings.HasSuffix(got, "spread") {
		t.Errorf("weights that are all alike are shown as %q", got)
	}
	b.visit("about:blank", "light")
	b.visit(labFile()+"#hold=true", "light") // as the page is opened
	b.until("it has started", hasStarted)
	says("#hold=true", "hold: ")
	b.sound("the lab", "file://"+siteDir)
}

// Rows that are counted are all counted, under both scalings; and what is typed wrongly is
// said in a line, with the range, while the last picture stays.
func TestLabCountsAndRefuses(t *testing.T) {
	const sums = `counted.scalings
		.flatMap(s => [s.max_weight, s.entropy_ratio, s.relative_trace, Object.values(s.labels)])
		.map(counts => counts.reduce((a, n) => a + n, 0))`
	b := openLab(t, "#d_k=32&keys=4")
	b.until("all rows are counted", allCounted)
	if got := fmt.Sprint(evaluate[[]int](b, sums)); got != "[1000 1000 1000 1000 1000 1000 1000 1000]" {
		t.Errorf("rows are counted as %v", got)
	}
	before := b.numbers()
	evaluate[bool](b, `document.getElementById("breakers").open = true`)
	for _, c := range []struct{ id, text, want string }{
		{"d_k", "0", "d_k: 0 is not in 1..1024"}, {"d_k", "2000", "1..1024"},
		{"keys", "1", "keys: 1 is not in 2..64"}, {"exponent", "x", "exponent: "},
		{"rho", "2", "rho: 2 is not in -1..1"}, {"temperature", "-1", "temperature: "},
		{"sd", "0", "sd: 0 is not in 0.001..1000"}, {"row", "1.5", "row: "},
		{"seed", "9007199254740992", "seed: "},
	} {
		was := evaluate[string](b, fmt.Sprintf(`(e => {
			const was = e.value;
			e.value = %q;
			e.dispatchEvent(new Event("input", {bubbles: true}));
			return was;
		})(document.getElementById(%q))`, c.text, c.id))
		b.until("it refuses "+c.id+" "+c.text, fmt.Sprintf(
			`document.getElementById("lab-say").textContent.includes(%q) &&
			document.getElementById(%q).getAttribute("aria-invalid") === "true"`, c.want, c.id))
		if now := b.numbers(); now != before {
			t.Errorf("%s = %s changes the picture", c.id, c.text)
		}
		b.write(c.id, was)
		if c.id == "temperature" || c.id == "exponent" {
			evaluate[bool](b, `(document.getElementById("by-power").click(), true)`)
		}
		b.until("the fault is gone", `document.getElementById("lab-say").textContent === ""`)
		b.shows()
	}
}

// Without scripts, and in a copy that was built without the program, the page says so.
func TestLabSaysWhatIsMissing(t *testing.T) {
	const text = `document.getElementById("lab").innerText`
	b := open(t)
	says := func(where, said string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(said, want) {
				t.Errorf("%s the lab says %q, which lacks %q", where, said, want)
			}
		}
	}
	disableScripts := func(value bool) {
		t.Helper()
		params := emulation.SetScriptExecutionDisabledParams{Value: value}
		_, err := chromedp.Call(b, emulation.SetScriptExecutionDisabled, params)
		must(t, err)
	}
	disableScripts(true)
	b.visit(labFile(), "light")
	says("without scripts", evaluate[string](b, text), "needs scripts", "mcsim probe")
	disableScripts(false)
	// Where the browser has no WebAssembly, a picture stands there with the command.
	added, err := chromedp.Call(b, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete window.WebAssembly"})
	must(t, err)
	b.visit(labFile(), "light")
	still := evaluate[string](b, `(async () => {
		const i = document.querySelector("#still img");
		i.loading = "eager";
		await i.decode().catch(() => {});
		return i.checkVisibility() && i.naturalWidth > 0 ? `+text+` : "no picture";
	})()`)
	says("without WebAssembly", still, "WebAssembly", "mcsim probe")
	_, err = chromedp.Call(b, page.RemoveScriptToEvaluateOnNewDocument,
		page.RemoveScriptToEvaluateOnNewDocumentParams(added))
	must(t, err)
	dir := t.TempDir()
	doc := sample.Essay()
	doc.Examples = example.NewExamples()
	_, err = site.Write(doc, reportpage.Run{}, dir, site.Options{Lab: fstest.MapFS{}})
	must(t, err)
	b.visit("file://"+filepath.Join(dir, "lab.html"), "light")
	says("without its program", evaluate[string](b, text), "without the lab's program", "make report")
	b.sound("the lab", "file://"+dir, "file://"+siteDir)
}

// The lab's policy allows its own scripts and nothing else: no other script, no request,
// no frame.
func TestLabIsStrict(t *testing.T) {
	b := openLab(t, "")
	b.sound("the lab", "file://"+siteDir)
	for what, script := range map[string]string{
		"a script of its own": `(() => {
			const s = document.createElement("script");
			s.textContent = "window.intruded = true";
			document.body.append(s);
			return !window.intruded;
		})()`,
		"a handler in markup": `(() => {
			const e = document.createElement("button");
			e.setAttribute("onclick", "window.handled = true");
			document.body.append(e);
			e.click();
			return !window.handled;
		})()`,
		"a request": `fetch("https://example.org/").then(() => false, () => true)`,
		"an image elsewhere": `new Promise(done => {
			const i = new Image();
			i.onload = () => done(false);
			i.onerror = () => done(true);
			i.src = "https://example.org/i.png";
		})`,
		"a worker": `(() => {
			try { new Worker(URL.createObjectURL(new Blob(["1"]))) } catch { }
			return true; // the refusal is an event, counted below
		})()`,
	} {
		if !evaluate[bool](b, script) {
			t.Errorf("the lab's policy allows %s", what)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	refused := 0
	for _, f := range b.faults {
		if strings.Contains(f, "Content Security Policy") {
			refused++
		}
	}
	if refused < 4 {
		t.Errorf("the browser speaks of %d violations: %q", refused, b.faults)
	}
}
