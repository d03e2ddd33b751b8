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

// findFarthest returns the distance from theory, in standard errors, of the estimate that is
// farthest from it, with the cell and params of that estimate, and the number of estimates that
// it compared.
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

// largestDistance returns the document's estimate of the distance that findFarthest finds, if
// there is one. It does not name the farthest estimate, as the gate does, so that documents of
// different seeds have it in common.
func largestDistance(estimates []result.Estimate) []result.Estimate {
	farthest, judged := findFarthest(estimates)
	if judged == 0 {
		return nil
	}
	return []result.Estimate{newWholeEstimate(names.ZLargestEstimate, judged, float64(farthest.Value))}
}

// limitFarthest returns the distance that the farthest of the judged estimates exceeds with a
// chance of at most alpha if all theory is right, whatever they have in common (Bonferroni), and
// if they are as skewed as an estimate with an interval may be.
func limitFarthest(alpha float64, judged int) float64 {
	z := -elementary.Quantile(alpha / float64(2*judged))
	return theory.CornishFisher(z, experiment.MaxSkewness, 1).Upper
}

// hasKnownTail reports whether the distance of an estimate from theory still has the tail of its
// interval ten standard errors out. It excludes intervals that are not symmetric, such as those of
// counts and of variances over a few samples; averages of third and fourth powers; and components
// that have power-law tails or whose products do not vary.
func hasKnownTail(e result.Estimate) bool {
	skewed := math.Abs(float64(e.Hi-e.Value)-float64(e.Value-e.Lo)) > 1e-6*float64(e.SE)
	if !hasJudgedInterval(e) || !(e.SE > 0) || skewed || names.HasHeavyTail(e.Quantity) {
		return false
	}
	components, named := e.Params.Text(names.ParamDistribution)
	if !named {
		return true
	}
	l, err := distribution.Parse(components, experiment.Number)
	if err != nil || l.HasPowerTail() {
		return false
	}
	dimension, _ := e.Params.Number(names.ParamDimension) // 0 for one component, or many cells
	return theory.NewScore(l, max(1, int(dimension))).M4 > 1+1e-12
}

// measureDistance returns the distance of an estimate from theory in standard errors. If the
// interval is Student's, it returns the normal score of the same tail probability.
func measureDistance(e result.Estimate) float64 {
	se := float64(e.SE)
	z := math.Abs(float64(e.Value-e.Theory)) / se
	if halfWidth := float64(e.Hi-e.Lo) / 2; halfWidth <= experiment.LevelZ*se*(1+1e-6) {
		return z
	}
	return theory.StudentScore(z, float64(e.N-1))
}
