package claim

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// rowFunctions compute properties of one row of scores, or of given weights.
var rowFunctions = []function{
	{name: "weights", parameters: rowParameters, compute: rowWeights},
	{name: "scaled_scores", parameters: []parameter{scoresParameter, dimensionParameter}, compute: logits},
	{name: "row_max_weight", parameters: rowParameters, compute: computeFromWeights(largest)},
	{name: "row_entropy", parameters: rowParameters, compute: computeFromWeights(entropy)},
	{name: "row_entropy_ratio", parameters: twoScoreRowParameters,
		compute: computeFromWeights(func(w []Interval) Interval { return entropy(w).divide(logarithm(len(w))) })},
	{name: "row_relative_trace", parameters: twoScoreRowParameters, compute: computeFromWeights(relativeTrace)},
	{name: "row_jacobian_norm", parameters: rowParameters, compute: computeFromWeights(jacobianNorm)},
	{name: "winner_gradient", parameters: rowParameters, compute: computeFromWeights(largestDiagonalEntry)},
	{name: "largest_entropy", parameters: []parameter{keysParameter},
		compute: func(a Args) []Interval { return []Interval{logarithm(a.integer(names.ParamKeys))} }},
	{name: "jacobian_entries", parameters: []parameter{weightsParameter,
		{name: "row", minValue: 1, maxValue: maxNumbers, isInteger: true}},
		checkArguments: checkRow, compute: jacobianEntries},
	{name: "blend_of", parameters: []parameter{makeOptional(weightsParameter), makeOptional(scoresParameter),
		{name: names.StepValues, minValue: -maxScore, maxValue: maxScore, isList: true}}, checkArguments: checkBlend,
		compute: blend},
	{name: "sums_of_rows", parameters: []parameter{makeOptional(weightsParameter), makeOptional(scoresParameter),
		{name: "columns", minValue: 1, maxValue: maxNumbers, isInteger: true}}, checkArguments: checkColumns,
		compute: rowSums},
	{name: "row_variance", parameters: []parameter{twoScoresParameter, optionalDimension},
		compute: func(a Args) []Interval { return []Interval{variance(logits(a))} }},
	{name: "row_sd", parameters: []parameter{twoScoresParameter, optionalDimension},
		compute: func(a Args) []Interval { return []Interval{variance(logits(a)).sqrt()} }},
}

// Parameters of functions that compute the softmax of one row.
var (
	rowParameters = []parameter{scoresParameter, optionalDimension, optionalTemperature}
	// twoScoreRowParameters require at least two scores.
	twoScoreRowParameters = []parameter{twoScoresParameter, optionalDimension, optionalTemperature}
)

// scoreDivisor returns the divisor of the scores: √d_k, the temperature, or 1.
func scoreDivisor(a Args) Interval {
	if a.has(names.ParamDimension) {
		return a.number(names.ParamDimension, 1).sqrt()
	}
	return a.number(names.ParamTemperature, 1)
}

// logits returns the scores divided by their scale.
func logits(a Args) []Interval {
	return names.Map(a.numberList(names.StepScores), func(s Interval) Interval { return s.divideBy(scoreDivisor(a)) })
}

// divideBy returns a/divisor. If the divisor is 1, it returns a without outward rounding.
func (a Interval) divideBy(divisor Interval) Interval {
	if divisor == point(1) {
		return a
	}
	return a.divide(divisor)
}

// rowWeights returns the weights of the scores of a row.
func rowWeights(a Args) []Interval { return softmax(a.numberList(names.StepScores), scoreDivisor(a)) }

// softmax returns the weights α_i = 1/(1 + Σ e^((s_j − s_i)/T)), with the sum over j ≠ i, of scores
// s and the divisor T. A weight is monotonic in each score, so the ends of the intervals give exact
// bounds. T is rounded from one number for all scores, so it divides their difference.
func softmax(scores []Interval, divisor Interval) []Interval {
	weights := make([]Interval, len(scores))
	for i, score := range scores {
		total := point(1)
		for j, other := range scores {
			if j != i {
				total = total.add(other.subtract(score).divideBy(divisor).exp())
			}
		}
		weights[i] = Interval{1 / total.Hi, 1 / total.Lo}.widen(roundingULPs).clampAtZero()
		weights[i].Hi = min(weights[i].Hi, 1)
	}
	return weights
}

// computeFromWeights returns a function that applies measure to the softmax weights of the scores.
func computeFromWeights(measure func(weights []Interval) Interval) func(Args) []Interval {
	return func(a Args) []Interval { return []Interval{measure(rowWeights(a))} }
}

// logarithm returns ln n.
func logarithm(n int) Interval { return point(elementary.Log(float64(n))).widen(elementaryULPs) }

