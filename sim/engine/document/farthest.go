package document

import (
	"maps"
	"math"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/elementary"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/theory"
)

// findFarthest finds the estimate with the largest distance from its theory, in standard errors,
// among the estimates for which hasKnownTail is true. It returns an estimate that has this distance
// as its value, and the cell and parameters of the found one. judged is the number of compared
// estimates.
func findFarthest(estimates []result.Estimate) (farthest result.Estimate, judged int) {
	distance := -1.0
	for i := range estimates {
		e := &estimates[i]
		if !hasKnownTail(*e) {
			continue
		}
		judged++
		z := measureDistance(*e)
		if z <= distance {
			continue
		}
		distance = z
		farthest = newWholeEstimate(names.ZLargestEstimate, 0, z)
		farthest.Cell = e.Cell
		farthest.Params = result.Params{names.ParamOfExperiment: e.Experiment, names.ParamOfQuantity: e.Quantity}
		maps.Copy(farthest.Params, e.Params)
	}
	return farthest, judged
}

// largestDistance returns an estimate of the distance that findFarthest finds, or nil if no
// estimate was compared. It does not have the cell and the parameters of the farthest estimate.
// Therefore it has the same key in documents of different seeds, in which other estimates are the
// farthest.
func largestDistance(estimates []result.Estimate) []result.Estimate {
	farthest, judged := findFarthest(estimates)
	if judged == 0 {
		return nil
	}
	return []result.Estimate{newWholeEstimate(names.ZLargestEstimate, judged, float64(farthest.Value))}
}

// limitFarthest returns a limit for the distance of the farthest of the judged estimates. If all
// theory is right, the distance exceeds it with a probability of at most alpha, also if estimates
// depend on each other (Bonferroni) or are as skewed as an estimate with an interval may be.
func limitFarthest(alpha float64, judged int) float64 {
	z := -elementary.Quantile(alpha / float64(2*judged))
	return theory.CornishFisher(z, experiment.MaxSkewness, 1).Upper
}

// hasKnownTail reports whether the distribution on which the interval of an estimate is based holds
// up to distances of ten standard errors. This is not so for intervals that are not symmetric, such
// as intervals of counts and of variances over a few samples; for averages of third and fourth
// powers; and for components that have power-law tails or whose products have a constant square.
func hasKnownTail(e result.Estimate) bool {
	isSymmetric := math.Abs(float64(e.Hi-e.Value)-float64(e.Value-e.Lo)) <= 1e-6*float64(e.SE)
	if !hasJudgedInterval(e) || !(e.SE > 0) || !isSymmetric || names.HasHeavyTail(e.Quantity) {
		return false
	}
	components, hasDistribution := e.Params.Text(names.ParamDistribution)
	if !hasDistribution {
		return true
	}
	l, err := distribution.Parse(components, experiment.Number)
	if err != nil || l.HasPowerTail() {
		return false
	}
	dimension, _ := e.Params.Number(names.ParamDimension) // 0 if the estimate does not have the parameter
	return theory.NewScore(l, max(1, int(dimension))).M4 > 1+1e-12
}

// measureDistance returns the distance of an estimate from theory in standard errors. If the
// interval is Student's, it returns the normal score of the same tail probability.
func measureDistance(e result.Estimate) float64 {
	se := float64(e.SE)
	z := math.Abs(float64(e.Value-e.Theory)) / se
	halfWidth := float64(e.Hi-e.Lo) / 2
	if isNormal := halfWidth <= experiment.LevelZ*se*(1+1e-6); isNormal {
		return z
	}
	return theory.StudentScore(z, float64(e.N-1))
}
