package claim

import (
	"fmt"
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/names"
)

// rowFunctions are those of one row of scores, or of given weights.
var rowFunctions = []function{
	{name: "weights", args: ofRow, of: weightsOf},
	{name: "scaled_scores", args: []parameter{scoresGiven, oneDimension}, of: logits},
	{name: "row_max_weight", args: ofRow, of: of(greatest)},
	{name: "row_entropy", args: ofRow, of: of(entropy)},
	{name: "row_entropy_ratio", args: ofSeveral,
		of: of(func(w []Interval) Interval { return entropy(w).over(logOf(len(w))) })},
	{name: "row_relative_trace", args: ofSeveral, of: of(relativeTrace)},
	{name: "row_jacobian_norm", args: ofRow, of: of(jacobianNorm)},
	{name: "winner_gradient", args: ofRow, of: of(winner)},
	{name: "largest_entropy", args: []parameter{keysGiven},
		of: func(a Args) []Interval { return []Interval{logOf(a.whole(names.ParamKeys))} }},
	{name: "jacobian_entries", args: []parameter{weightsGiven, {name: "row", lo: 1, hi: mostNumbers, whole: true}},
		refuse: rowThere, of: jacobianEntries},
	{name: "blend_of", args: []parameter{optionally(weightsGiven), optionally(scoresGiven),
		{name: names.StepValues, lo: -mostScore, hi: mostScore, list: true}}, refuse: blendFits, of: blendOf},
	{name: "sums_of_rows", args: []parameter{optionally(weightsGiven), optionally(scoresGiven),
		{name: "columns", lo: 1, hi: mostNumbers, whole: true}}, refuse: rowsFit, of: sumsOfRows},
	{name: "row_variance", args: []parameter{severalScores, maybeRoot},
		of: func(a Args) []Interval { return []Interval{variance(logits(a))} }},
	{name: "row_sd", args: []parameter{severalScores, maybeRoot},
		of: func(a Args) []Interval { return []Interval{variance(logits(a)).root()} }},
}

// ofRow are the arguments of what softmax makes of a row, and ofSeveral of what is defined of
// several scores alone.
var (
	ofRow     = []parameter{scoresGiven, maybeRoot, temperatures}
	ofSeveral = []parameter{severalScores, maybeRoot, temperatures}
)

// scale is what the scores are divided by.
func scale(a Args) Interval {
	if a.has(names.ParamDimension) {
		return a.one(names.ParamDimension, 1).root()
	}
	return a.one(names.ParamTemperature, 1)
}

// logits are the scores after their scale, where there is one.
func logits(a Args) []Interval {
	return names.Each(a.list(names.StepScores), func(s Interval) Interval { return s.scaled(scale(a)) })
}

// scaled is a score over its scale.
func (a Interval) scaled(by Interval) Interval {
	if by == point(1) {
		return a
	}
	return a.over(by)
}

// weightsOf are the weights of the scores of a row.
func weightsOf(a Args) []Interval { return softmax(a.list(names.StepScores), scale(a)) }

// softmax are the weights of scores over their scale T: α_i = 1/(1 + Σe^((s_j − s_i)/T)) over
// j ≠ i, in which each score pulls all terms one way, so that nothing is lost by taking the
// ends of each. The scale is the same for all of them, whatever it was rounded from, and so
// divides their difference.
func softmax(scores []Interval, by Interval) []Interval {
	out := make([]Interval, len(scores))
	for i, own := range scores {
		total := point(1)
		for j, other := range scores {
			if j != i {
				total = total.plus(other.less(own).scaled(by).exp())
			}
		}
		out[i] = Interval{1 / total.Hi, 1 / total.Lo}.outward(rounded).notNegative()
		out[i].Hi = min(out[i].Hi, 1)
	}
	return out
}

// of is a function of the weights of a row.
func of(measure func(weights []Interval) Interval) func(Args) []Interval {
	return func(a Args) []Interval { return []Interval{measure(weightsOf(a))} }
}

