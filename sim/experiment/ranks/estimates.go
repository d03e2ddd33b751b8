package ranks

import (
	"slices"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/moments"
	"mcsim/sim/names"
	"mcsim/sim/quantile"
	"mcsim/sim/result"
)

// findings are the mean and the quantiles of the weight of each rank, and of R, under each
// scaling. Quadrature knows the mean of the greatest weight, that of the other of two, and
// that of R.
func findings(c experiment.Cell, n moments.Node) (f experiment.Findings) {
	keys, pilot := rows.Keys(c), c.Pilot()
	for i, s := range rows.Scalings(c) {
		t, ok := rows.Quadrature(c, s)
		first := i * numbers(keys)
		for k := range keys {
			q := column{c, s, names.RankedWeight, []any{names.ParamRank, float64(k + 1)}, first + k, result.Absent()}
			switch {
			case ok && k == 0:
				q.theory = result.Number(t.MaxWeight)
			case ok && keys == 2:
				q.theory = result.Number(1 - t.MaxWeight)
			}
			q.add(&f, n, pilot)
		}
		q := column{c, s, names.GradientSurvival, nil, first + keys, result.Absent()}
		if ok {
			q.theory = result.Number(t.GradientSurvival())
		}
		q.add(&f, n, pilot)
	}
	return f
}

// column is a number of every row under one scaling, and its place in a node.
type column struct {
	c        experiment.Cell
	s        rows.Scaling
	quantity string
	more     []any // params beside the cell's and the scaling's
	at       int
	theory   result.Number // of its mean
}

// add adds mean and quantiles, with the errors of independent rows. The pilot says which
// of them have an error or an interval.
func (q column) add(f *experiment.Findings, n, pilot moments.Node) {
	m, points := n.Moments[q.at], len(quantile.Points)
	r := q.c.MeanRow(q.quantity, m, append(q.s.Params(), q.more...)...)
	if q.theory.Present() {
		r.Theory, r.TheoryKind = q.theory, names.TheoryQuadrature
	}
	rows.AddMean(f, q.s, r, experiment.MeanOf(pilot.Moments[q.at], m.N))
	atoms := pilot.Counts[q.at*points : (q.at+1)*points]
	if q.c.Law().Name() == names.LawRademacher {
		// Scores of signs lie on a lattice, and all that softmax makes of them on few values.
		atoms = slices.Repeat([]int64{1}, points)
	}
	f.AddQuantiles(r, n.Histograms[q.at], experiment.Shares, atoms)
}
