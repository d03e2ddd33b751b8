package rows

import (
	"math"

	"mcsim/sim/base/moments"
)

// Sums parts a node again: what one scaling has.
type Sums struct {
	Rows, Matrices []moments.Moments // a column each of Means; the same twice where rows share no keys
	Matrix         int64             // rows of a matrix, 1 where they share no keys
	shares         []int64
	sharing        []int64 // three numbers of each share, of matrices alone
	histograms     []moments.Histogram
	squares        []moments.Histogram // of matrices alone
}

// SumsOf are the sums of scaling i in a node of rows of which so many share their keys.
func SumsOf(n moments.Node, i int, matrix int64) Sums {
	kinds, counts := 1, Shares
	if matrix > 1 {
		kinds, counts = 2, 4*Shares
	}
	columns := n.Moments[i*kinds*Means:][:kinds*Means]
	numbers := n.Counts[i*counts:][:counts]
	s := Sums{Rows: columns[:Means], Matrices: columns[(kinds-1)*Means:], Matrix: matrix, shares: numbers[:Shares],
		sharing: numbers[Shares:]}
	if len(n.Histograms) > 0 {
		all := n.Histograms[i*kinds*Histograms:][:kinds*Histograms]
		s.histograms, s.squares = all[:Histograms], all[Histograms:]
	}
	return s
}

// N is how many rows there are.
func (s Sums) N() int64 { return s.Rows[0].N }

// independent is how many rows, or matrices of rows, there are that do not depend on
// each other.
func (s Sums) independent() int64 { return s.Matrices[0].N }

// share is the share of rows with an event, and how it is spread over matrices.
func (s Sums) share(i int) (value float64, over sharing) {
	value = float64(s.shares[i]) / float64(s.N())
	if s.Matrix > 1 {
		over = sharing{s.sharing[3*i], s.sharing[3*i+1], s.sharing[3*i+2]}
	}
	return value, over
}

// shareError is the standard error of a share: of a binomial count, or by the scatter of
// the counts of matrices.
func (s Sums) shareError(i int) float64 {
	value, over := s.share(i)
	if s.Matrix == 1 {
		return math.Sqrt(float64(value*(1-value)) / float64(s.N()))
	}
	m := float64(s.independent())
	count := float64(s.shares[i])
	variance := (float64(over.squares) - float64(count*count)/m) / (m - 1)
	return math.Sqrt(max(0, variance)/m) / float64(s.Matrix)
}
