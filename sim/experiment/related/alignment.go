package related

import (
	"cmp"
	"fmt"
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// Alignment puts one key that is aligned with the query among keys that are
// independent of it, and measures its score, what softmax gives it, and which
// exponent of the scale would keep its size. Per component it is
// k = ρq + √(1−ρ²)z, so that its score has the mean ρd_k, against √d_k of noise
// in the others: with ρ the exponent that keeps E S² flat moves from 1/2 to 1.
//
// A shift that all keys share would be invisible to softmax; so only one key is
// aligned, the first.
var Alignment = experiment.New(experiment.Experiment{
	Name: names.ExperimentAlignment,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, RhoAxis, rows.KeysAxis,
		alignedExponentAxis},
	Unit:      names.UnitRow,
	Probeable: true,
	ProbeFlag: names.ParamRho,
	Sampler: &experiment.Sampler{
		BlockUnits: alignmentUnits,
		Cost: func(c experiment.Cell) float64 {
			return math.Round(1.2*rows.ComponentsPerRow(c)) + float64(len(rows.Scalings(c))*(200+2*rows.Keys(c)))
		},
		Columns:  alignmentColumns,
		Pilot:    experiment.NewPilot(alignmentPilot),
		Contents: func(c experiment.Cell) string { return fmt.Sprint(rows.Scalings(c)) },
		Open:     openAlignment,
		Headline: names.ScoreMeanSquare,
		RelativeVariance: func(c experiment.Cell) float64 {
			return relativeSquare(aligned(c).Moments(c.Distribution()))
		},
		MinUnits: alignmentFloor,
	},
	Reader: experiment.Reader{Estimates: alignmentEstimates, Finish: finishAlignment},
	Judge:  experiment.Judge{Refuse: refuseAlignment, Checks: alignmentChecks},
})

var (
	// RhoAxis is ρ, the correlation of a component of the aligned key with that of the
	// query.
	RhoAxis = experiment.NumberAxis(names.ParamRho, -1, 1, "0.5")

	// alignedExponentAxis has 1/2 and 1 alone where a plan says nothing: the two that
	// keep the size of the others' scores, and of the aligned key's.
	alignedExponentAxis = experiment.ExponentAxis.AsShared("1/2", "1")
)

// aligned returns the cell's key that is aligned with its query, as theory has it.
func aligned(c experiment.Cell) theory.Aligned {
	return theory.Aligned{D: c.Dimension(), Rho: c.Value(RhoAxis.Name).Number}
}

// relativeSquare is n times the squared relative error of the mean of S².
func relativeSquare(e theory.ExactMoments) float64 {
	relative := e.SquareSE(1) / (float64(e.Mean*e.Mean) + e.Variance)
	return float64(relative * relative)
}

// alignmentFloor knows a share of rows to 0.4 % at worst.
const alignmentFloor = 1 << 14

// alignmentPilot is how many rows say whether the means of the others will know their
// own errors.
const alignmentPilot = 1024

// alignedComponents bounds what a block draws, unless it is sixteen rows.
const alignedComponents = 1 << 18

// alignmentUnits is at most 1024 rows.
func alignmentUnits(c experiment.Cell) int64 {
	return rows.BlockUnits(c, rows.ComponentsPerRow(c), rows.MaxBlockRows, alignedComponents)
}

// The numbers of each row under each scaling.
const (
	alignedWeight = iota
	alignedTrace
	alignedEntropy
	alignedMeans
)

var alignedQuantities = [alignedMeans]string{names.AlignedWeight, names.RelativeTrace, names.EntropyRatio}

// alignmentColumns: the aligned score, then what each scaling makes of the row.
func alignmentColumns(c experiment.Cell) []experiment.Column {
	columns := []experiment.Column{{Name: "score", Order: 2}}
	for range rows.Scalings(c) {
		for _, quantity := range alignedQuantities {
			columns = append(columns, experiment.Column{Name: quantity, Order: experiment.ErrorOrder})
		}
	}
	return columns
}

// refuseAlignment: the gates know the skewness of a squared score, for which they need the
// twelfth moment of a component; and with the key aligned its products are squares, whose
// tails are heavier than those of the independent products that the limits of variance allow
// for.
func refuseAlignment(c experiment.Cell, gated bool) error {
	return cmp.Or(experiment.RefusePowerTail(c, gated), rows.Refuse(c, gated))
}

