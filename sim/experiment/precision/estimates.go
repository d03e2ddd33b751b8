package precision

import (
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
	"mcsim/sim/result"
)

// findings are, for each way, the mean and the quantiles of the total variation and the
// share of scores that overflow, beside its tail.
func findings(c experiment.Cell, n moments.Node) (f experiment.Findings) {
	pilot := c.Pilot()
	for i, w := range waysOf(c) {
		addVariation(&f, c, w, i, n, pilot)
		m := n.Moments[i].N
		expected := tail(w, c.Dimension())
		r := c.ExpectedShare(names.Overflow, n.Counts[i], m, expected, w.params()...)
		r.Theory, r.TheoryKind = result.Number(expected), names.TheoryLimit
		f.Rows = append(f.Rows, r)
	}
	return f
}

// addVariation adds the mean and the quantiles of the total variation, with the errors of
// independent rows. The pilot says which of them have an error or an interval.
func addVariation(f *experiment.Findings, c experiment.Cell, w way, i int, n, pilot moments.Node) {
	m := n.Moments[i]
	r := c.Row(names.TotalVariation, m.N, m.Mean, math.Sqrt(max(m.Variance(), 0)/float64(m.N)), w.params()...)
	f.AddLearnt(r, experiment.MeanOf(pilot.Moments[i], m.N), experiment.MaxOwnErrorOfError)
	share := experiment.OnScale{Back: quantile.Share, Slope: quantile.ShareSlope}
	atoms := pilot.Counts[len(waysOf(c)):] // behind the counts of scores
	for k, p := range quantile.Points {
		half := float64(experiment.LevelZ * quantile.Binomial(m.N, p))
		f.AddQuantile(c.Row(names.Quantile(names.TotalVariation, p), m.N, math.NaN(), math.NaN(), w.params()...),
			quantile.Of(n.Histograms[i], p, half), share, experiment.LevelZ, atoms[i*len(quantile.Points)+k] != 0, quantile.Enough(p, m.N, experiment.LevelZ))
	}
}
