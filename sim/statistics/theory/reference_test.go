package theory

import (
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"mcsim/sim/base/distribution"
)

// distributionNames are the names that testdata/iid_theory.csv gives the distributions.
var distributionNames = map[string]string{
	"normal": "normal", "uniform": "uniform", "rademacher": "rademacher", "laplace": "laplace",
	"triangular": "triangular", "truncnorm2": "truncated-normal", "sparse_bg_p0.1": "bernoulli-gaussian(0.1)",
	"student_t3": "student-t(3)", "student_t5": "student-t(5)", "student_t6": "student-t(6)",
	"student_t10": "student-t(10)", "sphere_sqrt_d(both)": "sphere",
}

// row is a line of a file of testdata: what is a number, and all of it as words.
type row struct {
	at   map[string]float64
	word map[string]string
}

// readTable reads a file of testdata, which has so many lines below its head, unless that is 0.
func readTable(t *testing.T, name string, want int) (rows []row) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) < 10 || want > 0 && len(lines) != want+1 {
		t.Fatalf("%s has %d lines: %v", name, len(lines), err)
	}
	for _, line := range lines[1:] {
		r := row{map[string]float64{}, map[string]string{}}
		for i, head := range lines[0] {
			r.word[head] = line[i]
			if x, err := strconv.ParseFloat(line[i], 64); err == nil {
				r.at[head] = x
			}
		}
		rows = append(rows, r)
	}
	return rows
}

// distributionOf is a distribution by its name.
func distributionOf(t interface {
	Helper()
	Fatal(...any)
}, text string) distribution.Distribution {
	t.Helper()
	l, err := distribution.Parse(text, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The table has ten significant digits, so half a unit of the last one is at
// most 5e-10 of the value. Where large terms cancel, the rounding of our own
// sums comes on top: of numbers around 3 for the excess, and around the
// largest of the terms for the variance of the kurtosis.
func TestScoreAgainstReference(t *testing.T) {
	for _, r := range readTable(t, "iid_theory.csv", 74) {
		if strings.Contains(r.word["dist"], " x ") {
			continue // two distributions
		}
		l, d := distributionOf(t, distributionNames[r.word["dist"]]), r.at["d_k"]
		s := NewScore(l, int(d))
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
			want, ok := r.at[c.column]
			if !ok {
				t.Fatalf("the table lacks %s", c.column)
			}
			if c.got != want && !(math.Abs(c.got-want) <= 5e-10*math.Abs(want)+8*0x1p-53*c.scale) {
				t.Errorf("%v, d = %v: %s = %.12g, the table has %.10g", l, d, c.column, c.got, want)
			}
		}
		if l.HasIndependentComponents() && l.Kurtosis() != r.at["kappa"] &&
			!(math.Abs(l.Kurtosis()/r.at["kappa"]-1) <= 5e-10) {
			t.Errorf("%v: κ = %v, the table has %v", l, l.Kurtosis(), r.at["kappa"])
		}
	}
}
