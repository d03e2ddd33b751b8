package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// buildCommand builds the command mcsim once, and returns its path.
var buildCommand = sync.OnceValues(func() (string, error) {
	program := filepath.Join(filepath.Dir(siteDir), "mcsim")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "mcsim/cmd/mcsim").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return program, err
})

// runCommandLine runs a command line of mcsim in a folder, in a terminal of the given width if it is
// not 0. It returns what the command prints to its standard output, which must not be empty.
func runCommandLine(t *testing.T, dir, line string, columns int) string {
	t.Helper()
	program, err := buildCommand()
	must(t, err)
	args := strings.Fields(strings.NewReplacer(`"`, "", "'", "").Replace(line))
	c := exec.Command(program, args[1:]...)
	c.Dir = dir
	c.Env = append(os.Environ(), fmt.Sprintf("COLUMNS=%d", columns))
	printed, err := c.Output()
	if len(printed) == 0 {
		t.Fatalf("%s prints nothing: %v", line, err)
	}
	return string(printed)
}

func modelsAddress() string { return "file://" + filepath.Join(siteDir, "models.html") }

// openCalculator opens the page of released models from its local file.
func openCalculator(t *testing.T) *tab {
	t.Helper()
	b := open(t)
	b.resize(390, 844)
	b.visit(modelsAddress(), "light")
	return b
}

// waitForAnswer waits until the page has an answer or an error, and returns the answer.
func (b *tab) waitForAnswer() string {
	b.t.Helper()
	b.waitUntil("a command has ended", `!/^The program is|^$/.test(document.getElementById("lab-say").textContent)`)
	return evaluate[string](b, `document.getElementById("answer").textContent`)
}

// countColumns returns how many characters fit into a line of the answer; tables may be wider.
func (b *tab) countColumns() int {
	b.t.Helper()
	return evaluate[int](b, `countColumns()`)
}

func (b *tab) shownCommand() string {
	b.t.Helper()
	return evaluate[string](b, `document.getElementById("command").value`)
}

// chooseFiles chooses files in the field for files.
func (b *tab) chooseFiles(paths ...string) {
	b.t.Helper()
	field, err := chromedp.Call(b, runtime.Evaluate, runtime.EvaluateParams{Expression: `document.getElementById("files")`})
	must(b.t, err)
	_, err = chromedp.Call(b, dom.SetFileInputFiles,
		dom.SetFileInputFilesParams{Files: paths, ObjectID: field.Result.ObjectID})
	must(b.t, err)
}

// TestCalculatorAgreesWithCommand checks that the calculator prints the same bytes as the command
// that it shows: for shapes, and for files with and without a verdict. It uses only the keyboard,
// and the page must be accessible and fit on a telephone with an answer.
func TestCalculatorAgreesWithCommand(t *testing.T) {
	const enter = "\r"
	axe := readAxe(t)
	b := openCalculator(t)
	b.typeField(`#advise [name="d-model"]`, "64")
	b.typeField(`#advise [name="heads"]`, "4")
	b.typeField(`#advise [name="keys"]`, "64")
	b.typeField(`#advise [name="scale"]`, "1/d_k"+enter)
	got := b.waitForAnswer()
	if want := runCommandLine(t, "", b.shownCommand(), b.countColumns()); got != want {
		t.Errorf("%s: the page prints\n%s\nwant\n%s", b.shownCommand(), got, want)
	}
	b.checkFaults("the calculator", "file://"+siteDir, "blob:")
	saved, err := filepath.Abs("../../testdata/attention/saved")
	must(t, err)
	weights, err := filepath.Abs("../../sim/model/statedict/testdata/separate")
	must(t, err)
	for _, c := range []struct{ dir, files, check string }{
		{saved, "right.npz", ""},
		{saved, "divided-twice.npz", "5%"},
		{weights, "model.safetensors config.json", ""},
	} {
		var paths []string
		for _, name := range strings.Fields(c.files) {
			paths = append(paths, filepath.Join(c.dir, name))
		}
		b.chooseFiles(paths...)
		b.typeField(`#inspect [name="check"]`, c.check)
		b.focus("#inspect button")
		b.pressKeys(enter)
		got := b.waitForAnswer()
		if want := runCommandLine(t, c.dir, b.shownCommand(), b.countColumns()); got != want {
			t.Errorf("%s in %s: the page prints\n%s\nwant\n%s", b.shownCommand(), c.dir, got, want)
		}
	}
	b.checkFaults("the calculator", "file://"+siteDir, "blob:")
	for _, scheme := range schemes {
		b.emulate("screen", scheme)
		if l := evaluate[layout](b, layoutScript); l.Sideways > 0 {
			t.Errorf("%s: the page with an answer scrolls sideways by %d px", scheme, l.Sideways)
		}
		b.checkAccessibility("the calculator", scheme, axe)
	}
}

