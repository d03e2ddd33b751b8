package rows

import (
	"math"

	"mcsim/sim/base/moments"
)

// sums has the parts of a node that belong to one scaling.
type sums struct {
	rows, matrices []moments.Moments // Means numbers of rows and of matrices; equal if matrixRows is 1
	matrixRows     int64             // rows of a matrix; 1 if rows do not share keys
	events         []int64           // number of rows with each event
	eventScatter   []int64           // the three fields of each eventScatter; empty if matrixRows is 1
	histograms     []moments.Histogram
	squares        []moments.Histogram // sums of squares of the counts of matrices; empty if matrixRows is 1
}

// sumsOf returns the sums of scaling i in a node, whose parts are in the order of Tally.Node.
func sumsOf(n moments.Node, i int, matrixRows int64) sums {
	parts, counts := 1, Events // rows
	if matrixRows > 1 {
		parts, counts = 2, Events+3*Events // rows and matrices
	}
	columns := n.Moments[i*parts*Means:][:parts*Means]
	numbers := n.Counts[i*counts:][:counts]
	s := sums{
		rows:         columns[:Means],
		matrices:     columns[(parts-1)*Means:],
		matrixRows:   matrixRows,
		events:       numbers[:Events],
		eventScatter: numbers[Events:],
	}
	if len(n.Histograms) > 0 {
		histograms := n.Histograms[i*parts*Histograms:][:parts*Histograms]
		s.histograms, s.squares = histograms[:Histograms], histograms[Histograms:]
	}
	return s
}

// rowCount returns the number of rows.
func (s sums) rowCount() int64 { return s.rows[0].N }

// independentCount returns the number of independent units: rows, or matrices if rows share keys.
func (s sums) independentCount() int64 { return s.matrices[0].N }

// proportion returns the proportion of rows with event i, and the scatter of its counts over
// matrices, which is zero if rows do not share keys.
func (s sums) proportion(i int) (value float64, scatter eventScatter) {
	value = float64(s.events[i]) / float64(s.rowCount())
	if s.matrixRows > 1 {
		fields := s.eventScatter[3*i:][:3]
		scatter = eventScatter{squares: fields[0], withEvent: fields[1], withoutEvent: fields[2]}
	}
	return value, scatter
}

// proportionSE returns the standard error of the proportion of rows with event i. If rows share
// keys, it follows from the scatter of the counts of matrices, and otherwise from the binomial
// distribution.
func (s sums) proportionSE(i int) float64 {
	value, scatter := s.proportion(i)
	if s.matrixRows == 1 {
		return math.Sqrt(float64(value*(1-value)) / float64(s.rowCount()))
	}
	matrices := float64(s.independentCount())
	count := float64(s.events[i])
	variance := (float64(scatter.squares) - float64(count*count)/matrices) / (matrices - 1)
	return math.Sqrt(max(0, variance)/matrices) / float64(s.matrixRows)
}
