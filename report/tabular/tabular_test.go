package tabular

import (
	"slices"
	"strings"
	"testing"

	"mcsim/sim/result"
)

// newEstimate returns an estimate of the variance of a score at a dimension.
func newEstimate(d, value, se float64) result.Estimate {
	return result.Estimate{
		Experiment: "variance", Cell: "c", Params: result.Params{"distribution": "normal", "d_k": d},
		Quantity: "score_variance", Estimator: "direct", N: 12345,
		Value: result.Number(value), SE: result.Number(se),
		Lo: result.Number(value - 2*se), Hi: result.Number(value + 2*se), Level: 0.95,
		Theory: result.Number(d), TheoryKind: "exact",
	}
}

// TestLaTeX checks that common parameters are in the caption and others in columns. Numbers have
// the digits that their errors support.
func TestLaTeX(t *testing.T) {
	estimates := []result.Estimate{newEstimate(1, 0.99981691, 0.00082), newEstimate(65536, 65570.26, 58.1)}
	text := string(LaTeX(estimates, DefaultColumns(estimates), "two rows"))
	for _, want := range []string{
		"% two rows\n", `\caption{Variance of the score: distribution normal. The standard error`,
		`\begin{tabular}{S[table-format=5.0] S[table-format=5.4(2)] S[table-format=5.0]}`,
		`{$d_k$} & {value} & {theory} \\`, "    1 & 0.9998(8) & 1 \\\\\n", "    65536 & 65570(60) & 65536 \\\\\n",
		`\toprule`, `\midrule`, `\bottomrule`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// TestLongTable checks that a table that does not fit on a page is a longtable, with its head on
// each page and its caption on the first.
func TestLongTable(t *testing.T) {
	var estimates []result.Estimate
	for d := range maxFloating + 1 {
		estimates = append(estimates, newEstimate(float64(d+1), float64(d+1), 0.01))
	}
	text := string(LaTeX(estimates, DefaultColumns(estimates), ""))
	for part, want := range map[string]int{
		`\begin{longtable}`: 1, `\end{longtable}`: 1, `\usepackage{longtable}`: 1, `\caption`: 1,
		`\label{tab:mcsim:variance:score-variance}`: 1, `\toprule`: 2, `tabular`: 0,
	} {
		if got := strings.Count(text, part); got != want {
			t.Errorf("%s occurs %d times, want %d", part, got, want)
		}
	}
	mean := estimates[0]
	mean.Quantity = "score_mean"
	mixed := string(LaTeX(append(estimates[:3:3], mean), DefaultColumns(estimates), ""))
	if !strings.Contains(mixed, `\label{tab:mcsim:variance}`) || strings.Contains(mixed, "longtable") {
		t.Errorf("a short table of two quantities has another label, or is a longtable:\n%s", mixed)
	}
}

func TestCells(t *testing.T) {
	absent := result.Absent()
	neverCounted := result.Estimate{Experiment: "calibration", Value: 0, SE: absent, Lo: 0, Hi: 3.2e-5}
	proportion := result.Estimate{Experiment: "calibration", Value: 0.9512, SE: absent, Lo: 0.948, Hi: 0.954}
	unknownError := result.Estimate{Value: 1.2345, SE: absent, Lo: absent, Hi: absent}
	noValue := result.Estimate{Value: absent, SE: absent, Lo: absent, Hi: absent, Theory: absent}
	small := newEstimate(4, -1.234e-7, 2e-9)
	infiniteTemperature := result.Estimate{Experiment: "softmax", Params: result.Params{"temperature": "infinite"}}
	for _, c := range []struct {
		e            result.Estimate
		column, want string
	}{
		{neverCounted, "value", `{$<\num{3.2e-5}$}`}, {proportion, "value", "0.9512"}, {proportion, "lo", "0.9480"},
		{unknownError, "value", `{\num{1.2}$\dagger$}`}, {noValue, "value", "{--}"}, {noValue, "theory", "{--}"},
		{small, "value", "-1.234(20)e-7"}, {small, "n", "12345"},
		{infiniteTemperature, "temperature", `{$\infty$}`}, {infiniteTemperature, "shared_keys", "{no}"},
		{infiniteTemperature, "norm", "{}"},
	} {
		if got := newCell(&c.e, c.column).latex(true); got != c.want {
			t.Errorf("%s of %+v is %s, want %s", c.column, c.e, got, c.want)
		}
	}
	got := columnType([]cell{valueCell(&small), valueCell(&proportion), valueCell(&neverCounted)})
	if want := "S[table-format=-1.4(2)e-1]"; got != want {
		t.Errorf("the type of a column of numbers is %s, want %s", got, want)
	}
	if got := columnType([]cell{{plain: "normal"}, {plain: "7"}}); got != "l" {
		t.Errorf("the type of a column with text is %s, want l", got)
	}
}

// TestDefaultColumns checks that only estimates without a standard error have columns for the
// TestDefaultColumns checks that a table has columns for the limits only if an estimate has no
// standard error.
func TestDefaultColumns(t *testing.T) {
	coverage := func(pairs float64) result.Estimate {
		return result.Estimate{
			Experiment: "calibration", Quantity: "coverage", Params: result.Params{"pairs": pairs},
			Value: 0.95, SE: result.Absent(), Lo: 0.94, Hi: 0.96, Theory: result.Absent(),
		}
	}
	got := DefaultColumns([]result.Estimate{coverage(64), coverage(128)})
	if want := []string{"pairs", "value", "lo", "hi"}; !slices.Equal(got, want) {
		t.Errorf("columns %q, want %q", got, want)
	}
	mixed := []result.Estimate{newEstimate(1, 2, 3), coverage(64)}
	for _, column := range DefaultColumns(mixed) {
		if !slices.Contains(Columns(mixed), column) {
			t.Errorf("Columns does not have the default column %s", column)
		}
	}
}
