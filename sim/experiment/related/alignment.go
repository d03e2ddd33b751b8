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

// Alignment measures rows in which one key is aligned with the query, and the other keys are
// independent of it: its score, its weight, and the exponent of the scale that would keep the size
// of its score constant. Per component it is k = ρq + √(1−ρ²)z, so its score has the mean ρd_k,
// compared with noise of the size √d_k in the others. For ρ ≠ 0 the exponent that keeps E S²
// constant moves from 1/2 to 1.
//
// Only the first key is aligned, since softmax ignores a shift that all keys share.
var Alignment = experiment.New(experiment.Experiment{
	Name: names.ExperimentAlignment,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, RhoAxis, rows.KeysAxis,
		alignedExponentAxis},
	Unit:      names.UnitRow,
	Probeable: true,
	ProbeFlag: names.ParamRho,
	Sampler: &experiment.Sampler{
		BlockUnits: alignmentBlockUnits,
		Cost: func(c experiment.Cell) float64 {
			return math.Round(1.2*rows.ComponentsPerRow(c)) + float64(len(rows.Scalings(c))*(200+2*rows.Keys(c)))
		},
		Columns:  alignmentColumns,
		Pilot:    experiment.NewPilot(alignmentPilotRows),
		Contents: func(c experiment.Cell) string { return fmt.Sprint(rows.Scalings(c)) },
		Open:     openAlignment,
		Headline: names.ScoreMeanSquare,
		RelativeVariance: func(c experiment.Cell) float64 {
			return relativeSquareVariance(alignedKey(c).Moments(c.Distribution()))
		},
		MinUnits: minAlignmentRows,
	},
	Reader: experiment.Reader{Estimates: alignmentEstimates, Finish: finishAlignment},
	Judge:  experiment.Judge{Refuse: refuseAlignment, Checks: alignmentChecks},
})

var (
	// RhoAxis is ρ, the correlation of the components of the aligned key and the query.
	RhoAxis = experiment.NumberAxis(names.ParamRho, -1, 1, "0.5")

	// alignedExponentAxis has the defaults 1/2, which keeps the size of the scores of independent
	// keys constant, and 1, which does so for the aligned key.
	alignedExponentAxis = experiment.ExponentAxis.AsShared("1/2", "1")
)

// alignedKey returns the theory of the cell's aligned key.
func alignedKey(c experiment.Cell) theory.Aligned {
	return theory.Aligned{D: c.Dimension(), Rho: c.Value(RhoAxis.Name).Number}
}

// relativeSquareVariance returns n times the squared relative standard error of the mean of S².
func relativeSquareVariance(e theory.ExactMoments) float64 {
	relative := e.SquareSE(1) / (float64(e.Mean*e.Mean) + e.Variance)
	return float64(relative * relative)
}

// minAlignmentRows is enough rows for a standard error of at most 0.4 % of a proportion.
const minAlignmentRows = 1 << 14

// alignmentPilotRows is the number of rows of the pilot, which determines whether the means will
// know their own errors.
const alignmentPilotRows = 1024

// maxBlockComponents bounds the sampled components of a block, except that a block has at least
// sixteen rows.
const maxBlockComponents = 1 << 18

// alignmentBlockUnits returns the number of rows of a block, at most 1024.
func alignmentBlockUnits(c experiment.Cell) int64 {
	return rows.BlockUnits(c, rows.ComponentsPerRow(c), rows.MaxBlockRows, maxBlockComponents)
}

// Indexes into alignedQuantities, the numbers of each row under each scaling.
const (
	alignedWeight = iota
	alignedTrace
	alignedEntropy
	alignedQuantityCount
)

var alignedQuantities = [alignedQuantityCount]string{names.AlignedWeight, names.RelativeTrace, names.EntropyRatio}

// alignmentColumns returns the columns: the aligned score, then the aligned quantities under each
// scaling.
func alignmentColumns(c experiment.Cell) []experiment.Column {
	columns := []experiment.Column{{Name: "score", Order: 2}}
	for range rows.Scalings(c) {
		for _, quantity := range alignedQuantities {
			columns = append(columns, experiment.Column{Name: quantity, Order: experiment.ErrorOrder})
		}
	}
	return columns
}

// refuseAlignment refuses gates on distributions with power-law tails. The gates use the skewness
// of a squared score, which requires the twelfth moment of a component; and the products of an
// aligned key are squares, whose tails are heavier than those of independent products, for which
// the limits of the experiment variance are derived.
func refuseAlignment(c experiment.Cell, gated bool) error {
	return cmp.Or(experiment.RefusePowerTail(c, gated), rows.Refuse(c, gated))
}