// entropy returns −Σα ln α.
func entropy(weights []Interval) Interval {
	var total Interval
	for _, w := range weights {
		total = total.add(w.entropy())
	}
	return total.clampAtZero()
}

// sumOthers returns 1 − α_i as the sum of all other weights; near saturation the difference would
// lose its digits.
func sumOthers(weights []Interval, i int) (total Interval) {
	for j, w := range weights {
		if j != i {
			total = total.add(w)
		}
	}
	return total.clampAtZero()
}

// relativeTrace returns tr J divided by its value for uniform weights.
func relativeTrace(weights []Interval) Interval {
	var trace Interval
	for i, w := range weights {
		trace = trace.add(w.multiply(sumOthers(weights, i)))
	}
	n := float64(len(weights))
	return trace.divide(point(n - 1)).multiply(point(n)).clampAtZero()
}

// jacobian returns an entry of J = diag(α) − ααᵀ.
func jacobian(weights []Interval, i, j int) Interval {
	if i == j {
		return weights[i].multiply(sumOthers(weights, i))
	}
	return point(0).subtract(weights[i].multiply(weights[j]))
}

// jacobianNorm returns ‖J‖_F.
func jacobianNorm(weights []Interval) Interval {
	var total Interval
	for i := range weights {
		for j := range weights {
			total = total.add(jacobian(weights, i, j).square())
		}
	}
	return total.sqrt()
}

// largestDiagonalEntry returns the diagonal entry of J for the largest weight. If several weights
// may be the largest, the interval contains the entries of all of them.
func largestDiagonalEntry(weights []Interval) Interval {
	minLargest, bounds := largest(weights).Lo, Interval{math.Inf(1), math.Inf(-1)}
	for i, w := range weights {
		if w.Hi >= minLargest {
			entry := jacobian(weights, i, i)
			bounds = Interval{min(bounds.Lo, entry.Lo), max(bounds.Hi, entry.Hi)}
		}
	}
	return bounds
}

// checkRow returns an error if the Jacobian does not have the given row.
func checkRow(a Args) error {
	if n := len(a.numberList(names.StepWeights)); a.integer("row") > n {
		return fmt.Errorf("there is no row %[2]d for %[1]d weights", n, a.integer("row"))
	}
	return nil
}

// jacobianEntries returns the entries of one row of J.
func jacobianEntries(a Args) (entries []Interval) {
	weights := a.numberList(names.StepWeights)
	for j := range weights {
		entries = append(entries, jacobian(weights, a.integer("row")-1, j))
	}
	return entries
}

// weightsOrSoftmax returns the given weights, or the softmax of the given scores.
func weightsOrSoftmax(a Args) []Interval {
	if a.has(names.StepWeights) {
		return a.numberList(names.StepWeights)
	}
	return softmax(a.numberList(names.StepScores), point(1))
}

// checkBlend returns an error if the values cannot be split into one vector for each weight.
func checkBlend(a Args) error {
	weightCount, valueCount := len(weightsOrSoftmax(a)), len(a.numberList(names.StepValues))
	if valueCount%weightCount != 0 {
		return fmt.Errorf("%d numbers cannot be split into value vectors for %d weights", valueCount, weightCount)
	}
	return nil
}

// blend returns the mean of the values under the weights.
func blend(a Args) []Interval {
	weights, values := weightsOrSoftmax(a), a.numberList(names.StepValues)
	columns := len(values) / len(weights)
	mean := make([]Interval, columns)
	for j, w := range weights {
		for c := range mean {
			mean[c] = mean[c].add(w.multiply(values[j*columns+c]))
		}
	}
	return mean
}

// checkColumns returns an error if the numbers do not fill rows of the given number of columns.
func checkColumns(a Args) error {
	n := len(a.numberList(names.StepWeights)) + len(a.numberList(names.StepScores))
	if n%a.integer("columns") != 0 {
		return fmt.Errorf("%d numbers cannot be split into rows of %d", n, a.integer("columns"))
	}
	return nil
}

// rowSums returns the sums of rows of weights, or of the softmax of rows of scores.
func rowSums(a Args) (sums []Interval) {
	columns := a.integer("columns")
	weights, scores := a.numberList(names.StepWeights), a.numberList(names.StepScores)
	for start := 0; start < len(weights); start += columns {
		sums = append(sums, sum(weights[start:start+columns]))
	}
	for start := 0; start < len(scores); start += columns {
		sums = append(sums, sum(softmax(scores[start:start+columns], point(1))))
	}
	return sums
}

// variance returns the sample variance, with divisor n − 1.
func variance(numbers []Interval) Interval {
	mean := sum(numbers).divide(point(float64(len(numbers))))
	var total Interval
	for _, x := range numbers {
		total = total.add(x.subtract(mean).square())
	}
	return total.divide(point(float64(len(numbers) - 1))).clampAtZero()
}
