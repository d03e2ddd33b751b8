package theory

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/law"
)

// lawNames are the names that testdata/iid_theory.csv gives the laws.
var lawNames = map[string]string{
	"normal": "normal", "uniform": "uniform", "rademacher": "rademacher", "laplace": "laplace",
	"triangular": "triangular", "truncnorm2": "truncated-normal", "sparse_bg_p0.1": "bernoulli-gaussian(0.1)",
	"student_t3": "student-t(3)", "student_t5": "student-t(5)", "student_t6": "student-t(6)",
	"student_t10": "student-t(10)", "sphere_sqrt_d(both)": "sphere",
}

// row is one line of testdata/iid_theory.csv.
type row struct {
	law     law.Law
	d       int
	columns map[string]float64
}

func readRows(t *testing.T) []row {
	t.Helper()
	f, err := os.Open("testdata/iid_theory.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, line := range lines[1:] {
		name, ok := lawNames[line[0]]
		if !ok {
			if strings.Contains(line[0], " x ") { // two laws
				continue
			}
			t.Fatalf("no law is called %s", line[0])
		}
		l, err := law.Parse(name, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
		if err != nil {
			t.Fatal(err)
		}
		r := row{law: l, columns: map[string]float64{}}
		for i, head := range lines[0] {
			if x, err := strconv.ParseFloat(line[i], 64); err == nil {
				r.columns[head] = x
			}
		}
		r.d = int(r.columns["d_k"])
		rows = append(rows, r)
	}
	if len(rows) != 71 {
		t.Fatalf("%d rows of one law, want 71", len(rows))
	}
	return rows
}

// The table has ten significant digits, so half a unit of the last one is at
// most 5e-10 of the value. Where large terms cancel, the rounding of our own
// sums comes on top: of numbers around 3 for the excess, and around the
// largest of the terms for the variance of the kurtosis.
func TestScoreAgainstReference(t *testing.T) {
	for _, r := range readRows(t) {
		s := NewScore(r.law, r.d)
		d := float64(r.d)
		largest := s.M8 + 4*s.M4*s.M6 + 4*s.M4*s.M4*s.M4
		for _, c := range []struct {
			column     string
			got, scale float64
		}{
			{"var", s.Variance(), 0},
			{"excess_kurtosis", s.Excess(), 3},
			{"m6_std", s.M6, 0},
			{"m8_std", s.M8, 0},
			{"rel_se_var_N1e4", s.VarianceSE(1e4) / d, 0},
			{"rel_se_var_N1e5", s.VarianceSE(1e5) / d, 0},
			{"rel_se_var_N1e6", s.VarianceSE(1e6) / d, 0},
			{"se_mean_scaled_N1e5", s.MeanSE(1e5) / math.Sqrt(d), 0},
			{"N_times_var_sample_kurt", 1e5 * square(s.KurtosisSE(1e5)), largest},
			{"se_kurt_N1e5", s.KurtosisSE(1e5), 0},
		} {
			want, ok := r.columns[c.column]
			if !ok {
				t.Fatalf("the table lacks %s", c.column)
			}
			if c.got != want && !(math.Abs(c.got-want) <= 5e-10*math.Abs(want)+8*0x1p-53*c.scale) {
				t.Errorf("%v, d = %d: %s = %.12g, the table has %.10g", r.law, r.d, c.column, c.got, want)
			}
		}
		if r.law.Independent() && r.law.Kurtosis() != r.columns["kappa"] &&
			!(math.Abs(r.law.Kurtosis()/r.columns["kappa"]-1) <= 5e-10) {
			t.Errorf("%v: κ = %v, the table has %v", r.law, r.law.Kurtosis(), r.columns["kappa"])
		}
	}
}
