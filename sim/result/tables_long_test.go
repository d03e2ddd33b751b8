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

// reading is where users read how to read the tables.
const reading = "../../docs/reading.md"

// lines are those of the program of that language which docs/reading.md shows for a table.
func lines(t *testing.T, language, table string) string {
	t.Helper()
	text, err := os.ReadFile(reading)
	simtest.Must(t, err)
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(block[1], table) {
			return block[1]
		}
	}
	t.Fatalf("%s shows nobody how to read %s by %s", reading, table, language)
	return ""
}

// tabled writes the tables of the report's sample into a folder.
func tabled(t *testing.T) string {
	t.Helper()
	doc, err := result.Decode(simtest.ReadSampleDocument(t, "../.."))
	simtest.Must(t, err)
	dir := t.TempDir()
	simtest.Must(t, os.Mkdir(filepath.Join(dir, "out"), 0o755))
	for name, write := range map[string]func(io.Writer, []result.Estimate) error{"out/estimates.csv.gz": zipped, "tidy.csv": result.WriteTidy} {
		var b bytes.Buffer
		simtest.Must(t, write(&b, doc.Estimates))
		simtest.Must(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o644))
	}
	return dir
}

// ran is the last line that a program printed about the tables. Where there is none the test is
// skipped, but in continuous integration, which installs it.
func ran(t *testing.T, dir, script string, programs [][]string, has string) string {
	t.Helper()
	for _, program := range programs {
		if exec.Command(program[0], append(program[1:len(program):len(program)], has)...).Run() != nil {
			continue
		}
		c := exec.Command(program[0], append(program[1:len(program):len(program)], script)...)
		c.Dir = dir
		text, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s\nof\n%s", err, text, script)
		}
		printed := strings.Split(strings.TrimSpace(string(text)), "\n")
		return strings.TrimSpace(printed[len(printed)-1])
	}
	missing := programs[0][0] + " cannot run " + has + "; .ci/tools long installs what it needs"
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

var (
	pythons = [][]string{{"python3", "-c"}, {"/usr/bin/python3", "-c"}}
	rs      = [][]string{{"Rscript", "-e"}}
)

// Numbers are numbers to pandas and R, a temperature that is infinite too; "no" is a text
// and what does not apply is missing. The lines are those of docs/reading.md.
func TestLongReadByOthers(t *testing.T) {
	dir := tabled(t)
	for _, c := range []struct {
		language  string
		programs  [][]string
		has       string
		wide, all string
	}{
		{"python", [][]string{{"python3", "-c"}, {"/usr/bin/python3", "-c"}}, "import pandas", `
assert sorted(m.d_k) == [2, 2, 16, 16, 64, 64, 256, 256], "a curve is not one point at each d_k"
import numpy as np
numbers = ["d_k", "exponent", "keys", "sigma", "temperature", "q_sd", "k_mean", "n", "value", "se", "lo", "hi", "level", "theory", "resolution"]
assert all(np.issubdtype(e[c].dtype, np.number) for c in numbers), e.dtypes
assert np.isinf(e.temperature).any(), "no infinite temperature"
depth, softmax = e[e.experiment == "depth"], e[e.experiment == "softmax"]
assert set(depth.norm) | set(depth.residual) == {"no", "yes"}, (set(depth.norm), set(depth.residual))
assert set(softmax.shared_keys) <= {"no", "yes"} and softmax.norm.isna().all() and e.norm.isna().any()
print(len(e))
`, "\nassert wide.norm.isin(['no', 'yes']).sum() == (wide.experiment == 'depth').sum()\nprint(wide.shape[0])"},
		{"r", [][]string{{"Rscript", "-e"}}, "1", `
stopifnot(sort(m$d_k) == c(2, 2, 16, 16, 64, 64, 256, 256))
numbers <- c("d_k", "exponent", "keys", "sigma", "temperature", "q_sd", "k_mean", "n", "value", "se", "lo", "hi", "level", "theory", "resolution")
stopifnot(all(sapply(e[numbers], is.numeric)), any(is.infinite(e$temperature)))
depth <- e[e$experiment == "depth", ]
softmax <- e[e$experiment == "softmax", ]
stopifnot(setequal(c(depth$norm, depth$residual), c("no", "yes")), all(softmax$shared_keys %in% c("no", "yes")), all(softmax$norm %in% c("", NA)))
cat("\n", nrow(e))
`, "\nstopifnot(sum(wide$norm %in% c('no', 'yes')) == sum(wide$experiment == 'depth'))\ncat('\\n', nrow(wide))"},
	} {
		t.Run(c.language, func(t *testing.T) {
			wide := ran(t, dir, lines(t, c.language, "estimates.csv")+lines(t, c.language, "max_weight")+c.wide, c.programs, c.has)
			if tidy := ran(t, dir, lines(t, c.language, "tidy.csv")+c.all, c.programs, c.has); tidy != wide {
				t.Errorf("%s estimates in the wide table, %s in the long one", wide, tidy)
			}
		})
	}
}

// zipped writes the table packed, as a run with many rows does.
func zipped(w io.Writer, rows []result.Estimate) error {
	z := gzip.NewWriter(w)
	if err := result.WriteCSV(z, rows); err != nil {
		return err
	}
	return z.Close()
}
