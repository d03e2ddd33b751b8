package sim_test

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"

	"mcsim/sim/engine/document"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// referenceMoments has the moments of a score from one line of
// statistics/theory/testdata/iid_theory.csv. The standard errors of estimates from n pairs follow
// from them.
type referenceMoments struct {
	variance    float64
	excess      float64 // excess kurtosis
	m6          float64 // sixth moment of the standardised score
	kurtosisVar float64 // n times the variance of the sample kurtosis, for large n
}

// readReference returns the lines of the table by the cell of the experiment variance.
func readReference(t *testing.T) map[string]referenceMoments {
	t.Helper()
	names := map[string]string{
		"normal": "normal", "uniform": "uniform", "rademacher": "rademacher", "laplace": "laplace",
		"triangular": "triangular",
		"truncnorm2": "truncated-normal", "sparse_bg_p0.1": "bernoulli-gaussian(0.1)", "student_t3": "student-t(3)",
		"student_t5": "student-t(5)", "student_t6": "student-t(6)", "student_t10": "student-t(10)",
		"sphere_sqrt_d(both)": "sphere",
	}
	f, err := os.Open("statistics/theory/testdata/iid_theory.csv")
	simtest.Must(t, err)
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	simtest.Must(t, err)
	column := map[string]int{}
	for i, head := range lines[0] {
		column[head] = i
	}
	rows := map[string]referenceMoments{}
	for _, line := range lines[1:] {
		number := func(head string) float64 {
			x, err := strconv.ParseFloat(line[column[head]], 64)
			if err != nil {
				t.Fatalf("%s: %v", head, err)
			}
			return x
		}
		if name, ok := names[line[0]]; ok {
			rows["variance/"+name+"/d_k="+line[column["d_k"]]] = referenceMoments{number("var"),
				number("excess_kurtosis"), number("m6_std"), number("N_times_var_sample_kurt")}
		}
	}
	return rows
}

// expected returns the expected value of a quantity and its standard error over n pairs.
func (r referenceMoments) expected(quantity string, n float64) (value, se float64, ok bool) {
	m4 := 3 + r.excess
	switch quantity {
	case "score_mean":
		return 0, math.Sqrt(r.variance / n), true
	case "score_variance":
		return r.variance, r.variance * math.Sqrt(2/(n-1)+r.excess/n), true
	case "score_skewness":
		return 0, math.Sqrt((r.m6 - 6*m4 + 9) / n), true
	case "score_excess_kurtosis":
		return r.excess, math.Sqrt(r.kurtosisVar / n), true
	}
	return 0, 0, false
}

// TestEstimatesAgainstReference samples 2¹⁶ pairs for each distribution and d_k of the table. An
// estimate has an interval if its standard error is reliable. Each of these must be within 4.9 of
// the table's standard errors of the table's value. If all 211 estimates are normal, a random seed
// fails with a probability of at most 211·9.6e-7, 1 in 4900. The seed is fixed.
func TestEstimatesAgainstReference(t *testing.T) {
	s := simtest.NewSchedule(t, `
seed: 7
experiments:
  - {experiment: variance, gate: false, samples: 65536, d_k: [1, 2, 8, 64, 256, 512],
     distribution: [normal, uniform, rademacher, laplace, triangular, truncated-normal, bernoulli-gaussian, student-t(3), student-t(5), student-t(6), student-t]}
  - {experiment: variance, gate: false, samples: 65536, d_k: [2, 8, 64, 256, 512], distribution: sphere}
`)
	reference := readReference(t)
	var doc *result.Document
	nodes := simtest.NewStore(s)
	simtest.SampleInto(t, s, nodes, 2)
	doc, err := document.Build(s, nodes)
	simtest.Must(t, err)
	compared, cells, worst := 0, map[string]bool{}, 0.0
	for _, r := range doc.Estimates {
		moments, ok := reference[r.Cell]
		if !ok && r.Experiment == names.ExperimentAgreement {
			continue // its estimates are about the whole document
		}
		if !ok {
			t.Fatalf("%s is not in the table", r.Cell)
		}
		cells[r.Cell] = true
		value, se, ok := moments.expected(r.Quantity, float64(r.N))
		if !ok || !r.Level.Present() {
			continue
		}
		if math.Abs(float64(r.SE)-se) > 1e-8*se {
			t.Errorf("%s of %s: got the standard error %v, want %v", r.Quantity, r.Cell, r.SE, se)
		}
		if distance := math.Abs(float64(r.Value) - value); distance > 4.9*se {
			t.Errorf("%s of %s: %v is %.2f standard errors from %v", r.Quantity, r.Cell, r.Value, distance/se, value)
		} else if se > 0 {
			worst = max(worst, distance/se)
		}
		compared++
	}
	if len(cells) != 71 || compared < 200 {
		t.Errorf("got %d cells and %d comparisons, want 71 and at least 200", len(cells), compared)
	}
	t.Logf("%d comparisons; the largest difference is %.2f standard errors", compared, worst)
}