// openAlignment samples rows of independent keys, and then aligns the first: with the sampled key
// z, its score is ρ|q|² + √(1−ρ²) q·z.
func openAlignment(c experiment.Cell) experiment.BlockFunc {
	scalings := rows.Scalings(c)
	group := rows.NewRowGroup(c, rows.Keys(c), nil) // without gradients
	tally := &alignedTally{scalings: scalings, logKeys: elementary.Log(float64(rows.Keys(c)))}
	tally.values = make([][]float64, len(scalings)*alignedQuantityCount)
	rho := alignedKey(c).Rho
	noiseFactor := math.Sqrt(1 - float64(rho*rho))
	return func(d *experiment.BlockStream) moments.Node {
		for range alignmentBlockUnits(c) / kernel.Width {
			group.SampleRows(&d.Lanes)
			first := &group.Scores[0]
			for lane, s := range first {
				first[lane] = float32(float64(rho*float64(group.Norm[0][lane])) + float64(noiseFactor*float64(s)))
			}
			kernel.FindPeaks(group.Scores, &group.Peaks)
			tally.add(group.Scores, &group.Peaks)
		}
		return tally.takeNode()
	}
}

// alignedTally collects rows whose first key is aligned.
type alignedTally struct {
	scalings   []rows.Scaling
	logKeys    float64
	scores     []float64
	values     [][]float64 // the aligned quantities of the rows, scaling by scaling
	firstCount int64       // rows in which the aligned key has the single largest score

	// Scratch for sixteen rows. e and e2 are the exponential of the aligned key's logit and its
	// square, relative to the second largest; they are 0 if the aligned key has the largest.
	sums    kernel.RowSums
	softmax [kernel.Width]attention.Row
	e, e2   [1][kernel.Width]float32
}

// add adds sixteen rows.
func (t *alignedTally) add(scores [][kernel.Width]float32, peaks *kernel.Peaks) {
	for lane, s := range scores[0] {
		t.scores = append(t.scores, float64(s))
		if peaks.Index[lane] == 0 && peaks.Second[lane] < s {
			t.firstCount++
		}
	}
	for i, scaling := range t.scalings {
		kernel.SumRows(scores, peaks, scaling.Factor, &t.sums)
		attention.FillRows(&t.sums, len(scores), &t.softmax)
		kernel.Weights(scores[:1], peaks, scaling.Factor, t.e[:], t.e2[:])
		for lane := range t.softmax {
			r := &t.softmax[lane]
			weight := r.MaxWeight
			if peaks.Index[lane] > 0 {
				weight *= float64(t.sums.Runner[lane] * float64(t.e[0][lane]))
			}
			v := t.values[i*alignedQuantityCount:]
			v[alignedWeight] = append(v[alignedWeight], weight)
			v[alignedTrace] = append(v[alignedTrace], r.RelativeTrace())
			v[alignedEntropy] = append(v[alignedEntropy], min(1, r.Entropy/t.logKeys))
		}
	}
}

// takeNode returns the node of the collected rows, and clears the tally.
func (t *alignedTally) takeNode() moments.Node {
	n := moments.Node{Moments: []moments.Moments{moments.New(t.scores, 2)}, Counts: []int64{t.firstCount}}
	t.scores, t.firstCount = t.scores[:0], 0
	for i := range t.values {
		n.Moments = append(n.Moments, moments.New(t.values[i], experiment.ErrorOrder))
		t.values[i] = t.values[i][:0]
	}
	return n
}

// minDeviation is the smallest standard deviation of a row's number with which it has a gate.
// Below it too few rows differ from the others for a standard error from the sample.
const minDeviation = 0.03

// alignmentChecks returns the gates on mean and variance of the aligned score, and, for normal
// components, on the softmax of the rows, which quadrature gives. The band is the tolerance, or a
// quarter of the distance from the value without alignment or with uniform weights if that is
// narrower.
func alignmentChecks(c experiment.Cell) []gate.Check {
	checks := newMomentChecks(c, alignedKey(c).Moments(c.Distribution()))
	if c.Distribution().Name() != names.DistributionNormal {
		return checks
	}
	uniform := 1 / float64(rows.Keys(c))
	addCheck := func(quantity string, expected, baseline, deviation float64, params result.Params) {
		distance := math.Abs(expected - baseline)
		if distance > 0 && deviation > minDeviation {
			checks = append(checks, rows.MeanGate{Name: "softmax by quadrature", Quantity: quantity, Params: params,
				Expected: expected, HalfWidth: min(c.Tolerance, distance/4), RowSD: deviation}.NewCheck(c))
		}
	}
	scalings := rows.Scalings(c)
	probability := rowTheory(c, scalings).FirstProbability
	if alignedKey(c).Rho != 0 {
		addCheck(names.AlignedFirstShare, probability, uniform, math.Sqrt(float64(probability*(1-probability))), nil)
	}
	for _, s := range scalings {
		row := rowTheory(c, []rows.Scaling{s})
		if alignedKey(c).Rho != 0 {
			deviation := math.Sqrt(row.WeightSquare - float64(row.Weight*row.Weight))
			addCheck(names.AlignedWeight, row.Weight, uniform, deviation, s.Params())
		}
		addCheck(names.RelativeTrace, row.RelativeTrace, 1, float64(2*(1-row.RelativeTrace)), s.Params())
	}
	return checks
}
