package claim

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// rowFunctions are the functions of one row of scores, or of given weights.
var rowFunctions = []function{
	{name: "weights", args: rowParameters, compute: rowWeights},
	{name: "scaled_scores", args: []parameter{scoresGiven, oneDimension}, compute: logits},
	{name: "row_max_weight", args: rowParameters, compute: ofWeights(largest)},
	{name: "row_entropy", args: rowParameters, compute: ofWeights(entropy)},
	{name: "row_entropy_ratio", args: severalRowParameters,
		compute: ofWeights(func(w []Interval) Interval { return entropy(w).divide(logarithm(len(w))) })},
	{name: "row_relative_trace", args: severalRowParameters, compute: ofWeights(relativeTrace)},
	{name: "row_jacobian_norm", args: rowParameters, compute: ofWeights(jacobianNorm)},
	{name: "winner_gradient", args: rowParameters, compute: ofWeights(largestDiagonalEntry)},
	{name: "largest_entropy", args: []parameter{keysGiven},
		compute: func(a Args) []Interval { return []Interval{logarithm(a.whole(names.ParamKeys))} }},
	{name: "jacobian_entries", args: []parameter{weightsGiven, {name: "row", lo: 1, hi: maxNumbers, whole: true}},
		refuse: checkRow, compute: jacobianEntries},
	{name: "blend_of", args: []parameter{optionally(weightsGiven), optionally(scoresGiven),
		{name: names.StepValues, lo: -maxScore, hi: maxScore, list: true}}, refuse: checkBlend, compute: blend},
	{name: "sums_of_rows", args: []parameter{optionally(weightsGiven), optionally(scoresGiven),
		{name: "columns", lo: 1, hi: maxNumbers, whole: true}}, refuse: checkColumns, compute: sumsOfRows},
	{name: "row_variance", args: []parameter{severalScores, maybeRoot},
		compute: func(a Args) []Interval { return []Interval{variance(logits(a))} }},
	{name: "row_sd", args: []parameter{severalScores, maybeRoot},
		compute: func(a Args) []Interval { return []Interval{variance(logits(a)).root()} }},
}

// rowParameters are the parameters of functions of the weights of a row, and severalRowParameters those
// of functions that need at least two scores.
var (
	rowParameters        = []parameter{scoresGiven, maybeRoot, temperatures}
	severalRowParameters = []parameter{severalScores, maybeRoot, temperatures}
)

// scale returns the divisor of the scores.
func scale(a Args) Interval {
	if a.has(names.ParamDimension) {
		return a.first(names.ParamDimension, 1).root()
	}
	return a.first(names.ParamTemperature, 1)
}

// logits returns the scores divided by their scale.
func logits(a Args) []Interval {
	return names.Map(a.list(names.StepScores), func(s Interval) Interval { return s.divideBy(scale(a)) })
}

// divideBy returns a score divided by its scale, unchanged for a scale of 1.
func (a Interval) divideBy(by Interval) Interval {
	if by == point(1) {
		return a
	}
	return a.divide(by)
}

// rowWeights returns the weights of the scores of a row.
func rowWeights(a Args) []Interval { return softmax(a.list(names.StepScores), scale(a)) }

// softmax returns the weights of scores at scale T: α_i = 1/(1 + Σe^((s_j − s_i)/T)) over j ≠ i.
// Each score changes all terms in one direction, so the ends of the intervals give exact bounds.
// All scores have the same scale, whatever it was rounded from, so it divides their difference.
func softmax(scores []Interval, by Interval) []Interval {
	out := make([]Interval, len(scores))
	for i, own := range scores {
		total := point(1)
		for j, other := range scores {
			if j != i {
				total = total.add(other.subtract(own).divideBy(by).exp())
			}
		}
		out[i] = Interval{1 / total.Hi, 1 / total.Lo}.outward(rounded).notNegative()
		out[i].Hi = min(out[i].Hi, 1)
	}
	return out
}

// ofWeights makes a function of the weights of a row.
func ofWeights(measure func(weights []Interval) Interval) func(Args) []Interval {
	return func(a Args) []Interval { return []Interval{measure(rowWeights(a))} }
}

