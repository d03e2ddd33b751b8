package tabular

import (
	"slices"
	"strings"
	"testing"

	"mcsim/sim/result"
)

// estimate is a row of a variance at a dimension.
func estimate(d, value, se float64) result.Estimate {
	return result.Estimate{Experiment: "variance", Cell: "c", Params: result.Params{"distribution": "normal", "d_k": d}, Quantity: "score_variance", Estimator: "direct",
		N: 12345, Value: result.Number(value), SE: result.Number(se), Lo: result.Number(value - 2*se), Hi: result.Number(value + 2*se), Level: 0.95, Theory: result.Number(d), TheoryKind: "exact"}
}

// What the rows have in common stands in the caption, what tells them apart in a column,
// and numbers have the digits that their errors support, in a form that siunitx reads.
func TestLaTeX(t *testing.T) {
	rows := []result.Estimate{estimate(1, 0.99981691, 0.00082), estimate(65536, 65570.26, 58.1)}
	text := string(LaTeX(rows, Of(rows), "two rows"))
	for _, want := range []string{
		"% two rows\n", `\caption{Variance of the score: distribution normal. The standard error`, `\begin{tabular}{S[table-format=5.0] S[table-format=5.4(2)] S[table-format=5.0]}`,
		`{$d_k$} & {value} & {theory} \\`, "    1 & 0.9998(8) & 1 \\\\\n", "    65536 & 65570(60) & 65536 \\\\\n", `\toprule`, `\midrule`, `\bottomrule`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// A table of more rows than a page has room for goes over pages, its head on each and its
// caption on the first; two tables have two labels.
func TestLongTable(t *testing.T) {
	var rows []result.Estimate
	for d := range maxFloating + 1 {
		rows = append(rows, estimate(float64(d+1), float64(d+1), 0.01))
	}
	text := string(LaTeX(rows, Of(rows), ""))
	for part, times := range map[string]int{`\begin{longtable}`: 1, `\end{longtable}`: 1, `\usepackage{longtable}`: 1, `\caption`: 1, `\label{tab:mcsim:variance:score-variance}`: 1, `\toprule`: 2, `tabular`: 0} {
		if n := strings.Count(text, part); n != times {
			t.Errorf("%s stands there %d times, want %d", part, n, times)
		}
	}
	other := rows[0]
	other.Quantity = "score_mean"
	if mixed := string(LaTeX(append(rows[:3:3], other), Of(rows), "")); !strings.Contains(mixed, `\label{tab:mcsim:variance}`) || strings.Contains(mixed, "longtable") {
		t.Errorf("a short table of two quantities:\n%s", mixed)
	}
}

// Fields of each kind, in a column that aligns numbers.
func TestCells(t *testing.T) {
	none := result.Absent()
	share := result.Estimate{Experiment: "calibration", Value: 0, SE: none, Lo: 0, Hi: 3.2e-5}
	few := result.Estimate{Experiment: "calibration", Value: 0.9512, SE: none, Lo: 0.948, Hi: 0.954}
	unsure := result.Estimate{Value: 1.2345, SE: none, Lo: none, Hi: none}
	absent := result.Estimate{Value: none, SE: none, Lo: none, Hi: none, Theory: none}
	small := estimate(4, -1.234e-7, 2e-9)
	hot := result.Estimate{Experiment: "softmax", Params: result.Params{"temperature": "infinite"}}
	for _, c := range []struct {
		e            result.Estimate
		column, want string
	}{
		{share, "value", `{$<\num{3.2e-5}$}`}, {few, "value", "0.9512"}, {few, "lo", "0.9480"}, {unsure, "value", `{\num{1.2}$\dagger$}`}, {absent, "value", "{--}"},
		{absent, "theory", "{--}"}, {small, "value", "-1.234(20)e-7"}, {hot, "temperature", `{$\infty$}`}, {hot, "shared_keys", "{no}"}, {hot, "norm", "{}"}, {small, "n", "12345"},
	} {
		if got := cellOf(&c.e, c.column).latex(true); got != c.want {
			t.Errorf("%s of %+v is %s, want %s", c.column, c.e, got, c.want)
		}
	}
	if got := columnType([]cell{valueOf(&small), valueOf(&few), valueOf(&share)}); got != "S[table-format=-1.4(2)e-1]" {
		t.Errorf("a column of %s", got)
	}
	if got := columnType([]cell{{plain: "normal"}, {plain: "7"}}); got != "l" {
		t.Errorf("a column of text is %s", got)
	}
}

// Limits stand beside values without a standard error, and nothing that no row has.
func TestColumns(t *testing.T) {
	few := result.Estimate{Experiment: "calibration", Quantity: "coverage", Params: result.Params{"pairs": 64.0}, Value: 0.95, SE: result.Absent(), Lo: 0.94, Hi: 0.96, Theory: result.Absent()}
	more := few
	more.Params = result.Params{"pairs": 128.0}
	if got := Of([]result.Estimate{few, more}); !slices.Equal(got, []string{"pairs", "value", "lo", "hi"}) {
		t.Errorf("%q", got)
	}
	for _, column := range Of([]result.Estimate{estimate(1, 2, 3), few}) {
		if !slices.Contains(Columns([]result.Estimate{estimate(1, 2, 3), few}), column) {
			t.Errorf("%s is no column that can be asked for", column)
		}
	}
}
