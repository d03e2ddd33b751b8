package mcsim_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/simtest"
)

// kept are the rows of docs/training.csv or docs/training-first.csv: what the declared protocol of
// training found, and the first, which the report shows and does not draw.
func kept(t *testing.T, file string) (all []map[string]string) {
	t.Helper()
	f, err := os.Open(file)
	simtest.Must(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	simtest.Must(t, err)
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		all = append(all, row)
	}
	return all
}

// What pages print of kept data is what the data say.
func TestKeptTraining(t *testing.T) {
	var rows []map[string]string
	for _, row := range kept(t, "docs/training.csv") {
		if row["contrast"] == "declared" {
			rows = append(rows, row)
		}
	}
	for _, row := range kept(t, "docs/training-first.csv") {
		if row["tests"] == "" && row["variant"]+row["trained"]+row["d_k"]+row["gain"] == "plainqueries-keys2560" {
			if row["exponent"] == "0" {
				row["hi"] = "" // what was cut off bounds nothing from above
			}
			rows = append(rows, row)
		}
	}
	if len(rows) != 8 {
		t.Fatalf("%d declared contrasts", len(rows))
	}
	for _, file := range []string{"docs/training.md", "templates/training.md"} {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		for _, row := range rows {
			want := fmt.Sprintf("%s [%s, %s]", shown(row["ratio"]), shown(row["lo"]), shown(row["hi"]))
			if row["hi"] == "" {
				want = "≥ " + strings.TrimSuffix(want, "]") + ")"
			}
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not say %q of p = %s, %s", file, want, row["exponent"], row["optimiser"])
			}
		}
	}
}

// shown is a number as the pages have it.
func shown(text string) string {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "∞"
	}
	if x >= 10 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	if x < 1.005 {
		return strconv.FormatFloat(x, 'f', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 1, 64)
}
