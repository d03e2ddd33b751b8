package precision

import (
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/quantile"
)

// estimates are, for each way, the mean and the quantiles of the total variation and the
// share of scores that overflow, beside its tail.
func estimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	pilot := c.Pilot()
	for i, w := range waysOf(c) {
		mean, m := c.MeanEstimate(names.TotalVariation, n.Moments[i], w.params()), n.Moments[i].N
		f.AddWithSampleError(mean, experiment.NewPilotMean(pilot.Moments[i], m), experiment.MaxOwnErrorOfError)
		// behind the counts of scores
		f.AddQuantiles(mean, n.Histograms[i], experiment.LogitScale,
			pilot.Counts[len(waysOf(c))+i*len(quantile.Probabilities):])
		expected := tail(w, c.Dimension())
		r := c.ExpectedProportion("overflow", n.Counts[i], m, expected, w.params())
		r.Theory, r.TheoryKind = result.Number(expected), names.TheoryLimit
		f.Estimates = append(f.Estimates, r)
	}
	return f
}
