package document

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// wholeCell is the cell ID of estimates about the whole document.
const wholeCell = "*"

// Agreement returns estimates about the document as a whole. found has the estimates of single
// cells and of several cells together. The returned estimates are:
//
//   - the proportion of 95 % intervals that contain their theory (intervals.go),
//   - the z-score of the headline of each cell (scores.go),
//   - tests of whether these z-scores are independent normal numbers (jointtests.go),
//   - the largest distance of any estimate from its theory (farthest.go).
//
// They belong to the experiment agreement, and two gates judge them (document.go). Agreement
// returns nil if fewer than two cells have a z-score.
func Agreement(cells []experiment.Cell, found []result.Estimate) []result.Estimate {
	scores := zScores(cells, found)
	if len(scores) < 2 {
		return nil
	}
	estimates := intervalEstimates(cells, found)
	estimates = append(estimates, scores...)
	estimates = append(estimates, testEstimates(scores)...)
	return append(estimates, largestDistance(found)...)
}

// IsAgreement reports whether an estimate is about the document as a whole.
func IsAgreement(r result.Estimate) bool { return r.Experiment == names.ExperimentAgreement }

// newWholeEstimate returns an estimate about the whole document.
func newWholeEstimate(quantity string, n int, value float64, params ...result.Params) result.Estimate {
	aggregate := experiment.NewAggregate(&experiment.Experiment{Name: names.ExperimentAgreement}, wholeCell, nil)
	r := aggregate.Estimate(quantity, int64(n), value, math.NaN(), params...)
	r.Estimator = names.EstimatorCount
	return r
}
