package precision

import (
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
	r := c.MeanRow(names.TotalVariation, n.Moments[i], w.params()...)
	f.AddLearnt(r, experiment.MeanOf(pilot.Moments[i], r.N), experiment.MaxOwnErrorOfError)
	atoms := pilot.Counts[len(waysOf(c))+i*len(quantile.Points):] // behind the counts of scores
	f.AddQuantiles(r, n.Histograms[i], experiment.Shares, atoms)
}
