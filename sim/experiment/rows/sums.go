package rows

import (
	"math"

	"mcsim/sim/base/moments"
)

// sums is what a node holds of one scaling.
type sums struct {
	rows, matrices []moments.Moments // a column each of Means; the same twice where rows share no keys
	matrix         int64             // rows of a matrix, 1 where they share no keys
	shares         []int64
	sharing        []int64 // three numbers of each share, of matrices alone
	histograms     []moments.Histogram
	squares        []moments.Histogram // of matrices alone
}

// sumsOf returns the sums of scaling i in a node of rows; matrix is how many of them share their keys.
func sumsOf(n moments.Node, i int, matrix int64) sums {
	kinds, counts := 1, Shares
	if matrix > 1 {
		kinds, counts = 2, 4*Shares
	}
	columns := n.Moments[i*kinds*Means:][:kinds*Means]
	numbers := n.Counts[i*counts:][:counts]
	s := sums{rows: columns[:Means], matrices: columns[(kinds-1)*Means:], matrix: matrix, shares: numbers[:Shares],
		sharing: numbers[Shares:]}
	if len(n.Histograms) > 0 {
		all := n.Histograms[i*kinds*Histograms:][:kinds*Histograms]
		s.histograms, s.squares = all[:Histograms], all[Histograms:]
	}
	return s
}

// n returns how many rows there are.
func (s sums) n() int64 { return s.rows[0].N }

// independent returns how many rows, or matrices of rows, there are that do not depend on
// each other.
func (s sums) independent() int64 { return s.matrices[0].N }

// share returns the share of rows with an event, and how it is spread over matrices.
func (s sums) share(i int) (value float64, over sharing) {
	value = float64(s.shares[i]) / float64(s.n())
	if s.matrix > 1 {
		over = sharing{s.sharing[3*i], s.sharing[3*i+1], s.sharing[3*i+2]}
	}
	return value, over
}

// shareError returns the standard error of a share: of a binomial count, or by the scatter of
// the counts of matrices.
func (s sums) shareError(i int) float64 {
	value, spread := s.share(i)
	if s.matrix == 1 {
		return math.Sqrt(float64(value*(1-value)) / float64(s.n()))
	}
	m := float64(s.independent())
	count := float64(s.shares[i])
	variance := (float64(spread.squares) - float64(count*count)/m) / (m - 1)
	return math.Sqrt(max(0, variance)/m) / float64(s.matrix)
}
