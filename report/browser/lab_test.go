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

// buildLab compiles the program of the lab into a folder, in the same way as the Makefile.
func buildLab(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	program := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l",
		"-gcflags=mcsim/sim/...=", "-gcflags=math/...=", "-o", filepath.Join(dir, "lab.wasm"), "mcsim/cmd/lab")
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

// labAddress returns the address of the lab as a local file, which is how most readers open it.
func labAddress() string { return "file://" + filepath.Join(siteDir, "lab.html") }

// startedScript is true if the lab shows a row.
const startedScript = `!document.getElementById("shown").hidden`

// openLab opens the lab from its local file. state is the fragment of a link that describes a
// state.
func openLab(t *testing.T, state string) *tab {
	t.Helper()
	b := open(t)
	b.resize(1280, 1000)
	b.visit(labAddress()+state, "light")
	b.waitUntil("it has started", startedScript)
	return b
}

// followLink follows a link to another state of the open lab.
func (b *tab) followLink(state string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`new Promise(done => {
		addEventListener("hashchange", () => done(true), {once: true}); // after the page's own listener
		location.hash = %q;
	})`, state))
}

// waitUntil waits until a script returns true. condition describes in a failure message what was
// expected.
func (b *tab) waitUntil(condition, script string) {
	b.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !evaluate[bool](b, script); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("waited two minutes in vain until %s; the message of the lab is %q", condition, b.message())
		}
	}
}

// message returns the message that the lab shows.
func (b *tab) message() string {
	b.t.Helper()
	return evaluate[string](b, `document.getElementById("lab-say").textContent`)
}

// numbersLine returns the line with the numbers of the shown row.
func (b *tab) numbersLine() string {
	b.t.Helper()
	return evaluate[string](b, `document.getElementById("numbers").textContent`)
}

// currentRequest returns the request to the lab's program that the controls describe, as JSON.
func (b *tab) currentRequest() string {
	b.t.Helper()
	return evaluate[string](b, `JSON.stringify(request())`)
}

func (b *tab) requestField(name string) string {
	b.t.Helper()
	return evaluate[string](b, fmt.Sprintf(`request()[%q] ?? ""`, name))
}

// openFold opens the <details> element with the given id.
func (b *tab) openFold(id string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`document.getElementById(%q).open = true`, id))
}

// programAnswer returns the answer of the lab's program to the current request.
func (b *tab) programAnswer() []byte {
	b.t.Helper()
	return []byte(evaluate[string](b, `mcsim.answer(JSON.stringify(request()))`))
}

// waitForPictures waits until the pictures show the answer to the current request.
func (b *tab) waitForPictures() {
	b.t.Helper()
	b.waitUntil("the pictures follow the controls", `JSON.stringify(asked) === JSON.stringify(request())`)
}

// focus gives an element the keyboard focus.
func (b *tab) focus(selector string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`(e => { e.focus(); return true })(document.querySelector(%q))`, selector))
}

// pressKeys presses keys of the keyboard one after the other.
func (b *tab) pressKeys(keys string) {
	b.t.Helper()
	must(b.t, chromedp.Do(b, chromedp.KeyEvent(keys)))
}

// typeText replaces the text of an input field by typing.
func (b *tab) typeText(id, text string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`(e => { e.focus(); e.select(); return true })(document.getElementById(%q))`, id))
	b.pressKeys(text)
}

// pointIn scrolls to an element and returns a point in it, relative to the window. The point is at
// a fraction of the element's width and at half of its height.
func (b *tab) pointIn(selector string, fraction float64) (x, y float64) {
	b.t.Helper()
	point := evaluate[[]float64](b, fmt.Sprintf(`(e => {
		e.scrollIntoView({block: "end"});
		const r = e.getBoundingClientRect();
		return [r.left + r.width * %v, r.top + r.height / 2];
	})(document.querySelector(%q))`, fraction, selector))
	return point[0], point[1]
}