// typeField replaces the text of the field that matches a selector by typing.
func (b *tab) typeField(selector, text string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`(e => { e.focus(); e.value = ""; return true })(document.querySelector(%q))`, selector))
	b.pressKeys(text)
}

// TestCalculatorReadsDroppedFiles checks that a file that is dropped on the page is inspected, and
// that the page shows the program's error about it. It also checks the message without a file.
func TestCalculatorReadsDroppedFiles(t *testing.T) {
	b := openCalculator(t)
	evaluate[bool](b, `(document.querySelector("#inspect button").click(), true)`)
	if got, want := evaluate[string](b, `document.getElementById("lab-say").textContent`), "Choose a file"; !strings.Contains(got, want) {
		t.Errorf("without a file, the message is %q, want %q in it", got, want)
	}
	evaluate[bool](b, `(() => {
		const data = new DataTransfer();
		data.items.add(new File(["<!doctype html>"], "qk.npz"));
		document.querySelector(".drop").dispatchEvent(new DragEvent("drop", {bubbles: true, cancelable: true, dataTransfer: data}));
		return true;
	})()`)
	b.waitForAnswer()
	got := evaluate[string](b, `document.getElementById("lab-say").textContent`)
	program, err := buildCommand()
	must(t, err)
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "qk.npz"), []byte("<!doctype html>"), 0o600))
	c := exec.Command(program, "inspect", "qk.npz")
	c.Dir = dir
	printed, _ := c.CombinedOutput() // fails, with the error that the page must show
	if want := strings.TrimPrefix(string(printed), "mcsim: "); got != want {
		t.Errorf("the page shows the error %q, want %q", got, want)
	}
	b.checkFaults("the calculator", "file://"+siteDir, "blob:")
}

// TestModelsFilter checks that the field above the table of all models hides the models whose names
// do not contain it, and that the page shows commands in place of the calculator without scripts.
func TestModelsFilter(t *testing.T) {
	b := openCalculator(t)
	b.typeText("filter", "llama 3")
	found := evaluate[[]string](b, `[...document.querySelectorAll("#table-released-models tbody tr")]
		.filter(row => row.checkVisibility()).map(row => row.cells[0].textContent)`)
	if len(found) == 0 || len(found) > 10 {
		t.Errorf("the table shows %d models, want some of Llama 3", len(found))
	}
	for _, name := range found {
		if !strings.HasPrefix(name, "Llama-3") {
			t.Errorf("the table shows %q, want only models of Llama 3", name)
		}
	}
	_, err := chromedp.Call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	must(t, err)
	b.visit(modelsAddress(), "light")
	text := evaluate[string](b, `document.getElementById("calculator").innerText`)
	for _, want := range []string{"needs scripts", "mcsim advise", "mcsim inspect"} {
		if !strings.Contains(text, want) {
			t.Errorf("without scripts, the calculator shows %q, want %q in it", text, want)
		}
	}
	if forms := evaluate[int](b, `[...document.querySelectorAll("#calculator form")].filter(f => f.checkVisibility()).length`); forms > 0 {
		t.Errorf("without scripts, %d forms are shown, want none", forms)
	}
}
