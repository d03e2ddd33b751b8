package samples

import (
	"fmt"
	"math"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/result"
)

// maxSumError is the largest deviation from 1 of the sum of a correct row of weights; even rounding
// to bfloat16 causes no larger one.
const maxSumError = 0.01

// rowSums holds sums of rows of weights, and compares weights with their expected values: softmax
// of the logits or, without logits, of q·k times the scale.
type rowSums struct {
	rows, wrongRows, zeroRows int        // numbers of rows with a sum, with a wrong sum, and of zeros only
	minSum, maxSum            float64    // smallest and largest sum of a row
	byText                    []float64  // sum of all weights of each text
	blockRange                [2]float64 // smallest and largest sum of all weights of a block
	maxDifference             float64    // largest difference between a weight and its expected value
	zeroed                    int        // number of weights that are 0 although their expected value is not small
	pairs                     int        // number of compared weights
	// minRatio and maxRatio bound the ratio of a row's sum to the expected sum of its weights that
	// are not zeroed.
	minRatio, maxRatio float64
}

// newRowSums returns sums to which no rows are added yet.
func newRowSums(texts int) rowSums {
	infinity := math.Inf(1)
	return rowSums{byText: make([]float64, texts), minSum: infinity, maxSum: -infinity,
		blockRange: [2]float64{infinity, -infinity},
		minRatio:   infinity, maxRatio: -infinity}
}

// addRow adds the sum of a row of weights. Rows of zeros are padding. If a text has several blocks,
// r is only a part of a row, whose sum is not known.
func (s *rowSums) addRow(r pairRow, text, blocks int) {
	if blocks > 1 {
		return
	}
	if len(r.weights) == countZeros(r.weights) {
		s.zeroRows++
		return
	}
	s.rows++
	s.byText[text] += r.sum
	s.minSum, s.maxSum = min(s.minSum, r.sum), max(s.maxSum, r.sum)
	if math.Abs(r.sum-1) > maxSumError {
		s.wrongRows++
	}
}

// compareRow compares a row of weights with the expected weights.
func (s *rowSums) compareRow(r pairRow, scale float64) {
	expected := make([]float64, len(r.keys))
	for j, x := range r.scores {
		expected[j] = float64(scale * x)
	}
	if r.logits != nil {
		expected = withoutInfinities(r.logits)
	}
	attention.Softmax(expected)
	// A weight was set to 0 if it is negligible and its expected value substantial: rounding does
	// not turn a substantial weight into a negligible one.
	const negligible, substantial = 1.0 / (1 << 16), 1.0 / (1 << 12)
	kept := 0.0
	for j, w := range r.weights {
		s.maxDifference = max(s.maxDifference, math.Abs(w-expected[j]))
		if w < negligible && expected[j] > substantial {
			s.zeroed++
			continue
		}
		kept += expected[j]
	}
	ratio := r.sum / max(kept, negligible)
	s.minRatio, s.maxRatio = min(s.minRatio, ratio), max(s.maxRatio, ratio)
	s.pairs += len(expected)
}

// isZeroedAfterSoftmax reports whether weights were set to 0 after softmax. If so, the other
// weights have the same ratio to their expected values in all rows, but the sums of rows differ.
func (s *rowSums) isZeroedAfterSoftmax() bool {
	const minZeroed = 8
	return s.zeroed > minZeroed && s.maxRatio-s.minRatio < (s.maxSum-s.minSum)/4
}

// Kinds of sums of rows of weights.
const (
	sumsCorrect   = iota
	sumsBelowOne  // some sums are less than 1, and none is more
	sumsWrong     // weights are not the result of softmax
	sumsOtherAxis // weights sum to 1 along another axis
)