// TestLabAgreesWithCommand checks, in ten states of the page, that the lab computes exactly the
// same numbers as the command that the page shows for the state.
func TestLabAgreesWithCommand(t *testing.T) {
	b := openLab(t, "")
	for _, c := range []struct{ state, condition string }{ // condition holds for the lab's answer a
		{"d_k=1&exponent=0", "true"},
		{"d_k=8&exponent=0&row=5", "true"},
		{"d_k=64&exponent=0&row=1023", "true"},
		{"d_k=256&exponent=0&row=7", "true"},
		{"d_k=256&exponent=0&row=" + findSpreadRow(b), `a.scalings[0].label === "spread"`},
		{"d_k=64&keys=2&temperature=8&row=3", "true"},
		{"d_k=64&keys=64&rule=sqrt(d_k/2)&seed=9007199254740991", "true"},
		{"distribution=rademacher&d_k=4&keys=16&row=11", `new Set(a.scores).size < a.scores.length`},
		{"d_k=256&exponent=1&rho=0.5&row=2", `a.cell.startsWith("alignment/")`},
		{"distribution=uniform&d_k=100&keys=5&exponent=1/3&sd=1.5&mean=-0.25&rho=-0.3&seed=0", "true"},
	} {
		b.followLink("#" + c.state + "&hold=no")
		b.waitForPictures()
		if !evaluate[bool](b, `(a => `+c.condition+`)(JSON.parse(mcsim.answer(JSON.stringify(request()))))`) {
			t.Errorf("%s: the answer does not satisfy the condition %s of this test", c.state, c.condition)
		}
		line := evaluate[string](b, `document.getElementById("command").value`)
		printed := []byte(runCommandLine(t, "", line, 0))
		want, got := jsonFields(t, printed), jsonFields(t, b.programAnswer())
		if len(want) < 7 {
			t.Fatalf("%s prints %d fields, want at least 7: %s", line, len(want), printed)
		}
		for name, text := range want {
			if got[name] != text {
				t.Errorf("%s: the lab's %s is %s, want %s as printed by %s", c.state, name, got[name], text, line)
			}
		}
	}
	b.checkFaults("the lab", "file://"+siteDir)
}

// findSpreadRow returns the number of a row at d_k = 256 whose label without a scale is spread.
func findSpreadRow(b *tab) string {
	return evaluate[string](b, `(() => { for (let i = 0; i < 1000; i++) {
		const request = {hold: "no", d_k: "256", exponent: "0", row: String(i)};
		if (JSON.parse(mcsim.answer(JSON.stringify(request))).scalings[0].label === "spread") return String(i);
	} return "none" })()`)
}

// jsonFields returns the fields of a JSON object, each as compact JSON.
func jsonFields(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var raw map[string]json.RawMessage
	must(t, json.Unmarshal(text, &raw))
	fields := map[string]string{}
	for name, value := range raw {
		var b bytes.Buffer
		must(t, json.Compact(&b, value))
		fields[name] = b.String()
	}
	return fields
}

