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

// TestEscapeFormula checks that a spreadsheet computes no field, whatever text a document has, and
// that numbers stay as they are, also negative ones and those in texts.
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
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = lines[1][i]
		}
		for _, column := range []string{"experiment", "cell", "distribution", "quantity", "estimator", "theory_kind"} {
			if row[column] != want {
				t.Errorf("%q is written as %q under %s, want %q", text, row[column], column, want)
			}
		}
		if row["value"] != "-3" || row["lo"] != "-4" || row["rho"] != "-0.5" || row["theory"] != "-1e-300" {
			t.Errorf("numbers below 0 became %q", lines[1])
		}
		for _, cell := range slices.Concat(lines...) {
			_, err := strconv.ParseFloat(strings.TrimSpace(cell), 64)
			if err != nil && cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("%q: the cell %q is a formula", text, cell)
			}
		}
	}
}

// TestOmittedParams checks that values that rows omit are written if their experiment has the
// parameter, and that an infinite temperature is a number.
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

// writeAndRead returns the lines of a table of estimates, read again.
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
	params := len(wide[0]) - len(measuredColumns)
	next := 1
	for i, line := range wide[1:] {
		written := 0
		for p := 2; p <= params; p++ {
			last := p == params
			if !last && line[p] == "" || last && written > 0 {
				continue
			}
			want := slices.Concat([]string{strconv.Itoa(i + 1)}, line[:2], line[params:], []string{"", ""})
			if !last {
				want = append(want[:len(want)-2], wide[0][p], line[p])
			}
			if next == len(tidy) || !slices.Equal(tidy[next], want) {
				t.Fatalf("line %d is not %q", next, want)
			}
			written, next = written+1, next+1
		}
	}
	if next != len(tidy) {
		t.Errorf("%d lines, want %d", len(tidy), next)
	}
	head := slices.Concat([]string{"row"}, wide[0][:2], wide[0][params:], []string{"param", "param_value"})
	if !slices.Equal(tidy[0], head) {
		t.Errorf("the head is %q", tidy[0])
	}
	for _, err := range []error{WriteTidy(fullDisk{}, estimates), WriteCSV(fullDisk{}, estimates)} {
		if !errors.Is(err, errFull) {
			t.Errorf("on a full disk: %v", err)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
