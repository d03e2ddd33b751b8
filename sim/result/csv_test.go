package result

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestWriteCSV(t *testing.T) {
	estimates := []Estimate{
		{Experiment: "variance", Cell: "a,b", Params: Params{"distribution": "normal", "d_k": 64.0},
			Quantity: "score_variance", Estimator: "direct", N: 2048, Value: 1.0 / 3, SE: Number(math.Inf(1)),
			Lo: Absent(), Hi: -0.5, Level: 0.95, Theory: 1e-300, TheoryKind: "exact", Resolution: 0.125},
		{Experiment: "exponents", Params: Params{"exponent": 0.25, "estimator": "gram"}, Estimator: "gram",
			TheoryKind: "none", Theory: Absent()},
	}
	var b bytes.Buffer
	must(t, WriteCSV(&b, estimates))
	lines, err := csv.NewReader(&b).ReadAll()
	must(t, err)
	want := [][]string{
		{"experiment", "cell", "d_k", "distribution", "exponent", "quantity", "estimator", "n",
			"value", "se", "lo", "hi", "level", "theory", "theory_kind", "resolution"},
		{"variance", "a,b", "64", "normal", "", "score_variance", "direct", "2048",
			"0.3333333333333333", "", "", "-0.5", "0.95", "1e-300", "exact", "0.125"},
		{"exponents", "", "", "", "0.25", "", "gram", "0", "0", "0", "0", "0", "0", "", "none", ""},
	}
	for i := range want {
		if !slices.Equal(lines[i], want[i]) {
			t.Errorf("line %d: %q, want %q", i, lines[i], want[i])
		}
	}
}

// TestEscapeFormula checks that texts that begin like formulas of a spreadsheet get an apostrophe,
// and that numbers, including negative numbers and numbers written as texts, do not.
func TestEscapeFormula(t *testing.T) {
	for text, want := range map[string]string{
		`=HYPERLINK("https://evil.example","x")`: `'=HYPERLINK("https://evil.example","x")`,
		"=1+1":                                   "'=1+1", "+1+1": "'+1+1", "-2+3": "'-2+3",
		"@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "＝1": "'＝1", "-": "'-", "-x": "'-x",
		"-1.5e-3": "-1.5e-3", "+7": "+7", "normal": "normal", "student-t(10)": "student-t(10)", "a=b": "a=b", "": "",
	} {
		estimates := []Estimate{{
			Experiment: text, Cell: text, Params: Params{text + " ": 1.0, "distribution": text, "rho": -0.5},
			Quantity: text, Estimator: text, TheoryKind: text,
			Value: -3, Lo: -4, Hi: Number(math.Inf(-1)), Theory: -1e-300,
		}}
		var b bytes.Buffer
		must(t, WriteCSV(&b, estimates))
		lines, err := csv.NewReader(&b).ReadAll()
		must(t, err)
		fieldOf := map[string]string{} // by column
		for i, column := range lines[0] {
			fieldOf[column] = lines[1][i]
		}
		for _, column := range []string{"experiment", "cell", "distribution", "quantity", "estimator", "theory_kind"} {
			if fieldOf[column] != want {
				t.Errorf("%q is written as %q in the column %s, want %q", text, fieldOf[column], column, want)
			}
		}
		for column, want := range map[string]string{"value": "-3", "lo": "-4", "rho": "-0.5", "theory": "-1e-300"} {
			if fieldOf[column] != want {
				t.Errorf("the negative number in the column %s is written as %q, want %q", column, fieldOf[column], want)
			}
		}
		for _, field := range slices.Concat(lines...) {
			_, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
			isNumber := err == nil
			if !isNumber && field != "" && strings.ContainsAny(field[:1], "=+-@\t\r") {
				t.Errorf("%q: the field %q begins like a formula", text, field)
			}
		}
	}
}

// TestOmittedParams checks that the default value of an omitted parameter is written if the
// experiment has the parameter, and that an infinite temperature is written as inf.
func TestOmittedParams(t *testing.T) {
	estimates := []Estimate{
		{Experiment: "depth", Params: Params{"layers": 2.0, "residual": "yes"}},
		{Experiment: "softmax", Params: Params{"temperature": "infinite"}},
		{Experiment: "softmax", Params: Params{"temperature": 4.0, "shared_keys": "yes"}},
		{Experiment: "mismatch", Params: Params{"q_sd": 2.0}},
		{Experiment: "agreement"},
	}
	want := [][]string{
		{"k_correlation", "k_mean", "k_sd", "layers", "norm", "q_correlation", "q_mean", "q_sd", "residual",
			"shared_keys", "temperature"},
		{"", "", "", "2", "no", "", "", "", "yes", "", ""},
		{"", "", "", "", "", "", "", "", "", "no", "inf"},
		{"", "", "", "", "", "", "", "", "", "yes", "4"},
		{"0", "0", "1", "", "", "0", "0", "2", "", "", ""},
		{"", "", "", "", "", "", "", "", "", "", ""},
	}
	lines := writeAndRead(t, WriteCSV, estimates)
	for i := range want {
		if got := lines[i][2 : 2+len(want[0])]; !slices.Equal(got, want[i]) {
			t.Errorf("line %d: %q, want %q", i, got, want[i])
		}
	}
}

// writeAndRead writes a table of estimates with write and parses it into lines of fields.
func writeAndRead(t *testing.T, write func(io.Writer, []Estimate) error, estimates []Estimate) [][]string {
	t.Helper()
	var b bytes.Buffer
	must(t, write(&b, estimates))
	lines, err := csv.NewReader(&b).ReadAll()
	must(t, err)
	return lines
}

func TestTidyHasWhatTheWideTableHas(t *testing.T) {
	estimates := append(newDocument().Estimates,
		Estimate{Experiment: "depth", Params: Params{"layers": 2.0, "residual": "yes"}, Value: 3},
		Estimate{Experiment: "softmax", Params: Params{"temperature": "infinite", "estimator": "direct"}},
		Estimate{Experiment: "agreement"}, Estimate{Experiment: "=1", Params: Params{"=2": "=3"}})
	wide, tidy := writeAndRead(t, WriteCSV, estimates), writeAndRead(t, WriteTidy, estimates)
	// Columns of the wide table: experiment, cell, parameters, measured columns.
	firstParam, firstMeasured := 2, len(wide[0])-len(measuredColumns)
	tidyLine := func(row string, wideLine []string, param, value string) []string {
		return slices.Concat([]string{row}, wideLine[:firstParam], wideLine[firstMeasured:], []string{param, value})
	}
	want := [][]string{tidyLine("row", wide[0], "param", "param_value")}
	for i, line := range wide[1:] {
		row, hasParams := strconv.Itoa(i+1), false
		for p := firstParam; p < firstMeasured; p++ {
			if line[p] != "" {
				want = append(want, tidyLine(row, line, wide[0][p], line[p]))
				hasParams = true
			}
		}
		if !hasParams {
			want = append(want, tidyLine(row, line, "", ""))
		}
	}
	if len(tidy) != len(want) {
		t.Fatalf("the tidy table has %d lines, want %d", len(tidy), len(want))
	}
	for i := range want {
		if !slices.Equal(tidy[i], want[i]) {
			t.Errorf("line %d of the tidy table is %q, want %q", i, tidy[i], want[i])
		}
	}
	for _, err := range []error{WriteTidy(fullDisk{}, estimates), WriteCSV(fullDisk{}, estimates)} {
		if !errors.Is(err, errFull) {
			t.Errorf("on a full disk: error %v, want %v", err, errFull)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
