//go:build long

package result_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// readingGuide tells users how to read the tables.
const readingGuide = "../../docs/reading.md"

// findCodeBlock returns the program in docs/reading.md that reads a table in a language.
func findCodeBlock(t *testing.T, language, table string) string {
	t.Helper()
	text, err := os.ReadFile(readingGuide)
	simtest.Must(t, err)
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(block[1], table) {
			return block[1]
		}
	}
	t.Fatalf("%s has no program for %s in %s", readingGuide, table, language)
	return ""
}

// writeTables writes the tables of the sample document into a new folder.
func writeTables(t *testing.T) string {
	t.Helper()
	doc, err := result.Decode(simtest.ReadSampleDocument(t, "../.."))
	simtest.Must(t, err)
	dir := t.TempDir()
	simtest.Must(t, os.Mkdir(filepath.Join(dir, "out"), 0o755))
	for name, write := range map[string]func(io.Writer, []result.Estimate) error{
		"out/estimates.csv.gz": writeZipped, "tidy.csv": result.WriteTidy,
	} {
		var b bytes.Buffer
		simtest.Must(t, write(&b, doc.Estimates))
		simtest.Must(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644))
	}
	return dir
}

// runScript runs a script with the first of the programs that can run the script probe, and returns
// the last line of the output. If no program can run probe, the test is skipped, or fails in
// continuous integration.
func runScript(t *testing.T, dir, script string, programs [][]string, probe string) string {
	t.Helper()
	for _, program := range programs {
		if exec.Command(program[0], append(program[1:len(program):len(program)], probe)...).Run() != nil {
			continue
		}
		c := exec.Command(program[0], append(program[1:len(program):len(program)], script)...)
		c.Dir = dir
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: output\n%s\nof the script\n%s", err, text, script)
		}
		printed := strings.Split(strings.TrimSpace(string(text)), "\n")
		return strings.TrimSpace(printed[len(printed)-1])
	}
	missing := programs[0][0] + " cannot run " + probe + "; .ci/tools long installs what it needs"
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// Commands, each followed by a script, that may run Python and R.
var (
	pythons  = [][]string{{"python3", "-c"}, {"/usr/bin/python3", "-c"}}
	rscripts = [][]string{{"Rscript", "-e"}}
)

// TestLongReadByOthers checks that pandas and R, with the programs in docs/reading.md, parse
// numbers and infinite temperatures as numbers, "no" as a text, and parameters of other experiments
// as missing.
func TestLongReadByOthers(t *testing.T) {
	dir := writeTables(t)
	for _, c := range []struct {
		language               string
		programs               [][]string
		probe                  string
		wideChecks, tidyChecks string
	}{
		{"python", pythons, "import pandas", `
assert sorted(m.d_k) == [2, 2, 16, 16, 64, 64, 256, 256], "a curve is not one point at each d_k"
import numpy as np
numbers = ["d_k", "exponent", "keys", "sigma", "temperature", "q_sd", "k_mean", "n",
  "value", "se", "lo", "hi", "level", "theory", "resolution"]
assert all(np.issubdtype(e[c].dtype, np.number) for c in numbers), e.dtypes
assert np.isinf(e.temperature).any(), "no infinite temperature"
depth, softmax = e[e.experiment == "depth"], e[e.experiment == "softmax"]
assert set(depth.norm) | set(depth.residual) == {"no", "yes"}, (set(depth.norm), set(depth.residual))
assert set(softmax.shared_keys) <= {"no", "yes"} and softmax.norm.isna().all() and e.norm.isna().any()
print(len(e))
`, "\nassert wide.norm.isin(['no', 'yes']).sum() == (wide.experiment == 'depth').sum()\nprint(wide.shape[0])"},
		{"r", rscripts, "1", `
stopifnot(sort(m$d_k) == c(2, 2, 16, 16, 64, 64, 256, 256))
numbers <- c("d_k", "exponent", "keys", "sigma", "temperature", "q_sd", "k_mean", "n",
  "value", "se", "lo", "hi", "level", "theory", "resolution")
stopifnot(all(sapply(e[numbers], is.numeric)), any(is.infinite(e$temperature)))
depth <- e[e$experiment == "depth", ]
softmax <- e[e$experiment == "softmax", ]
stopifnot(setequal(c(depth$norm, depth$residual), c("no", "yes")), all(softmax$shared_keys %in% c("no", "yes")),
  all(softmax$norm %in% c("", NA)))
cat("\n", nrow(e))
`, "\nstopifnot(sum(wide$norm %in% c('no', 'yes')) == sum(wide$experiment == 'depth'))\ncat('\\n', nrow(wide))"},
	} {
		t.Run(c.language, func(t *testing.T) {
			readWide := findCodeBlock(t, c.language, "estimates.csv") + findCodeBlock(t, c.language, "max_weight")
			readTidy := findCodeBlock(t, c.language, "tidy.csv")
			wide := runScript(t, dir, readWide+c.wideChecks, c.programs, c.probe)
			tidy := runScript(t, dir, readTidy+c.tidyChecks, c.programs, c.probe)
			if tidy != wide {
				t.Errorf("the script counts %s estimates in the tidy table, want %s as in the wide table", tidy, wide)
			}
		})
	}
}

// writeZipped writes a compressed table, as a run with many estimates does.
func writeZipped(w io.Writer, estimates []result.Estimate) error {
	z := gzip.NewWriter(w)
	if err := result.WriteCSV(z, estimates); err != nil {
		return err
	}
	return z.Close()
}
