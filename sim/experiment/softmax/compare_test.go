package softmax

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"mcsim/sim/statistics/theory"
)

// readTable reads a CSV file with a heading. It returns a map from column to number for each line,
// without the fields that are not numbers.
func readTable(t testing.TB, path string) []map[string]float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table []map[string]float64
	for _, line := range lines[1:] {
		numbers := map[string]float64{}
		for i, column := range lines[0] {
			if x, err := strconv.ParseFloat(line[i], 64); err == nil {
				numbers[column] = x
			}
		}
		table = append(table, numbers)
	}
	return table
}

// comparisons is a number of comparisons that a test has made.
type comparisons int

// maxZ is the largest accepted difference in units of its standard error. The probability that one
// of a thousand normal numbers exceeds it is 0.7 %. All seeds are fixed, so a test always has the
// same result.
const maxZ = 4.5

// compare checks that got and want differ by at most maxZ standard errors of their difference. The
// format describes the number.
func (c *comparisons) compare(t testing.TB, got, want, se float64, format string, args ...any) {
	t.Helper()
	z := math.Abs(got-want) / se
	if got != want && !(z <= maxZ) {
		t.Errorf("%s: got %v, want %v; the difference is %.2f standard errors of %.3g, want at most %v",
			fmt.Sprintf(format, args...), got, want, z, se, maxZ)
	}
	*c++
}

// compareProportions compares the proportions of an event in two samples of n1 and n2 units. If the
// event is neither rare nor nearly certain, the difference of the proportions is nearly normal.
// Otherwise it compares the counts of the rarer outcome: if the probabilities are equal, each of
// these units is in the first sample with probability n1/(n1+n2), so its count there is binomial.
func (c *comparisons) compareProportions(t testing.TB, proportion1, n1, proportion2, n2 float64, format string,
	args ...any) {
	t.Helper()
	pooled := (float64(proportion1*n1) + float64(proportion2*n2)) / (n1 + n2)
	if rareCount := min(pooled, 1-pooled) * (n1 + n2); rareCount >= 100 {
		c.compare(t, proportion1, proportion2, math.Sqrt(pooled*(1-pooled)*(1/n1+1/n2)), format, args...)
		return
	}
	if pooled > 0.5 {
		proportion1, proportion2 = 1-proportion1, 1-proportion2
	}
	count1, count2 := math.Round(proportion1*n1), math.Round(proportion2*n2)
	const tail = 3.4e-6 // probability that a normal number is above maxZ
	lo, hi := theory.ClopperPearson(int64(count1), max(int64(count1+count2), 1), tail)
	if expected := n1 / (n1 + n2); expected < lo || expected > hi {
		t.Errorf("%s: the rarer outcome occurs in %v of %v units, but in %v of %v units of the reference",
			fmt.Sprintf(format, args...), count1, n1, count2, n2)
	}
	*c++
}