// judgeWeights judges whether weights are the softmax of the logits along keys. If they are not,
// but are correct for q·k, the returned judge uses them in place of the logits.
func (j *judge) judgeWeights() *judge {
	s := &j.sums
	kind, text := sumsCorrect, ""
	if s.wrongRows > 0 || s.isZeroedAfterSoftmax() {
		text, kind = j.explainSums()
		if j.err != nil {
			return j
		}
	}
	difference, isDifferent := j.compareSoftmax()
	switch {
	case kind == sumsOtherAxis: // such weights do not determine a factor
		j.Diagnosis, j.SE, j.Verdict = text, result.Absent(), result.Fail
	case kind == sumsWrong && j.Verdict != result.Fail: // the earlier diagnosis follows from wrong weights
		j.Diagnosis, j.Verdict = text, result.Fail
	case kind == sumsBelowOne && j.Logits && isDifferent:
		j.Diagnosis, j.Verdict = joinPhrases(text, difference), result.Fail
	case kind == sumsBelowOne && j.Logits && s.zeroed == 0:
		j.Diagnosis = joinPhrases(text+": a row is softmax(logits) times a number below 1, as with a sink", j.Diagnosis)
	case kind == sumsBelowOne:
		j.Diagnosis = joinPhrases(text+": a sink, a mask after softmax, or dropout; not checked", j.Diagnosis)
	case kind == sumsWrong:
		j.Diagnosis = joinPhrases(text, j.Diagnosis)
	case isDifferent:
		return j.judgeByWeights(difference)
	case j.Logits && s.zeroed > 0:
		j.Diagnosis = joinPhrases(fmt.Sprintf("%.2g %% of the weights are 0 where the logits are not low: the "+
			"logits are saved before the mask, or it is dropout; not checked",
			100*float64(s.zeroed)/float64(s.pairs)), j.Diagnosis)
	}
	return j
}

// judgeByWeights judges weights that are not the softmax of the given logits. If the weights are
// correct for q·k, it returns a judge that uses them in place of the logits. Otherwise j fails.
func (j *judge) judgeByWeights(difference string) *judge {
	j.observations.ignoresLogits = true // newJudge reads it from the observations, which both judges share
	byWeights := j.newJudge()
	byWeights.judgeFits()
	if byWeights.err != nil {
		return byWeights
	}
	if byWeights.Verdict != result.Pass {
		j.Verdict, j.Diagnosis = result.Fail, joinPhrases(difference, j.Diagnosis)
		return j
	}
	byWeights.Diagnosis = joinPhrases(fmt.Sprintf("judged by the weights, softmax of q·k times %.4g: the "+
		"logits in the file are from before the scale or a bias (%s)",
		byWeights.Factor, difference), byWeights.Diagnosis)
	return byWeights
}

// compareSoftmax reports whether weights differ from the softmax of the logits, and how. The
// logarithms of weights should be the logits plus a constant of the row.
func (j *judge) compareSoftmax() (difference string, isDifferent bool) {
	if !j.Logits {
		return "", false
	}
	total := j.softmaxFits.total()
	if !total.IsDetermined() {
		return "", j.sums.maxDifference > maxSumError
	}
	rounding := j.logitFits.rounding() + j.softmaxFits.rounding()
	if total.Residual() > max(maxRounding*total.YY, rounding) {
		return fmt.Sprintf("the weights are not softmax of the logits: they differ by up to %.2g",
			j.sums.maxDifference), true
	}
	slopeRounding := float64(2 * rounding / total.XX)
	for _, h := range j.softmaxFits.heads {
		margin := float64(minDeviationsOfWorst * h.SE())
		if h.IsDetermined() && math.Abs(h.Slope()-1)-margin > 5*scalefit.FactorTolerance+slopeRounding {
			const precision = 1e6
			slope := math.Round(h.Slope()*precision)/precision + 0 // the sum turns −0 into 0
			return fmt.Sprintf("softmax gets %.4g times the logits", slope), true
		}
	}
	return "", false
}

// explainSums explains why rows of weights do not sum to 1, and returns the kind of the sums.
func (j *judge) explainSums() (text string, kind int) {
	s := &j.sums
	isConstant := s.maxSum-s.minSum < maxSumError*s.maxSum
	description := fmt.Sprintf("rows of weights do not sum to 1, %d of %d: they sum to %.3g to %.3g",
		s.wrongRows, s.rows, s.minSum, s.maxSum)
	if isConstant {
		description = fmt.Sprintf("rows of weights do not sum to 1, but to %.3g", s.maxSum)
	}
	axis, allZeros := j.findNormalisedAxis()
	unexpectedZeros := float64(s.zeroed) / float64(max(1, s.pairs)) // proportion, as allZeros
	describeDropout := func(zeros float64) (string, int) {
		return fmt.Sprintf("%s: dropout, since %.2g %% of the weights are exactly 0; save them in eval mode",
			description, 100*zeros), sumsWrong
	}
	switch {
	case axis != "":
		return fmt.Sprintf("%s: softmax runs along %s; it must run along keys (dim=-1)", description, axis),
			sumsOtherAxis
	case s.isZeroedAfterSoftmax() && s.minRatio-1 > float64(unexpectedZeros/2):
		// Dropout of a proportion p multiplies the other weights by 1/(1 − p) > 1 + p; a mask does
		// not.
		return describeDropout(unexpectedZeros)
	case s.isZeroedAfterSoftmax():
		return fmt.Sprintf("%s: %.2g %% of the weights are set to 0 after softmax, by a mask or by dropout: a "+
				"mask belongs before softmax, and weights are saved in eval mode", description, 100*unexpectedZeros),
			sumsWrong
	case isConstant:
		return fmt.Sprintf("%s: all are multiplied by the same number after softmax, %.4g", description, s.maxSum),
			sumsWrong
	case allZeros > 0.002 && s.maxSum > 1+maxSumError:
		return describeDropout(allZeros)
	case s.maxSum <= 1+maxSumError:
		return description, sumsBelowOne
	}
	return description, sumsWrong
}

