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

// distributionNames maps the names of distributions in testdata/iid_theory.csv to this program's
// names.
var distributionNames = map[string]string{
	"normal": "normal", "uniform": "uniform", "rademacher": "rademacher", "laplace": "laplace",
	"triangular": "triangular", "truncnorm2": "truncated-normal", "sparse_bg_p0.1": "bernoulli-gaussian(0.1)",
	"student_t3": "student-t(3)", "student_t5": "student-t(5)", "student_t6": "student-t(6)",
	"student_t10": "student-t(10)", "sphere_sqrt_d(both)": "sphere",
}

// tableLine is a line of a CSV file of testdata. Both maps are by column: words has all fields, and
// numbers has the fields that are numbers.
type tableLine struct {
	numbers map[string]float64
	words   map[string]string
}

// readTable reads a CSV file of testdata. It must have count lines after its header, or at least 9
// if count is 0.
func readTable(t *testing.T, name string, count int) (rows []tableLine) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatalf("testdata/%s: %v", name, err)
	}
	if count > 0 && len(lines) != count+1 {
		t.Fatalf("testdata/%s: got %d lines after the header, want %d", name, len(lines)-1, count)
	}
	if len(lines) < 10 {
		t.Fatalf("testdata/%s: got %d lines after the header, want 9 or more", name, len(lines)-1)
	}
	for _, line := range lines[1:] {
		r := tableLine{map[string]float64{}, map[string]string{}}
		for i, head := range lines[0] {
			r.words[head] = line[i]
			if x, err := strconv.ParseFloat(line[i], 64); err == nil {
				r.numbers[head] = x
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func mustParse(t interface {
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

// TestScoreAgainstReference compares Score with testdata/iid_theory.csv, whose ten significant
// digits have a relative error of at most 5e-10. If large terms cancel, the rounding of the
// program's own sums adds a few units of 2⁻⁵³ times the largest term (scale): 3 for the excess
// kurtosis, and largest for the variance of the kurtosis.
func TestScoreAgainstReference(t *testing.T) {
	for _, r := range readTable(t, "iid_theory.csv", 74) {
		if strings.Contains(r.words["dist"], " x ") {
			continue // queries and keys of different distributions
		}
		l, d := mustParse(t, distributionNames[r.words["dist"]]), r.numbers["d_k"]
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
			want, ok := r.numbers[c.column]
			if !ok {
				t.Fatalf("the table has no column %s", c.column)
			}
			if c.got != want && !(math.Abs(c.got-want) <= 5e-10*math.Abs(want)+8*0x1p-53*c.scale) {
				t.Errorf("%v, d = %v: %s is %.12g, want %.10g", l, d, c.column, c.got, want)
			}
		}
		if !l.HasIndependentComponents() {
			continue
		}
		got, want := l.Kurtosis(), r.numbers["kappa"]
		if got != want && !(math.Abs(got/want-1) <= 5e-10) { // both may be infinite
			t.Errorf("%v: the kurtosis is %v, want %v", l, got, want)
		}
	}
}