// logOf is the logarithm of a whole number.
func logOf(n int) Interval { return point(elementary.Log(float64(n))).outward(elementaryULPs) }

// entropy is −Σα ln α.
func entropy(weights []Interval) Interval {
	var total Interval
	for _, w := range weights {
		total = total.plus(w.entropy())
	}
	return total.notNegative()
}

// rest is 1 − α_i, as the sum of all other weights: near saturation the difference would
// have lost its digits.
func rest(weights []Interval, i int) (total Interval) {
	for j, w := range weights {
		if j != i {
			total = total.plus(w)
		}
	}
	return total.notNegative()
}

// relativeTrace returns tr J over that of uniform weights.
func relativeTrace(weights []Interval) Interval {
	var trace Interval
	for i, w := range weights {
		trace = trace.plus(w.times(rest(weights, i)))
	}
	n := float64(len(weights))
	return trace.over(point(n - 1)).times(point(n)).notNegative()
}

// jacobian is an entry of J = diag(α) − ααᵀ.
func jacobian(weights []Interval, i, j int) Interval {
	if i == j {
		return weights[i].times(rest(weights, i))
	}
	return point(0).less(weights[i].times(weights[j]))
}

// jacobianNorm is ‖J‖_F.
func jacobianNorm(weights []Interval) Interval {
	var total Interval
	for i := range weights {
		for j := range weights {
			total = total.plus(jacobian(weights, i, j).square())
		}
	}
	return total.root()
}

// winner is the greatest weight's entry on the diagonal of J, whichever weight may be the
// greatest.
func winner(weights []Interval) Interval {
	least, out := greatest(weights).Lo, Interval{math.Inf(1), math.Inf(-1)}
	for i, w := range weights {
		if w.Hi >= least {
			entry := jacobian(weights, i, i)
			out = Interval{min(out.Lo, entry.Lo), max(out.Hi, entry.Hi)}
		}
	}
	return out
}

// rowThere wants the row of the Jacobian to be one of the weights.
func rowThere(a Args) error {
	if n := len(a.list(names.StepWeights)); a.whole("row") > n {
		return fmt.Errorf("of %d weights there is no row %d", n, a.whole("row"))
	}
	return nil
}

// jacobianEntries are those of one row.
func jacobianEntries(a Args) (out []Interval) {
	weights := a.list(names.StepWeights)
	for j := range weights {
		out = append(out, jacobian(weights, a.whole("row")-1, j))
	}
	return out
}

// eitherWeights are the weights that are given, or those of the scores.
func eitherWeights(a Args) []Interval {
	if a.has(names.StepWeights) {
		return a.list(names.StepWeights)
	}
	return softmax(a.list(names.StepScores), point(1))
}

// blendFits wants a value vector for each weight.
func blendFits(a Args) error {
	if n, of := len(eitherWeights(a)), len(a.list(names.StepValues)); of%n != 0 {
		return fmt.Errorf("%d numbers are no value vectors for %d weights", of, n)
	}
	return nil
}

// blendOf are the values averaged by the weights.
func blendOf(a Args) []Interval {
	weights, values := eitherWeights(a), a.list(names.StepValues)
	columns := len(values) / len(weights)
	out := make([]Interval, columns)
	for j, w := range weights {
		for c := range out {
			out[c] = out[c].plus(w.times(values[j*columns+c]))
		}
	}
	return out
}

// rowsFit wants whole rows.
func rowsFit(a Args) error {
	n := len(a.list(names.StepWeights)) + len(a.list(names.StepScores))
	if n%a.whole("columns") != 0 {
		return fmt.Errorf("%d numbers are no rows of %d", n, a.whole("columns"))
	}
	return nil
}

// sumsOfRows are the sums of the rows of given weights, or of softmax of rows of scores.
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

// variance is that of some numbers, over n − 1.
func variance(of []Interval) Interval {
	mean := sum(of).over(point(float64(len(of))))
	var total Interval
	for _, x := range of {
		total = total.plus(x.less(mean).square())
	}
	return total.over(point(float64(len(of) - 1))).notNegative()
}
