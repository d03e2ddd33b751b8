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

// What pages print of kept data is what the data say, line by line of their tables.
func TestKeptTraining(t *testing.T) {
	first := map[string]string{} // ratios of the first protocol, by exponent and optimiser
	for _, row := range kept(t, "docs/training-first.csv") {
		if row["tests"] == "" && row["variant"]+row["trained"]+row["d_k"]+row["gain"] == "plainqueries-keys2560" {
			if row["exponent"] == "0" {
				row["hi"] = "" // what was cut off bounds nothing from above
			}
			first[row["exponent"]+row["optimiser"]] = interval(row)
		}
	}
	docs, err := os.ReadFile("docs/training.md")
	simtest.Must(t, err)
	page, err := os.ReadFile("templates/training.md")
	simtest.Must(t, err)
	optimisers := map[string]string{"adam": "Adam", "sgd": "gradient descent"}
	scales := map[string]string{"0": "unscaled", "1": "divided by $d_k$"}
	declared := 0
	for _, row := range kept(t, "docs/training.csv") {
		if row["contrast"] != "declared" {
			continue
		}
		declared++
		by, was := optimisers[row["optimiser"]], first[row["exponent"]+row["optimiser"]]
		wants := map[string][]byte{
			fmt.Sprintf("| p = %s, %s | %s | [%s, %s] | %s; p = 1/2: %s | %s, %s | ", row["exponent"], by, interval(row),
				shown(row["judged_lo"]), shown(row["judged_hi"]), row["learn"], row["learn_under_root"], row["root_learn_alone"], row["learn_alone"]): docs,
			fmt.Sprintf("| p = %s, %s | %s | ", row["exponent"], by, was):                                                                         docs,
			fmt.Sprintf("| %s | %s | %s | %s, %s | %s |", scales[row["exponent"]], by, interval(row), row["learn"], row["learn_under_root"], was): page,
		}
		for want, text := range wants {
			if want = strings.ReplaceAll(want, "∞]", "∞)"); !strings.Contains(string(text), want) {
				t.Errorf("no line has %q", want)
			}
		}
	}
	if declared != 4 || len(first) < 4 {
		t.Fatalf("%d declared contrasts, %d of the first protocol", declared, len(first))
	}
}

// interval is a ratio with its limits.
func interval(row map[string]string) string {
	bound := ""
	if row["hi"] == "" {
		bound = "≥ "
	}
	return strings.ReplaceAll(fmt.Sprintf("%s%s [%s, %s]", bound, shown(row["ratio"]), shown(row["lo"]), shown(row["hi"])), "∞]", "∞)")
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
