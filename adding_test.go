package mcsim_test

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"mcsim/sim/simtest"
)

// conforming lists the packages with tables that can be extended. Their tests with Conformance in
// the name check every entry of the tables.
var conforming = []string{"./sim/names", "./sim/base/distribution", "./sim/kernel", "./sim/attention/rule",
	"./sim/attention/weights", "./sim/experiment/all", "./report/chart", "./report/figure", "./report/site",
	"./report/essay"}

// TestAddingOneOfEach follows CONTRIBUTING.md to add a distribution, a rule, an initialisation, an
// experiment, a chart and a page to a copy of the module. It runs a plan that uses all of them,
// checks that their estimates, the chart and the page exist, and runs the conformance tests of the
// copy.
func TestAddingOneOfEach(t *testing.T) {
	added, err := txtar.ParseFile("testdata/adding.txtar")
	simtest.Must(t, err)
	guide, err := os.ReadFile("CONTRIBUTING.md")
	simtest.Must(t, err)
	dir := t.TempDir()
	copyModule(t, dir)
	for _, f := range added.Files {
		addText(t, dir, f)
		file, _, isExtended := strings.Cut(f.Name, " after ")
		if isExtended && !bytes.Contains(guide, []byte("`"+file+"`")) {
			t.Errorf("CONTRIBUTING.md does not say that %s must be extended", file)
		}
	}
	if testing.Short() {
		t.Log("with -short the copy is not built")
		return
	}
	runGo(t, dir, "generate", "./sim/names")
	runGo(t, dir, "build", "-o", "mcsim-added", "./cmd/mcsim")
	resultsDir := filepath.Join(dir, "made")
	run(t, dir, filepath.Join(dir, "mcsim-added"), "run", "plan.yaml", "--fresh", "-o", resultsDir)
	run(t, dir, filepath.Join(dir, "mcsim-added"), "report", resultsDir)
	checkResults(t, resultsDir)
	runGo(t, dir, append([]string{"test", "-vet=off", "-short", "-run", "Conformance"}, conforming...)...)
}

// copyModule copies the files of the module.
func copyModule(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == "." {
			return err
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"out", "bin", "node_modules"}, d.Name()) {
				return fs.SkipDir
			}
			return os.Mkdir(filepath.Join(dir, file), 0o755)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, file), data, 0o644)
	})
	simtest.Must(t, err)
}

// addText writes a new file, or adds lines to an existing one. The name FILE after LINE in the
// archive means the end of the block, in parentheses or braces, that LINE begins. If LINE is the
// heading of a section of names.txt, it means the end of the section.
func addText(t *testing.T, dir string, f txtar.File) {
	t.Helper()
	name, after, isExtended := strings.Cut(f.Name, " after ")
	file := filepath.Join(dir, name)
	if !isExtended {
		if _, err := os.Stat(file); err == nil {
			t.Fatalf("%s exists already", name)
		}
		simtest.Must(t, os.WriteFile(file, f.Data, 0o644))
		return
	}
	data, err := os.ReadFile(file)
	simtest.Must(t, err)
	start := bytes.Index(data, []byte("\n"+after+"\n"))
	if start < 0 {
		t.Fatalf("%s has no line %q", name, after)
	}
	end := start + len(after) + bytes.IndexAny(data[start+len(after):], ")}")
	if section, _, found := bytes.Cut(data[start+1:], []byte("\n\n[")); strings.HasPrefix(after, "[") {
		end = len(data)
		if found {
			end = start + 2 + len(section) // where the next section of names.txt begins
		}
	}
	for data[end-1] != '\n' { // the parenthesis or brace that ends the block begins its line
		end += 1 + bytes.IndexAny(data[end+1:], ")}")
	}
	simtest.Must(t, os.WriteFile(file, slices.Concat(data[:end], f.Data, data[end:]), 0o644))
}

// runGo runs the go command in the copy, without network access.
func runGo(t *testing.T, dir string, args ...string) {
	t.Helper()
	run(t, dir, "go", args...)
}

// run runs a program in a folder, and fails if it returns an error.
func run(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	c := exec.CommandContext(t.Context(), program, args...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOPROXY=off")
	if text, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(program), strings.Join(args, " "), err, text)
	}
}

// checkResults checks that the results have estimates of each addition, and that the page of the
// record shows the chart and the experiment. It does not check the new page of the essay, since a
// site has an essay only if the results have estimates of all experiments.
func checkResults(t *testing.T, resultsDir string) {
	t.Helper()
	f, err := os.Open(filepath.Join(resultsDir, "estimates.csv"))
	simtest.Must(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	simtest.Must(t, err)
	for experiment, value := range map[string]string{"variance": "arcsine", "rules": "query-normalised",
		"init": "half-fan-in", "centre": "arcsine"} {
		if !slices.ContainsFunc(lines,
			func(l []string) bool { return slices.Contains(l, experiment) && slices.Contains(l, value) }) {
			t.Errorf("no estimate of the experiment %s has the value %s", experiment, value)
		}
	}
	record, err := os.ReadFile(filepath.Join(resultsDir, "index.html"))
	simtest.Must(t, err)
	for _, text := range []string{"Experiment centre", "measures the mean of their score", "skewness.svg", "arcsine"} {
		if !bytes.Contains(record, []byte(text)) {
			t.Errorf("the record does not show %q", text)
		}
	}
	if _, err := os.Stat(filepath.Join(resultsDir, "figures", "skewness.svg")); err != nil {
		t.Error(err)
	}
}
