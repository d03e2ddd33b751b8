//go:build long

package mcsim_test

import (
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// TestKeptTrainingIsSampled runs docs/training.yaml and compares its estimates with the ratios in
// docs/training.csv, and their digest with the one in docs/training.md.
func TestKeptTrainingIsSampled(t *testing.T) {
	dir := t.TempDir()
	runGo(t, ".", "run", "./cmd/mcsim", "run", "docs/training.yaml", "-q", "-o", dir)
	text, err := os.ReadFile(filepath.Join(dir, "estimates.csv"))
	simtest.Must(t, err)
	page, err := os.ReadFile("docs/training.md")
	simtest.Must(t, err)
	if digest := fmt.Sprintf("sha256:%x of estimates.csv", sha256.Sum256(text)); !strings.Contains(string(page),
		digest) {
		t.Errorf("docs/training.md does not name the digest %s", digest)
	}
	f, err := os.Open(filepath.Join(dir, "estimates.csv"))
	simtest.Must(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	simtest.Must(t, err)
	columns := map[string]int{}
	for i, name := range lines[0] {
		columns[name] = i
	}
	ratios := map[string][]string{} // lines of estimates.csv by d_k, exponent and optimiser
	for _, l := range lines[1:] {
		if l[columns["quantity"]] == "steps_ratio" {
			ratios[l[columns["d_k"]]+l[columns["exponent"]]+l[columns["optimiser"]]] = l
		}
	}
	for _, row := range readKept(t, "docs/training.csv") {
		id := row["d_k"] + row["exponent"] + row["optimiser"]
		l := ratios[id]
		if l == nil {
			t.Fatalf("the run has no ratio for %v", row)
		}
		for column, name := range map[string]string{"ratio": "value", "lo": "lo", "hi": "hi", "level": "level",
			"pairs": "n"} {
			if l[columns[name]] != row[column] {
				t.Errorf("%s: the kept %s is %s, the sampled one is %s", id, column, row[column], l[columns[name]])
			}
		}
	}
}
