package precision

import (
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/quantile"
)

// estimates returns the estimates of each config: the mean and the quantiles of the total
// variation, and the proportion of scores that overflow. The theory of this proportion is
// overflowTail.
func estimates(c experiment.Cell, n moments.Node) (f experiment.CellEstimates) {
	pilot := c.Pilot()
	configs := cellConfigs(c)
	atoms := pilot.Counts[len(configs):] // after the counts of overflows
	for i, cfg := range configs {
		m := n.Moments[i]
		mean := c.MeanEstimate(names.TotalVariation, m, cfg.params())
		f.AddWithSampleError(mean, experiment.NewPilotMean(pilot.Moments[i], m.N), experiment.MaxOwnErrorOfError)
		f.AddQuantiles(mean, n.Histograms[i], experiment.LogitScale, atoms[i*len(quantile.Probabilities):])
		expected := overflowTail(cfg, c.Dimension())
		r := c.ExpectedProportion("overflow", n.Counts[i], m.N, expected, cfg.params())
		r.Theory, r.TheoryKind = result.Number(expected), names.TheoryLimit
		f.Estimates = append(f.Estimates, r)
	}
	return f
}
