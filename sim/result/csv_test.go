package result

import (
	"bytes"
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"testing"
)

func TestWriteCSV(t *testing.T) {
	rows := []Estimate{
		{Experiment: "variance", Cell: "a,b", Params: Params{"law": "normal", "d_k": 64.0}, Quantity: "score_variance", Estimator: "direct",
			N: 2048, Value: 1.0 / 3, SE: Number(math.Inf(1)), Lo: Absent(), Hi: -0.5, Level: 0.95, Theory: 1e-300, TheoryKind: "exact"},
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
		{"experiment", "cell", "d_k", "exponent", "law", "quantity", "estimator", "n", "value", "se", "lo", "hi", "level", "theory", "theory_kind"},
		{"variance", "a,b", "64", "", "normal", "score_variance", "direct", "2048", "0.3333333333333333", "", "", "-0.5", "0.95", "1e-300", "exact"},
		{"exponents", "", "", "0.25", "", "", "gram", "0", "0", "0", "0", "0", "0", "", "none"},
	}
	for i := range want {
		if !slices.Equal(lines[i], want[i]) {
			t.Errorf("line %d: %q, want %q", i, lines[i], want[i])
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
