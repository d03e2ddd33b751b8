package kernel

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"mcsim/sim/law"
	"mcsim/sim/stream"
)

const (
	maxLag = 64
	pairs  = Width * (Width - 1) / 2 // of lanes
	powers = 2                       // x and (x² − 1)/√(κ − 1)
)

// correlations holds the sums of products of two draws, each of mean 0 and
// variance 1, so that every sum of n products over √n has variance 1, exactly,
// whatever the law, as long as draws are independent.
type correlations struct {
	lag, cross   [powers][pairs]float64 // by lag − 1; by pair of lanes
	nLag, nCross float64
}

// correlationRows is how many draws of each lane are correlated at a time.
const correlationRows = 1 << 13

func correlationsOf(l law.Law, draws int) *correlations {
	c := new(correlations)
	cell := stream.Open(stream.Key{Seed: 12, Cell: "correlation/" + l.String()})
	var lanes stream.Lanes
	rows := make([][Width]float32, correlationRows)
	var columns [powers][Width][]float64
	for power := range columns {
		for i := range columns[power] {
			columns[power][i] = make([]float64, correlationRows)
		}
	}
	fill := Components(l)
	for block := range uint64(draws / (correlationRows * Width)) {
		cell.Block(&lanes, block)
		fill(&lanes, rows)
		transpose(rows, &columns, l.Kurtosis())
		for power := range columns {
			c.add(power, &columns[power])
		}
		c.nLag += Width * (correlationRows - maxLag)
		c.nCross += correlationRows
	}
	return c
}

func transpose(rows [][Width]float32, columns *[powers][Width][]float64, kurtosis float64) {
	scale := 1 / math.Sqrt(kurtosis-1)
	for j := range rows {
		for i, x := range rows[j] {
			y := float64(x)
			columns[0][i][j] = y
			columns[1][i][j] = (y*y - 1) * scale
		}
	}
}

func (c *correlations) add(power int, columns *[Width][]float64) {
	pair := 0
	for i, x := range columns {
		for lag := 1; lag <= maxLag; lag++ {
			c.lag[power][lag-1] += floats.Dot(x[maxLag:], x[maxLag-lag:len(x)-lag])
		}
		for _, y := range columns[:i] {
			c.cross[power][pair] += floats.Dot(x, y)
			pair++
		}
	}
}

// TestCorrelations: draws of a lane 1…64 apart, and draws of any two lanes at
// once, are uncorrelated, and so are their squares.
func TestCorrelations(t *testing.T) {
	limit := distuv.UnitNormal.Quantile(1 - familyChance/2/float64(powers*(maxLag+pairs)*len(lawNames)))
	for _, name := range lawNames {
		l := parse(t, name)
		if !l.Independent() || math.IsInf(l.Moment(8), 1) { // the error of the squares' is infinite or not normal
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := correlationsOf(l, shorter(correlationDraws))
			for power := range powers {
				if power == 1 && l.Kurtosis() == 1 { // squares that do not vary
					continue
				}
				checkLargest(t, "lag", power, c.lag[power][:maxLag], c.nLag, limit)
				checkLargest(t, "pair of lanes", power, c.cross[power][:], c.nCross, limit)
			}
		})
	}
}

// checkLargest fails where any sum is too large for its n products.
func checkLargest(t *testing.T, what string, power int, sums []float64, n, limit float64) {
	t.Helper()
	worst, at := 0.0, 0
	for i, sum := range sums {
		if z := sum / math.Sqrt(n); !(math.Abs(z) <= math.Abs(worst)) {
			worst, at = z, i
		}
	}
	of := []string{"draws", "squares"}[power]
	t.Logf("%s: the largest of %d by %s is %+.2f standard errors", of, len(sums), what, worst)
	if !(math.Abs(worst) <= limit) {
		t.Errorf("%s, %s %d: correlation %.3g, %.2f standard errors; limit %.2f",
			of, what, at, worst/math.Sqrt(n), worst, limit)
	}
}