// TestLabByKeyboard checks that every control works by keyboard, and changes the pictures and the
// address. The lab must be able to restore its state from the address.
func TestLabByKeyboard(t *testing.T) {
	const arrowRight, space = "\u0303", " "
	b := openLab(t, "")
	pictures := func() string {
		return b.numbersLine() + evaluate[string](b,
			`document.querySelector("#now .cells").innerHTML + document.getElementById("walks").innerHTML`)
	}
	before := pictures()
	checkChange := func(control string) {
		t.Helper()
		b.waitForPictures()
		now := pictures()
		if now == before {
			t.Errorf("%s: the pictures did not change", control)
		}
		before = now
		state, link := b.currentRequest(), evaluate[string](b, `document.getElementById("link").value`)
		if currentURL := evaluate[string](b, "location.href"); currentURL != link {
			t.Errorf("%s: the address is %s, want the link %s that the page shows", control, currentURL, link)
		}
		if restored := evaluate[string](b, `(restore(), JSON.stringify(request()))`); restored != state {
			t.Errorf("%s: the link restores the request %s, want %s", control, restored, state)
		}
	}
	checkField := func(name, want string) {
		t.Helper()
		if got := b.requestField(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	type control struct{ id, text string }
	typeAndCheck := func(c control) {
		t.Helper()
		b.typeText(c.id, c.text)
		checkField(c.id, c.text)
		checkChange(c.id)
	}
	slideAndCheck := func(id string) {
		t.Helper()
		b.focus(`[type=range][data-field="` + id + `"]`)
		b.pressKeys(arrowRight)
		checkChange("the slider of " + id)
	}
	pressSpace := func(selector string) {
		t.Helper()
		b.focus(selector)
		b.pressKeys(space)
	}
	pressSpace("#more > summary")
	for _, c := range []control{
		{"d_k", "96"}, {"keys", "12"}, {"row", "3"}, {"seed", "2"}, {"exponent", "1/3"}, {"temperature", "5"},
	} {
		typeAndCheck(c)
	}
	for _, id := range []string{"d_k", "keys", "exponent", "temperature"} {
		slideAndCheck(id)
	}
	for _, selector := range []string{"#by-power", "#by-rule"} {
		pressSpace(selector)
		checkChange(selector)
	}
	b.focus("#distribution")
	b.pressKeys("u")
	checkField("distribution", "uniform")
	checkChange("distribution")
	pressSpace("#breakers summary")
	if !evaluate[bool](b, `document.getElementById("breakers").open`) {
		t.Error("the controls of the assumptions are closed, want them open")
	}
	for _, c := range []control{{"sd", "2"}, {"mean", "0.5"}, {"rho", "-0.25"}} {
		typeAndCheck(c)
		slideAndCheck(c.id)
	}
	if !evaluate[bool](b, `document.getElementById("command-line").hidden`) {
		t.Error("the page shows a command for a held row, want none")
	}
	for _, c := range []struct{ button, field, want string }{{"hold", "hold", "no"}, {"resample", "row", "4"}} {
		pressSpace("#" + c.button)
		checkField(c.field, c.want)
		checkChange(c.button)
	}
	pressSpace("#copy")
	b.waitUntil("it says that the link can be taken",
		`/^(Copied|It is marked)/.test(document.getElementById("lab-say").textContent)`)
	pressSpace("#reset")
	checkField("hold", "yes")
	checkField("d_k", "64")
	checkChange("reset")
	b.checkFaults("the lab", "file://"+siteDir)
}

// TestLabHoldsRow checks that a held row is not sampled again if d_k, the number of keys or the
// divisor changes. The scores at the new d_k must be the partial sums of the original row (its
// walks).
func TestLabHoldsRow(t *testing.T) {
	b := openLab(t, "#hold=yes&d_k=1024&keys=8&row=3")
	b.openFold("more")
	type answer struct {
		Scores []float64
		Walks  struct {
			Components []int
			Sums       [][]float64
		}
	}
	getAnswer := func() (a answer) {
		t.Helper()
		b.waitForPictures()
		must(t, json.Unmarshal(b.programAnswer(), &a))
		return a
	}
	original := getAnswer()
	compared := 0
	for _, change := range []struct{ id, text string }{
		{"d_k", "512"}, {"exponent", "1"}, {"d_k", "8"}, {"keys", "4"}, {"temperature", "3"}, {"keys", "64"},
		{"d_k", "1"},
	} {
		b.typeText(change.id, change.text)
		now := getAnswer()
		d := evaluate[int](b, `Number(asked.d_k)`)
		for j := range min(8, len(now.Scores)) {
			for i, components := range original.Walks.Components {
				if components != d {
					continue
				}
				compared++
				if now.Scores[j] != original.Walks.Sums[j][i] {
					t.Errorf("%s = %s: score %d is %v, want the partial sum %v",
						change.id, change.text, j+1, now.Scores[j], original.Walks.Sums[j][i])
				}
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d scores were compared, want at least 20", compared)
	}
}

// cutOffScript lists elements of the lab that cut off their contents.
const cutOffScript = `[...document.querySelectorAll("#lab *")].filter(e =>
	e.scrollHeight > e.clientHeight + 1 && e.clientHeight && /hidden|clip/.test(getComputedStyle(e).overflowY) ||
	e.matches("td,th,caption,span,label") && e.scrollWidth > e.clientWidth + 1 && e.clientWidth
).map(e => e.outerHTML.slice(0, 120))`

// allCountedScript is true if the lab has counted 1000 rows with the same settings as the shown
// one.
const allCountedScript = `document.getElementById("many").dataset.rows === "1000"`

// TestLabByTouch checks the lab on a telephone in both schemes. The strip must be visible when a
// reader touches a control that changes them. Nothing may be cut off or scroll sideways, and the
// page must be accessible.
func TestLabByTouch(t *testing.T) {
	const inSight = `(e => {
		const r = e.getBoundingClientRect();
		return r.top >= 0 && r.bottom <= innerHeight;
	})(document.querySelector("#now .finding"))`
	axe := readAxe(t)
	b := open(t)
	b.resize(390, 844)
	_, err := chromedp.Call(b, emulation.SetTouchEmulationEnabled,
		emulation.SetTouchEmulationEnabledParams{Enabled: true})
	must(t, err)
	b.visit(labAddress(), "light")
	b.waitUntil("it has started", startedScript)
	b.openFold("more")
	for _, variant := range []struct{ scheme, state string }{
		{"light", "#keys=16&rho=0.5&exponent=1"},
		{"dark", "#keys=64&distribution=rademacher&d_k=2&hold=yes"},
	} {
		b.resize(390, 844)
		b.emulate("screen", variant.scheme)
		b.followLink("#d_k=16")
		for _, c := range []struct {
			selector string
			fraction float64
			field    string
		}{
			{`[data-field="d_k"]`, 0.9, "d_k"}, {`[data-field="keys"]`, 0.5, "keys"}, {"#hold", 0.5, "hold"},
			{"#resample", 0.5, "row"}, {"#by-rule", 0.5, "rule"}, {`[data-field="temperature"]`, 0.3, "temperature"},
		} {
			before := b.requestField(c.field)
			b.tap(b.pointIn(c.selector, c.fraction))
			b.waitUntil("a touch of "+c.selector+" changes "+c.field,
				fmt.Sprintf(`(request()[%q] ?? "") !== %q`, c.field, before))
			b.waitForPictures()
			if !evaluate[bool](b, inSight) {
				t.Errorf("%s: after a touch of %s, the strip is not visible", variant.scheme, c.selector)
			}
		}
		b.followLink(variant.state)
		b.waitUntil("all rows are counted", allCountedScript)
		if cut := evaluate[[]string](b, cutOffScript); len(cut) > 0 {
			t.Errorf("%s, %s: these elements cut off their contents: %q", variant.state, variant.scheme, cut)
		}
		if l := evaluate[layout](b, layoutScript); l.Sideways > 0 {
			t.Errorf("%s, %s: the lab scrolls sideways by %d px", variant.state, variant.scheme, l.Sideways)
		}
		b.checkFaults("the lab", "file://"+siteDir)
		b.checkAccessibility("the lab with "+variant.state, variant.scheme, axe)
		b.clearFaults() // axe requests style sheets, which the policy forbids
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

// TestLabLinks checks that links to parts of the page do not change the state of the lab, and that
// the lab shows a message if a link to a state has an error.
func TestLabLinks(t *testing.T) {
	b := openLab(t, "#d_k=16&hold=yes&row=7")
	before := b.currentRequest()
	for _, part := range []string{"#main", "#try", "#how"} {
		evaluate[bool](b, fmt.Sprintf(`new Promise(done => {
			addEventListener("hashchange", () => done(true), {once: true});
			document.querySelector('a[href=%q]').click();
		})`, part))
		if now := b.currentRequest(); now != before {
			t.Errorf("after a link to %s, the request is %s, want %s", part, now, before)
		}
	}
	checkMessage := func(link, want string) {
		t.Helper()
		if got := b.message(); !strings.Contains(got, want) {
			t.Errorf("%s: the message is %q, want %q in it", link, got, want)
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
		b.followLink(link)
		checkMessage(link, want)
		b.resize(1100, 900) // the lab draws again, and must keep the message
		b.resize(1280, 1000)
		checkMessage(link+" in another window", want)
	}
	b.followLink("#d_k=1024&exponent=1")
	b.waitForPictures()
	if got := b.numbersLine(); !strings.HasSuffix(got, "spread") {
		t.Errorf("after a correct link, the numbers are %q, want the label spread at the end", got)
	}
	b.visit("about:blank", "light")
	b.visit(labAddress()+"#hold=true", "light") // the address has the error when the lab starts
	b.waitUntil("it has started", startedScript)
	checkMessage("#hold=true", "hold: ")
	b.checkFaults("the lab", "file://"+siteDir)
}

// TestLabCountsAndErrors checks that the lab counts all rows under both scalings. It also checks
// that the lab refuses a wrong input with a message, which has the valid range, and keeps the last
// picture.
func TestLabCountsAndErrors(t *testing.T) {
	// The sums of the four histograms of each scaling.
	const sums = `counted.scalings
		.flatMap(s => [s.max_weight, s.entropy_ratio, s.relative_trace, Object.values(s.labels)])
		.map(counts => counts.reduce((a, n) => a + n, 0))`
	b := openLab(t, "#d_k=32&keys=4&exponent=1/2")
	b.waitUntil("all rows are counted", allCountedScript)
	const wantSums = "[1000 1000 1000 1000 1000 1000 1000 1000]"
	if got := fmt.Sprint(evaluate[[]int](b, sums)); got != wantSums {
		t.Errorf("the histograms have %v rows, want %s", got, wantSums)
	}
	before := b.numbersLine()
	b.openFold("more")
	b.openFold("breakers")
	for _, c := range []struct{ id, text, want string }{
		{"d_k", "0", "d_k: 0 is not in 1..1024"}, {"d_k", "2000", "1..1024"},
		{"keys", "1", "keys: 1 is not in 2..64"}, {"exponent", "x", "exponent: "},
		{"rho", "2", "rho: 2 is not in -1..1"}, {"temperature", "-1", "temperature: "},
		{"sd", "0", "sd: 0 is not in 0.001..1000"}, {"row", "1.5", "row: "},
		{"seed", "9007199254740992", "seed: "},
	} {
		previous := evaluate[string](b, fmt.Sprintf(`(e => {
			const previous = e.value;
			e.value = %q;
			e.dispatchEvent(new Event("input", {bubbles: true}));
			return previous;
		})(document.getElementById(%q))`, c.text, c.id))
		b.waitUntil("it refuses "+c.id+" "+c.text, fmt.Sprintf(
			`document.getElementById("lab-say").textContent.includes(%q) &&
			document.getElementById(%q).getAttribute("aria-invalid") === "true"`, c.want, c.id))
		if now := b.numbersLine(); now != before {
			t.Errorf("%s = %s: the numbers became %q, want %q as before the error", c.id, c.text, now, before)
		}
		b.typeText(c.id, previous)
		if c.id == "temperature" || c.id == "exponent" { // the input also chose this kind of divisor
			evaluate[bool](b, `(document.getElementById("by-power").click(), true)`)
		}
		b.waitUntil("the message is gone", `document.getElementById("lab-say").textContent === ""`)
		b.waitForPictures()
	}
}

// TestLabMessages checks that the page shows a message if scripts are disabled, if the browser does
// not have WebAssembly, and if the site does not have the lab's program.
func TestLabMessages(t *testing.T) {
	const text = `document.getElementById("lab").innerText`
	b := open(t)
	checkMessage := func(situation, message string, wants ...string) {
		t.Helper()
		for _, want := range wants {
			if !strings.Contains(message, want) {
				t.Errorf("%s, the lab shows %q, want %q in it", situation, message, want)
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
	b.visit(labAddress(), "light")
	checkMessage("without scripts", evaluate[string](b, text), "needs scripts", "mcsim probe")
	disableScripts(false)
	// Without WebAssembly, the page shows a static picture and the command.
	added, err := chromedp.Call(b, page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: "delete window.WebAssembly"})
	must(t, err)
	b.visit(labAddress(), "light")
	still := evaluate[string](b, `(async () => {
		const i = document.querySelector("#still img");
		i.loading = "eager";
		await i.decode().catch(() => {});
		return i.checkVisibility() && i.naturalWidth > 0 ? `+text+` : "no picture";
	})()`)
	checkMessage("without WebAssembly", still, "WebAssembly", "mcsim probe")
	_, err = chromedp.Call(b, page.RemoveScriptToEvaluateOnNewDocument,
		page.RemoveScriptToEvaluateOnNewDocumentParams(added))
	must(t, err)
	dir := t.TempDir()
	doc := sample.Essay()
	doc.Examples = example.NewExamples()
	_, err = site.Write(doc, reportpage.Run{}, dir, site.Options{Lab: fstest.MapFS{}})
	must(t, err)
	b.checkFaults("the lab", "file://"+siteDir)
	b.visit("file://"+filepath.Join(dir, "lab.html"), "light")
	checkMessage("without its program", evaluate[string](b, text), "without the lab's program", "make report")
	b.visit("file://"+filepath.Join(dir, "models.html"), "light")
	evaluate[bool](b, `(document.querySelector("#advise button").click(), true)`)
	b.waitForAnswer()
	checkMessage("without its program", b.message(), "make report")
}

// TestLabPolicy checks that the content security policy of the lab allows the scripts of the lab,
// but no other scripts, requests, images of other sites or workers.
func TestLabPolicy(t *testing.T) {
	b := openLab(t, "")
	b.checkFaults("the lab", "file://"+siteDir)
	for name, script := range map[string]string{ // a script returns true if the policy forbids its action
		"another script": `(() => {
			const s = document.createElement("script");
			s.textContent = "window.intruded = true";
			document.body.append(s);
			return !window.intruded;
		})()`,
		"an event handler in markup": `(() => {
			const e = document.createElement("button");
			e.setAttribute("onclick", "window.handled = true");
			document.body.append(e);
			e.click();
			return !window.handled;
		})()`,
		"a request": `fetch("https://example.org/").then(() => false, () => true)`,
		"an image of another site": `new Promise(done => {
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
			t.Errorf("the lab's policy allows %s", name)
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
		t.Errorf("the browser reports %d violations of the policy, want at least 4: %q", refused, b.faults)
	}
}