// openAlignment draws rows of independent keys, and then makes the first aligned: with z
// the key that was drawn its score is ρ|q|² + √(1−ρ²) q·z.
func openAlignment(c experiment.Cell) experiment.BlockFunc {
	scalings := rows.Scalings(c)
	group := rows.NewRowGroup(c, rows.Keys(c), nil) // without gradients
	tally := &alignedTally{scalings: scalings, logKeys: elementary.Log(float64(rows.Keys(c)))}
	tally.values = make([][]float64, len(scalings)*alignedMeans)
	rho := aligned(c).Rho
	rest := math.Sqrt(1 - float64(rho*rho))
	return func(draw *experiment.BlockStream) moments.Node {
		for range alignmentUnits(c) / kernel.Width {
			group.SampleRows(&draw.Lanes)
			first := &group.Scores[0]
			for lane, s := range first {
				first[lane] = float32(float64(rho*float64(group.Norm[0][lane])) + float64(rest*float64(s)))
			}
			kernel.FindPeaks(group.Scores, &group.Peaks)
			tally.add(group.Scores, &group.Peaks)
		}
		return tally.node()
	}
}

// alignedTally collects what becomes of rows of which the first key is aligned.
type alignedTally struct {
	scalings []rows.Scaling
	logKeys  float64
	scores   []float64
	values   [][]float64 // of the first scaling, then of the second
	first    int64       // rows in which no other key scores as much as the aligned one

	// of sixteen rows
	sums    kernel.RowSums
	softmax [kernel.Width]attention.Row
	e, e2   [1][kernel.Width]float32 // of the aligned key, relative to the runner-up's; 0 where it is the greatest
}

// add takes sixteen rows.
func (t *alignedTally) add(scores [][kernel.Width]float32, peaks *kernel.Peaks) {
	for lane, s := range scores[0] {
		t.scores = append(t.scores, float64(s))
		if peaks.Index[lane] == 0 && peaks.Second[lane] < s {
			t.first++
		}
	}
	for i, by := range t.scalings {
		kernel.SumRows(scores, peaks, by.Factor, &t.sums)
		attention.FillRows(&t.sums, len(scores), &t.softmax)
		kernel.Weights(scores[:1], peaks, by.Factor, t.e[:], t.e2[:])
		for lane := range t.softmax {
			r := &t.softmax[lane]
			weight := r.MaxWeight
			if peaks.Index[lane] > 0 {
				weight *= float64(t.sums.Runner[lane] * float64(t.e[0][lane]))
			}
			v := t.values[i*alignedMeans:]
			v[alignedWeight] = append(v[alignedWeight], weight)
			v[alignedTrace] = append(v[alignedTrace], r.RelativeTrace())
			v[alignedEntropy] = append(v[alignedEntropy], min(1, r.Entropy/t.logKeys))
		}
	}
}

// node returns what was collected, and starts again.
func (t *alignedTally) node() moments.Node {
	n := moments.Node{Moments: []moments.Moments{moments.New(t.scores, 2)}, Counts: []int64{t.first}}
	t.scores, t.first = t.scores[:0], 0
	for i := range t.values {
		n.Moments = append(n.Moments, moments.New(t.values[i], experiment.ErrorOrder))
		t.values[i] = t.values[i][:0]
	}
	return n
}

// constant is the deviation below which a row's number is as good as none: so few rows have another
// that their own error would not be known.
const constant = 0.03

// alignmentChecks: mean and variance of the aligned score; and for normal
// components, for which quadrature knows them, what softmax makes of the rows,
// within the tolerance absolutely, and within a quarter of the way to what it
// would be without alignment, or with uniform weights.
func alignmentChecks(c experiment.Cell) []gate.Check {
	checks := exactChecks(c, aligned(c).Moments(c.Distribution()))
	if c.Distribution().Name() != names.DistributionNormal {
		return checks
	}
	even := 1 / float64(rows.Keys(c))
	check := func(quantity string, want, none, spread float64, more ...result.Params) {
		if far := math.Abs(want - none); far > 0 && spread > constant {
			checks = append(checks,
				rows.NewCheck(c, "softmax by quadrature", quantity, want, min(c.Tolerance, far/4), spread, more...))
		}
	}
	all := rows.Scalings(c)
	first := alignedRow(c, all).FirstProbability
	if aligned(c).Rho != 0 {
		check(names.AlignedFirstShare, first, even, math.Sqrt(float64(first*(1-first))))
	}
	for _, s := range all {
		row := alignedRow(c, []rows.Scaling{s})
		if aligned(c).Rho != 0 {
			check(names.AlignedWeight, row.Weight, even, math.Sqrt(row.WeightSquare-float64(row.Weight*row.Weight)),
				s.Params())
		}
		check(names.RelativeTrace, row.RelativeTrace, 1, float64(2*(1-row.RelativeTrace)), s.Params())
	}
	return checks
}
