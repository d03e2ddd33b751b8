package document

import (
	"math"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// wholeCell is the cell of rows that are of the wholeCell document.
const wholeCell = "*"

// Agreement judges a document as a whole, from the rows which the cells and joins of them
// gave: how many 95 % intervals hold their theory (intervals.go), and whether the z-scores of
// rows that were chosen beforehand, one a cell, are independent normal numbers (scores.go,
// jointtests.go), and how far the farthest of all estimates is from theory (farthest.go). What it
// finds are rows of the experiment agreement; two gates judge them (document.go).
// There are none where fewer than two cells have a chosen row: there is no whole then.
func Agreement(cells []experiment.Cell, found []result.Estimate) []result.Estimate {
	scores := zScores(cells, found)
	if len(scores) < 2 {
		return nil
	}
	rows := intervalEstimates(cells, found)
	rows = append(rows, scores...)
	rows = append(rows, testEstimates(scores)...)
	return append(rows, largestDistance(found)...)
}

// OfAgreement reports whether a row is one that judges the document.
func OfAgreement(r result.Estimate) bool { return r.Experiment == names.ExperimentAgreement }

// newWholeEstimate is one of the whole document.
func newWholeEstimate(quantity string, n int, value float64, more ...any) result.Estimate {
	of := experiment.NewAggregate(&experiment.Experiment{Name: names.ExperimentAgreement}, wholeCell, nil)
	r := of.Estimate(quantity, int64(n), value, math.NaN(), result.Params{}.Add(more...))
	r.Estimator = names.EstimatorCount
	return r
}
