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

// kept are the rows of docs/training.csv: what the declared protocol of training found, which the
// report shows and does not draw.
func kept(t *testing.T) (all []map[string]string) {
	t.Helper()
	f, err := os.Open("docs/training.csv")
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
	for _, file := range []string{"docs/training.md", "templates/training.md"} {
		text, err := os.ReadFile(file)
		simtest.Must(t, err)
		for _, row := range kept(t) {
			if row["contrast"] != "declared" {
				continue
			}
			number := func(name string) string {
				x, err := strconv.ParseFloat(row[name], 64)
				if err != nil {
					return "∞"
				}
				digits := 2
				if x >= 10 {
					digits = 3
				}
				s := strconv.FormatFloat(x, 'g', digits, 64)
				if x < 1 && len(s) < 4 {
					s += "0"
				}
				return s
			}
			want := fmt.Sprintf("%s [%s, %s]", number("ratio"), number("lo"), number("hi"))
			if row["hi"] == "" {
				want = "≥ " + strings.TrimSuffix(want, "]") + ")"
			}
			if !strings.Contains(string(text), want) {
				t.Errorf("%s does not say %q of p = %s, %s", file, want, row["exponent"], row["optimiser"])
			}
		}
	}
}
