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

// readTable reads a CSV file of numbers with a heading. It omits fields that are not numbers.
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
		row := map[string]float64{}
		for i, name := range lines[0] {
			if x, err := strconv.ParseFloat(line[i], 64); err == nil {
				row[name] = x
			}
		}
		table = append(table, row)
	}
	return table
}

// comparisons counts comparisons.
type comparisons int

// maxSE is the largest accepted difference in standard errors: the probability that one of a
// thousand normal numbers exceeds it is 0.7 %. All seeds are fixed, so a test always has the same
// result.
const maxSE = 4.5

// compare compares two numbers, given the standard error of their difference.
func (c *comparisons) compare(t testing.TB, got, want, se float64, format string, args ...any) {
	t.Helper()
	if z := math.Abs(got-want) / se; got != want && !(z <= maxSE) {
		t.Errorf("%s is %v, %.2f standard errors (%.3g) from %v", fmt.Sprintf(format, args...), got, z, se, want)
	}
	*c++
}

// compareProportions compares two counted proportions of n1 and n2 units. If one of the two
// outcomes is rare, each of the k hits is in the first sample with probability n1/(n1+n2), so the
// count is binomial. Otherwise the difference is nearly normal.
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
	k, total := math.Round(proportion1*n1), math.Round(proportion1*n1)+math.Round(proportion2*n2)
	const tail = 3.4e-6 // beyond 4.5 standard errors
	lo, hi := theory.ClopperPearson(int64(k), max(int64(total), 1), tail)
	if expected := n1 / (n1 + n2); expected < lo || expected > hi {
		t.Errorf("%s: %v of %v, and %v of all %v", fmt.Sprintf(format, args...), k, n1, k, total)
	}
	*c++
}
