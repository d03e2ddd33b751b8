package rows

import (
	"math"

	"mcsim/sim/base/moments"
)

// sums has the parts of a node that belong to one scaling.
type sums struct {
	rows, matrices []moments.Moments // of each of Means; the same slice if rows share no keys
	matrixRows     int64             // rows of a matrix, 1 if rows share no keys
	events         []int64
	eventScatter   []int64 // three numbers for each event; only if rows share keys
	histograms     []moments.Histogram
	squares        []moments.Histogram // of the counts of matrices; only if rows share keys
}

// sumsOf returns the sums of scaling i in a node; matrix is the number of rows that share their
// keys.
func sumsOf(n moments.Node, i int, matrix int64) sums {
	kinds, counts := 1, Events
	if matrix > 1 {
		kinds, counts = 2, 4*Events
	}
	columns := n.Moments[i*kinds*Means:][:kinds*Means]
	numbers := n.Counts[i*counts:][:counts]
	s := sums{rows: columns[:Means], matrices: columns[(kinds-1)*Means:], matrixRows: matrix, events: numbers[:Events],
		eventScatter: numbers[Events:]}
	if len(n.Histograms) > 0 {
		histograms := n.Histograms[i*kinds*Histograms:][:kinds*Histograms]
		s.histograms, s.squares = histograms[:Histograms], histograms[Histograms:]
	}
	return s
}

// n returns the number of rows.
func (s sums) n() int64 { return s.rows[0].N }

// independent returns the number of independent units: rows, or matrices if rows share keys.
func (s sums) independent() int64 { return s.matrices[0].N }

// proportion returns the proportion of rows with an event, and the scatter of its counts over
// matrices.
func (s sums) proportion(i int) (value float64, scatter eventScatter) {
	value = float64(s.events[i]) / float64(s.n())
	if s.matrixRows > 1 {
		scatter = eventScatter{s.eventScatter[3*i], s.eventScatter[3*i+1], s.eventScatter[3*i+2]}
	}
	return value, scatter
}

// proportionSE returns the standard error of a proportion: of a binomial count, or from the scatter
// of the counts of matrices.
func (s sums) proportionSE(i int) float64 {
	value, scatter := s.proportion(i)
	if s.matrixRows == 1 {
		return math.Sqrt(float64(value*(1-value)) / float64(s.n()))
	}
	m := float64(s.independent())
	count := float64(s.events[i])
	variance := (float64(scatter.squares) - float64(count*count)/m) / (m - 1)
	return math.Sqrt(max(0, variance)/m) / float64(s.matrixRows)
}
