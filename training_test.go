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

// readKept returns the lines of a CSV file as maps from the names of columns. docs/training.csv has
// the results of the declared protocol of training, and docs/training-first.csv those of the first
// protocol. The report shows both without sampling them.
func readKept(t *testing.T, file string) (rows []map[string]string) {
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
		rows = append(rows, row)
	}
	return rows
}

// TestKeptTraining checks that the tables in docs/training.md and templates/training.md have the
// numbers of the CSV files.
func TestKeptTraining(t *testing.T) {
	firstRatios := map[string]string{} // ratios of the first protocol, by exponent and optimiser
	for _, row := range readKept(t, "docs/training-first.csv") {
		if row["tests"] == "" && row["variant"]+row["trained"]+row["d_k"]+row["gain"] == "plainqueries-keys2560" {
			if row["exponent"] == "0" {
				row["hi"] = "" // truncated runs give no upper bound
			}
			firstRatios[row["exponent"]+row["optimiser"]] = formatInterval(row)
		}
	}
	docs, err := os.ReadFile("docs/training.md")
	simtest.Must(t, err)
	page, err := os.ReadFile("templates/training.md")
	simtest.Must(t, err)
	optimisers := map[string]string{"adam": "Adam", "sgd": "gradient descent"}
	scales := map[string]string{"0": "no scale", "1": "divided by d_k"}
	declared := 0
	for _, row := range readKept(t, "docs/training.csv") {
		if row["contrast"] != "declared" {
			continue
		}
		declared++
		optimiser, firstRatio := optimisers[row["optimiser"]], firstRatios[row["exponent"]+row["optimiser"]]
		documentOf := map[string][]byte{ // the document that must have a line
			fmt.Sprintf("| p = %s, %s | %s | [%s, %s] | %s; p = 1/2: %s | %s, %s | ", row["exponent"], optimiser,
				formatInterval(row),
				formatNumber(row["judged_lo"]), formatNumber(row["judged_hi"]), row["learn"], row["learn_under_root"],
				row["root_learn_alone"], row["learn_alone"]): docs,
			fmt.Sprintf("| p = %s, %s | %s | ", row["exponent"], optimiser,
				firstRatio): docs,
			fmt.Sprintf("| %s | %s | %s | %s, %s | %s |", scales[row["exponent"]], optimiser, formatInterval(row),
				row["learn"], row["learn_under_root"], firstRatio): page,
		}
		for want, text := range documentOf {
			if want = strings.ReplaceAll(want, "∞]", "∞)"); !strings.Contains(string(text), want) {
				t.Errorf("no line of a table has %q", want)
			}
		}
	}
	if declared != 4 || len(firstRatios) < 4 {
		t.Fatalf("got %d declared contrasts and %d of the first protocol, want 4 and at least 4", declared,
			len(firstRatios))
	}
}

// formatInterval formats a ratio with its limits.
func formatInterval(row map[string]string) string {
	bound := ""
	if row["hi"] == "" {
		bound = "≥ "
	}
	return strings.ReplaceAll(fmt.Sprintf("%s%s [%s, %s]", bound, formatNumber(row["ratio"]), formatNumber(row["lo"]),
		formatNumber(row["hi"])), "∞]", "∞)")
}

// formatNumber formats a number as the pages do.
func formatNumber(text string) string {
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
