package result

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestWriteCSV(t *testing.T) {
	rows := []Estimate{
		{Experiment: "variance", Cell: "a,b", Params: Params{"law": "normal", "d_k": 64.0}, Quantity: "score_variance", Estimator: "direct",
			N: 2048, Value: 1.0 / 3, SE: Number(math.Inf(1)), Lo: Absent(), Hi: -0.5, Level: 0.95, Theory: 1e-300, TheoryKind: "exact", Resolution: 0.125},
		{Experiment: "exponents", Params: Params{"exponent": 0.25, "estimator": "gram"}, Estimator: "gram", TheoryKind: "none", Theory: Absent()},
	}
	var b bytes.Buffer
	if err := WriteCSV(&b, rows); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"experiment", "cell", "d_k", "exponent", "law", "quantity", "estimator", "n", "value", "se", "lo", "hi", "level", "theory", "theory_kind", "resolution"},
		{"variance", "a,b", "64", "", "normal", "score_variance", "direct", "2048", "0.3333333333333333", "", "", "-0.5", "0.95", "1e-300", "exact", "0.125"},
		{"exponents", "", "", "0.25", "", "", "gram", "0", "0", "0", "0", "0", "0", "", "none", ""},
	}
	for i := range want {
		if !slices.Equal(lines[i], want[i]) {
			t.Errorf("line %d: %q, want %q", i, lines[i], want[i])
		}
	}
}

// A spreadsheet computes no cell of ours, whatever a document is made to say; numbers,
// also those below 0 and such as are text, stay as they are.
func TestNoFormulas(t *testing.T) {
	for text, want := range map[string]string{
		`=HYPERLINK("https://evil.example","x")`: `'=HYPERLINK("https://evil.example","x")`, "=1+1": "'=1+1", "+1+1": "'+1+1", "-2+3": "'-2+3",
		"@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "＝1": "'＝1", "-": "'-", "-x": "'-x",
		"-1.5e-3": "-1.5e-3", "+7": "+7", "normal": "normal", "student-t(10)": "student-t(10)", "a=b": "a=b", "": "",
	} {
		rows := []Estimate{{Experiment: text, Cell: text, Params: Params{text + " ": 1.0, "law": text, "rho": -0.5}, Quantity: text, Estimator: text, TheoryKind: text,
			Value: -3, Lo: -4, Hi: Number(math.Inf(-1)), Theory: -1e-300}}
		var b bytes.Buffer
		if err := WriteCSV(&b, rows); err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = lines[1][i]
		}
		for _, column := range []string{"experiment", "cell", "law", "quantity", "estimator", "theory_kind"} {
			if row[column] != want {
				t.Errorf("%q stands as %q under %s, want %q", text, row[column], column, want)
			}
		}
		if row["value"] != "-3" || row["lo"] != "-4" || row["rho"] != "-0.5" || row["theory"] != "-1e-300" {
			t.Errorf("numbers below 0 became %q", lines[1])
		}
		for _, cell := range slices.Concat(lines...) {
			if _, err := strconv.ParseFloat(strings.TrimSpace(cell), 64); err != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("%q: the cell %q is a formula", text, cell)
			}
		}
	}
}

type full struct{}

var errFull = errors.New("full")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteCSVReportsErrors(t *testing.T) {
	if err := WriteCSV(full{}, []Estimate{{}}); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}
