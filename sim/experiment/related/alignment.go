package related

import (
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

// Alignment measures rows in which the first key is aligned with the query, and the other keys are
// independent of the query. Each component of the aligned key is k = ρq + √(1−ρ²)z, where z is
// independent of q. The mean of its score S is therefore ρd_k, and the other scores are noise of
// the size √d_k. For ρ ≠ 0, the exponent of a scale that keeps E S² constant increases from 1/2 to
// 1 with d_k.
//
// Only one key is aligned, since softmax ignores a shift that the scores of all keys share.
var Alignment = experiment.New(experiment.Experiment{
	Name: names.ExperimentAlignment,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, RhoAxis, rows.KeysAxis,
		alignedExponentAxis, rows.RowRuleAxis},
	Unit:      names.UnitRow,
	Probeable: true,
	ProbeFlag: names.ParamRho,
	Sampler: &experiment.Sampler{
		BlockUnits: alignmentBlockUnits,
		Cost: func(c experiment.Cell) float64 {
			return math.Round(1.2*rows.ComponentsPerRow(c)) + float64(len(rows.Scalings(c))*(200+2*rows.Keys(c)))
		},
		Columns:  alignmentColumns,
		Shape:    func(experiment.Cell) experiment.Shape { return experiment.Shape{Counts: 1} },
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

	// alignedExponentAxis has two defaults: 1/2 keeps the size of the scores of independent keys
	// constant, and 1 keeps the size of the aligned score constant if d_k is large.
	alignedExponentAxis = experiment.ExponentAxis.AsShared("1/2", "1")
)

// alignedKey returns the theory of the aligned key of the cell.
func alignedKey(c experiment.Cell) theory.Aligned {
	return theory.Aligned{D: c.Dimension(), Rho: c.Value(RhoAxis.Name).Number}
}

// relativeSquareVariance returns Var(S²)/(E S²)².
func relativeSquareVariance(e theory.ExactMoments) float64 {
	relativeSD := e.SquareSE(1) / (float64(e.Mean*e.Mean) + e.Variance)
	return float64(relativeSD * relativeSD)
}

// minAlignmentRows is the number of rows with which the standard error of a proportion is at most
// 0.4 percentage points.
const minAlignmentRows = 1 << 14

// alignmentPilotRows is the number of rows of the pilot, which predicts how well the standard
// errors of means will be known.
const alignmentPilotRows = 1024

// maxBlockComponents limits the sampled components of a block. A block always has at least sixteen
// rows.
const maxBlockComponents = 1 << 18

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

// alignmentColumns returns the columns: the score of the aligned key, followed by the aligned
// quantities under each scaling.
func alignmentColumns(c experiment.Cell) []experiment.Column {
	columns := []experiment.Column{{Name: "score", Order: 2}}
	for range rows.Scalings(c) {
		for _, quantity := range alignedQuantities {
			columns = append(columns, experiment.Column{Name: quantity, Order: experiment.ErrorOrder})
		}
	}
	return columns
}

// refuseAlignment refuses gates on distributions with power-law tails, and keys and scalings that
// package rows refuses. The gates use the skewness of a squared score, which requires the twelfth
// moment of a component. In addition, the products of an aligned key are squares, which have
// heavier tails than the independent products for which the limits of the experiment variance are
// derived.
func refuseAlignment(c experiment.Cell, gated bool) error {
	if err := experiment.RefusePowerTail(c, gated); err != nil {
		return err
	}
	return rows.Refuse(c, gated)
}

// openAlignment returns the function that samples the rows of a block. It samples independent keys,
// and then aligns the first: with the sampled key z, its score is ρ|q|² + √(1−ρ²) q·z, and |k|² is
// ρ²|q|² + 2ρ√(1−ρ²) q·z + (1−ρ²)|z|².
func openAlignment(c experiment.Cell) experiment.BlockFunc {
	scalings := rows.Scalings(c)
	group := rows.NewRowGroup(c, rows.Keys(c), nil) // without gradients
	tally := &alignedTally{scalings: scalings, logKeys: elementary.Log(float64(rows.Keys(c)))}
	tally.values = make([][]float64, len(scalings)*alignedQuantityCount)
	rho := alignedKey(c).Rho
	noiseFactor := math.Sqrt(1 - float64(rho*rho))
	return func(b *experiment.BlockStream) moments.Node {
		for range alignmentBlockUnits(c) / kernel.Width {
			group.SampleRows(&b.Lanes)
			alignedScores := &group.Scores[0]
			for lane, s := range alignedScores {
				alignedPart, noisePart := float64(rho*float64(group.Norm[0][lane])), float64(noiseFactor*float64(s))
				alignedScores[lane] = float32(alignedPart + noisePart)
				if group.KeySquares != nil {
					noiseSquare := float64(float64(noiseFactor*noiseFactor) * float64(group.KeySquares[0][lane]))
					group.KeySquares[0][lane] = float32(float64(rho*(alignedPart+float64(2*noisePart))) + noiseSquare)
				}
			}
			kernel.FindPeaks(group.Scores, &group.Peaks)
			tally.add(group)
		}
		return tally.takeNode()
	}
}

// alignedTally collects rows whose first key is aligned.
type alignedTally struct {
	scalings   []rows.Scaling
	logKeys    float64
	scores     []float64   // scores of the aligned keys
	values     [][]float64 // for each scaling, the aligned quantities of the rows
	firstCount int64       // rows in which the score of the aligned key is larger than all others

	// Scratch of sixteen rows. e is the weight of the aligned key divided by the second largest
	// weight, and e2 its square. Both are 0 if the aligned key has the largest weight.
	sums    kernel.RowSums
	softmax [kernel.Width]attention.Row
	e, e2   [1][kernel.Width]float32
}

// add adds the sixteen rows of a group.
func (t *alignedTally) add(g *rows.RowGroup) {
	for lane, s := range g.Scores[0] {
		t.scores = append(t.scores, float64(s))
		if g.Peaks.Index[lane] == 0 && g.Peaks.Second[lane] < s {
			t.firstCount++
		}
	}
	for i, scaling := range t.scalings {
		scores, peaks := g.Logits(scaling)
		kernel.SumRows(scores, peaks, scaling.Factor, &t.sums)
		attention.FillRows(&t.sums, len(scores), &t.softmax)
		kernel.Weights(scores[:1], peaks, scaling.Factor, t.e[:], t.e2[:])
		for lane := range t.softmax {
			r := &t.softmax[lane]
			weight := r.MaxWeight
			if peaks.Index[lane] > 0 {
				weight *= float64(t.sums.Runner[lane] * float64(t.e[0][lane]))
			}
			values := t.values[i*alignedQuantityCount:]
			values[alignedWeight] = append(values[alignedWeight], weight)
			values[alignedTrace] = append(values[alignedTrace], r.RelativeTrace())
			values[alignedEntropy] = append(values[alignedEntropy], min(1, r.Entropy/t.logKeys))
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

// minGatedSD is the smallest standard deviation of a quantity over rows with which its mean has a
// gate. With a smaller one, too few rows differ from the others for a standard error from the
// sample.
const minGatedSD = 0.03

// alignmentChecks returns the gates on the mean and the variance of the aligned score, and, for
// normal components, the gates on means of quantities whose theory is given by quadrature. The
// half-width of these gates is the tolerance, or a quarter of the distance of theory from the value
// without alignment or with uniform weights, whichever is smaller.
//
// A cell without a scaling that multiplies scores has only the gates of newReachChecks.
func alignmentChecks(c experiment.Cell) []gate.Check {
	checks, scalings := newReachChecks(c), factorScalings(c)
	if len(scalings) == 0 {
		return checks
	}
	checks = append(newMomentChecks(c, alignedKey(c).Moments(c.Distribution())), checks...)
	if c.Distribution().Name() != names.DistributionNormal {
		return checks
	}
	uniform := 1 / float64(rows.Keys(c))
	addCheck := func(quantity string, expected, baseline, rowSD float64, params result.Params) {
		distance := math.Abs(expected - baseline)
		if distance > 0 && rowSD > minGatedSD {
			checks = append(checks, rows.MeanGate{Name: "softmax by quadrature", Quantity: quantity, Params: params,
				Expected: expected, HalfWidth: min(c.Tolerance, distance/4), RowSD: rowSD}.NewCheck(c))
		}
	}
	probability := rowTheory(c, scalings).FirstProbability
	if alignedKey(c).Rho != 0 {
		addCheck(names.AlignedFirstShare, probability, uniform, math.Sqrt(float64(probability*(1-probability))), nil)
	}
	for _, s := range scalings {
		row := rowTheory(c, []rows.Scaling{s})
		if alignedKey(c).Rho != 0 {
			weightSD := math.Sqrt(row.WeightSquare - float64(row.Weight*row.Weight))
			addCheck(names.AlignedWeight, row.Weight, uniform, weightSD, s.Params())
		}
		plannedTraceSD := float64(2 * (1 - row.RelativeTrace)) // not known by quadrature
		addCheck(names.RelativeTrace, row.RelativeTrace, 1, plannedTraceSD, s.Params())
	}
	return checks
}