// logarithm returns ln n.
func logarithm(n int) Interval { return point(elementary.Log(float64(n))).outward(elementaryULPs) }

// entropy returns −Σα ln α.
func entropy(weights []Interval) Interval {
	var total Interval
	for _, w := range weights {
		total = total.add(w.entropy())
	}
	return total.notNegative()
}

// sumOthers returns 1 − α_i as the sum of all other weights; near saturation the difference would
// lose its digits.
func sumOthers(weights []Interval, i int) (total Interval) {
	for j, w := range weights {
		if j != i {
			total = total.add(w)
		}
	}
	return total.notNegative()
}

// relativeTrace returns tr J divided by its value for uniform weights.
func relativeTrace(weights []Interval) Interval {
	var trace Interval
	for i, w := range weights {
		trace = trace.add(w.multiply(sumOthers(weights, i)))
	}
	n := float64(len(weights))
	return trace.divide(point(n - 1)).multiply(point(n)).notNegative()
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
	return total.root()
}

// largestDiagonalEntry returns the entry on the diagonal of J of the largest weight, whichever
// weight may be the largest.
func largestDiagonalEntry(weights []Interval) Interval {
	least, out := largest(weights).Lo, Interval{math.Inf(1), math.Inf(-1)}
	for i, w := range weights {
		if w.Hi >= least {
			entry := jacobian(weights, i, i)
			out = Interval{min(out.Lo, entry.Lo), max(out.Hi, entry.Hi)}
		}
	}
	return out
}

// checkRow refuses a row of the Jacobian that does not exist.
func checkRow(a Args) error {
	if n := len(a.list(names.StepWeights)); a.whole("row") > n {
		return fmt.Errorf("of %d weights there is no row %d", n, a.whole("row"))
	}
	return nil
}

// jacobianEntries returns the entries of one row of J.
func jacobianEntries(a Args) (out []Interval) {
	weights := a.list(names.StepWeights)
	for j := range weights {
		out = append(out, jacobian(weights, a.whole("row")-1, j))
	}
	return out
}

// givenOrRowWeights returns the weights that are given, or those of the given scores.
func givenOrRowWeights(a Args) []Interval {
	if a.has(names.StepWeights) {
		return a.list(names.StepWeights)
	}
	return softmax(a.list(names.StepScores), point(1))
}

// checkBlend refuses values that are not one vector for each weight.
func checkBlend(a Args) error {
	if n, of := len(givenOrRowWeights(a)), len(a.list(names.StepValues)); of%n != 0 {
		return fmt.Errorf("%d numbers are no value vectors for %d weights", of, n)
	}
	return nil
}

// blend returns the mean of the values under the weights.
func blend(a Args) []Interval {
	weights, values := givenOrRowWeights(a), a.list(names.StepValues)
	columns := len(values) / len(weights)
	out := make([]Interval, columns)
	for j, w := range weights {
		for c := range out {
			out[c] = out[c].add(w.multiply(values[j*columns+c]))
		}
	}
	return out
}

// checkColumns refuses numbers that do not fill their rows.
func checkColumns(a Args) error {
	n := len(a.list(names.StepWeights)) + len(a.list(names.StepScores))
	if n%a.whole("columns") != 0 {
		return fmt.Errorf("%d numbers are no rows of %d", n, a.whole("columns"))
	}
	return nil
}

// sumsOfRows returns the sums of the rows of given weights, or of the softmax of rows of scores.
func sumsOfRows(a Args) (out []Interval) {
	columns := a.whole("columns")
	given, scored := a.list(names.StepWeights), a.list(names.StepScores)
	for from := 0; from < len(given); from += columns {
		out = append(out, sum(given[from:from+columns]))
	}
	for from := 0; from < len(scored); from += columns {
		out = append(out, sum(softmax(scored[from:from+columns], point(1))))
	}
	return out
}

// variance returns the sample variance, with divisor n − 1.
func variance(of []Interval) Interval {
	mean := sum(of).divide(point(float64(len(of))))
	var total Interval
	for _, x := range of {
		total = total.add(x.subtract(mean).square())
	}
	return total.divide(point(float64(len(of) - 1))).notNegative()
}
