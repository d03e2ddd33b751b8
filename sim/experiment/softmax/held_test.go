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

// table reads a file of numbers with a heading; what is no number is left out.
func table(t testing.TB, path string) []map[string]float64 {
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
	var rows []map[string]float64
	for _, line := range lines[1:] {
		row := map[string]float64{}
		for i, name := range lines[0] {
			if x, err := strconv.ParseFloat(line[i], 64); err == nil {
				row[name] = x
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// held counts comparisons.
type held int

// maxSE is how many standard errors two numbers may be apart: of a thousand
// normal ones, one is with a chance of 0.7 %. All seeds are fixed, so a test
// gives the same answer always.
const maxSE = 4.5

// hold holds a number against another, with the standard error of the difference.
func (l *held) hold(t testing.TB, got, want, se float64, format string, args ...any) {
	t.Helper()
	if z := math.Abs(got-want) / se; got != want && !(z <= maxSE) {
		t.Errorf("%s is %v, %.2f standard errors (%.3g) from %v", fmt.Sprintf(format, args...), got, z, se, want)
	}
	*l++
}

// holdShares holds two counted shares against each other. Where one of the two
// outcomes is rare, one of all its k hits is of the first count with the chance
// n/(n+m), which makes the count binomial; elsewhere the difference is normal.
func (l *held) holdShares(t testing.TB, share, n, other, m float64, format string, args ...any) {
	t.Helper()
	pooled := (float64(share*n) + float64(other*m)) / (n + m)
	if rare := min(pooled, 1-pooled) * (n + m); rare >= 100 {
		l.hold(t, share, other, math.Sqrt(pooled*(1-pooled)*(1/n+1/m)), format, args...)
		return
	}
	if pooled > 0.5 {
		share, other = 1-share, 1-other
	}
	k, hits := math.Round(share*n), math.Round(share*n)+math.Round(other*m)
	const tail = 3.4e-6 // beyond 4.5 standard errors
	lo, hi := theory.ClopperPearson(int64(k), max(int64(hits), 1), tail)
	if at := n / (n + m); at < lo || at > hi {
		t.Errorf("%s: %v of %v, and %v of all %v", fmt.Sprintf(format, args...), k, n, k, hits)
	}
	*l++
}