// findNormalisedAxis returns the axis, other than keys, along which weights sum to 1, and the
// proportion of weights that are 0. If all weights of keys after their query are 0, as with a
// causal mask, the proportion is that of the other weights.
func (j *judge) findNormalisedAxis() (axis string, zeros float64) {
	first, s := j.headBlocks()[0].layer, &j.sums
	heads, rows, keys := first.query.heads, min(j.Queries, 4*maxStudiedRows), min(j.Keys, 4*maxStudiedRows)
	overHeads, overTexts, columns := make([]float64, rows*keys), make([]float64, rows*keys), make([]float64, heads*keys)
	row := make([]float64, j.Keys)
	var pairs, zeroCounts [2]int // counts for keys up to the query, and for keys after the query
	for _, block := range j.headBlocks() {
		if block.layer != first || block.text > 0 && block.head > 0 {
			continue
		}
		m, err := first.weight.matrix(block.text, block.headInLayer())
		for i := 0; i < j.Queries && err == nil; i++ {
			err = tensor.Read(m.Submatrix(i, i+1, 0, j.Keys), row)
			for k, w := range row[:keys] {
				if block.text == 0 {
					columns[block.head*keys+k] += w
				}
				if block.text == 0 && i < rows {
					overHeads[i*keys+k] += w
				}
				if block.head == 0 && i < rows {
					overTexts[i*keys+k] += w
				}
			}
			visible := min(i+1, keys)
			pairs[0], pairs[1] = pairs[0]+visible, pairs[1]+keys-visible
			zeroCounts[0], zeroCounts[1] = zeroCounts[0]+countZeros(row[:visible]),
				zeroCounts[1]+countZeros(row[visible:keys])
		}
		if err != nil {
			j.err = err
			return "", 0
		}
	}
	zeros = float64(zeroCounts[0]) / float64(pairs[0])
	if zeroCounts[1] < pairs[1] { // later keys are not masked
		zeros = float64(zeroCounts[0]+zeroCounts[1]) / float64(pairs[0]+pairs[1])
	}
	switch {
	case areOne(columns):
		axis = "queries"
	case heads > 1 && areOne(overHeads):
		axis = "heads"
	case j.Texts > 1 && areOne(overTexts):
		axis = "texts"
	case j.Queries > 1 && areOne(s.blockRange[:]) || areOne(s.byText):
		axis = "more than keys"
	}
	return axis, zeros
}

// countZeros counts the zeros among weights.
func countZeros(weights []float64) (n int) {
	for _, w := range weights {
		if w == 0 {
			n++
		}
	}
	return n
}

// areOne reports whether all sums are 1 within maxSumError.
func areOne(sums []float64) bool {
	for _, x := range sums {
		if math.Abs(x-1) > maxSumError {
			return false
		}
	}
	return true
}

// withoutInfinities returns logits with −∞ replaced by a logit so low that its weight is 0, too.
func withoutInfinities(logits []float64) []float64 {
	const lowest = -1e38
	finite := make([]float64, len(logits))
	for i, x := range logits {
		finite[i] = max(x, lowest)
	}
	return finite
}

// computeLogs returns the logarithms of weights, and −∞ for those below the normal numbers of
// float16, which may have lost their digits.
func computeLogs(weights []float64) []float64 {
	const smallest = 1.0 / (1 << 14) // smallest normal number of float16
	logs := make([]float64, len(weights))
	for i, w := range weights {
		logs[i] = math.Inf(-1)
		if w >= smallest {
			logs[i] = elementary.Log(w)
		}
	}
	return logs
}
