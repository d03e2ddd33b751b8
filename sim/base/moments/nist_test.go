package moments

import (
	"bufio"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
)

// datasets are the univariate data of the NIST Statistical Reference Datasets with their certified
// mean and standard deviation. digits is the required number of correct digits of the standard
// deviation. NumAcc3 and NumAcc4 have a large mean and a small deviation, so that the rounding of
// the data to float64 allows only 9.46 and 8.25 digits.
var datasets = []struct {
	name     string
	n        int
	mean, sd string
	digits   float64
}{
	{"Lew", 200, "-177.435000000000", "277.332168044316", 13},
	{"Lottery", 218, "518.958715596330", "291.699727470969", 13},
	{"Mavro", 50, "2.00185600000000", "0.000429123454003053", 13},
	{"Michelso", 100, "299.852400000000", "0.0790105478190518", 13},
	{"NumAcc1", 3, "10000002", "1", 17},
	{"NumAcc2", 1001, "1.2", "0.1", 13},
	{"NumAcc3", 1001, "1000000.2", "0.1", 9},
	{"NumAcc4", 1001, "10000000.2", "0.1", 8},
	{"PiDigits", 5000, "4.53480000000000", "2.86733906028871", 13},
}

func TestMomentsAgainstNIST(t *testing.T) {
	for _, dataset := range datasets {
		t.Run(dataset.name, func(t *testing.T) {
			xs := readDataset(t, dataset.name)
			if len(xs) != dataset.n {
				t.Fatalf("the file has %d numbers, want %d", len(xs), dataset.n)
			}
			m := New(xs, 2)
			if d := countDigits(t, m.Mean, dataset.mean); d < 13 {
				t.Errorf("mean is %.17g, want %s to 13 digits: %.1f digits agree", m.Mean, dataset.mean, d)
			}
			sd := math.Sqrt(m.Variance())
			if d := countDigits(t, sd, dataset.sd); d < dataset.digits {
				t.Errorf("standard deviation is %.17g, want %s to %v digits: %.2f digits agree", sd, dataset.sd,
					dataset.digits, d)
			}
		})
	}
}

// countDigits returns the number of correct digits −log₁₀|got/certified − 1|, at most 17.
func countDigits(t *testing.T, got float64, certified string) float64 {
	t.Helper()
	want, ok := new(big.Rat).SetString(certified)
	if !ok {
		t.Fatalf("%q is not a number", certified)
	}
	relativeError := new(big.Rat).SetFloat64(got)
	relativeError.Sub(relativeError, want).Quo(relativeError, want)
	x, _ := relativeError.Float64()
	return math.Min(17, -math.Log10(math.Abs(x)))
}

func readDataset(t *testing.T, name string) []float64 {
	t.Helper()
	f, err := os.Open("testdata/nist/" + name + ".dat")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var xs []float64
	inData := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case strings.HasPrefix(line, "Data:") && strings.HasSuffix(line, "Y"):
			inData = true
		case inData && line != "" && strings.Trim(line, "-") != "":
			x, err := strconv.ParseFloat(line, 64)
			if err != nil {
				t.Fatal(err)
			}
			xs = append(xs, x)
		}
	}
	return xs
}
