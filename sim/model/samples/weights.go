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

// maxSumError is how far the sum of a row of weights may be from 1, in bfloat16 too.
const maxSumError = 0.01

// rowSums are what rows of weights sum to, and what they should be: softmax of the logits, or of q·k
// times the scale.
type rowSums struct {
	rows, wrong, empty int
	lo, hi             float64
	byText             []float64
	byPlace            [2]float64 // the least and the largest sum of a place
	apart              float64    // the largest difference to softmax(logits)
	cut                int        // weights that are far smaller than they should be
	pairs              int
	lowest, highest    float64 // what weights that are not cut are in units of what they should be
}

// newRowSums returns sums of no rows.
func newRowSums(texts int) rowSums {
	none := math.Inf(1)
	return rowSums{byText: make([]float64, texts), lo: none, hi: -none, byPlace: [2]float64{none, -none},
		lowest: none, highest: -none}
}

// add adds the sum of a row of weights. Rows of zeros are those of padding.
func (s *rowSums) add(r pairRow, text, blocks int) {
	if blocks > 1 || len(r.weights) == countZeros(r.weights) {
		s.empty++
		return
	}
	s.rows++
	s.byText[text] += r.sum
	s.lo, s.hi = min(s.lo, r.sum), max(s.hi, r.sum)
	if math.Abs(r.sum-1) > maxSumError {
		s.wrong++
	}
}

// compare compares a row of weights with what it should be.
func (s *rowSums) compare(r pairRow, scale float64) {
	want := make([]float64, len(r.keys))
	for j, x := range r.scores {
		want[j] = float64(scale * x)
	}
	if r.logits != nil {
		want = withoutInfinities(r.logits)
	}
	attention.Softmax(want)
	const nothing, something = 1.0 / (1 << 16), 1.0 / (1 << 12) // which no rounding makes of each other
	kept := 0.0
	for j, w := range r.weights {
		s.apart = max(s.apart, math.Abs(w-want[j]))
		if w < nothing && want[j] > something {
			s.cut++
			continue
		}
		kept += want[j]
	}
	ratio := r.sum / max(kept, nothing)
	s.lowest, s.highest = min(s.lowest, ratio), max(s.highest, ratio)
	s.pairs += len(want)
}

// isCutAfterSoftmax reports whether weights are set to 0 after softmax: the others are the same part of
// what they should be in all rows, and rows do not sum to the same.
func (s *rowSums) isCutAfterSoftmax() bool {
	const few = 8
	return s.cut > few && s.highest-s.lowest < (s.hi-s.lo)/4
}

// The kinds of sums of rows of weights.
const (
	sumsRight = iota
	sumsBelow
	sumsWrong
	sumsOtherAxis
)

// judgeWeights judges whether weights are softmax of the logits along keys. If they are not, and are
// right by themselves, what counts is what they show.
func (j *judge) judgeWeights() *judge {
	s := &j.sums
	kind, said := sumsRight, ""
	if s.wrong > 0 || s.isCutAfterSoftmax() {
		if said, kind = j.explainSums(); j.err != nil {
			return j
		}
	}
	why, differ := j.compareSoftmax()
	switch {
	case kind == sumsOtherAxis: // of which no factor comes
		j.Diagnosis, j.SE, j.Verdict = said, result.Absent(), result.Fail
	case kind == sumsWrong && j.Verdict != result.Fail: // what is added to q·k comes from it
		j.Diagnosis, j.Verdict = said, result.Fail
	case kind == sumsBelow && j.Logits && differ:
		j.Diagnosis, j.Verdict = joinPhrases(said, why), result.Fail
	case kind == sumsBelow && j.Logits && s.cut == 0:
		j.Diagnosis = joinPhrases(said+": the same part of softmax(logits) in a row, as with a sink", j.Diagnosis)
	case kind == sumsBelow:
		j.Diagnosis = joinPhrases(said+": a sink, a mask behind softmax, or dropout; not checked", j.Diagnosis)
	case kind == sumsWrong:
		j.Diagnosis = joinPhrases(said, j.Diagnosis)
	case differ:
		return j.judgeByWeights(why)
	case j.Logits && s.cut > 0:
		j.Diagnosis = joinPhrases(fmt.Sprintf("%.2g %% of the weights are 0 where the logits are not low: the "+
			"logits are saved "+
			"before the mask, or it is dropout; not checked", 100*float64(s.cut)/float64(s.pairs)), j.Diagnosis)
	}
	return j
}

// judgeByWeights judges weights that are not softmax of the logits beside them: by what they show of
// q·k if that is right.
func (j *judge) judgeByWeights(why string) *judge {
	j.byWeights = true
	alone := j.newJudge()
	alone.judgeFits()
	if alone.err != nil {
		return alone
	}
	if alone.Verdict != result.Pass {
		j.Verdict, j.Diagnosis = result.Fail, joinPhrases(why, j.Diagnosis)
		return j
	}
	alone.Diagnosis = joinPhrases(fmt.Sprintf("judged by the weights, softmax of q·k times %.4g: the logits beside them "+
		"are saved before the scale or a bias (%s)", alone.Factor, why), alone.Diagnosis)
	return alone
}

// compareSoftmax reports whether weights differ from softmax of the logits, and how: their logarithms
// are the logits and a constant of the row.
func (j *judge) compareSoftmax() (why string, differ bool) {
	all := j.softmax.all()
	if !j.Logits || !all.IsDetermined() {
		return "", j.Logits && j.sums.apart > maxSumError
	}
	rounding := j.logits.rounding() + j.softmax.rounding()
	if all.Residual() > max(roughness*all.YY, rounding) {
		return fmt.Sprintf("the weights are not softmax of the logits: they differ by up to %.2g", j.sums.apart), true
	}
	small := float64(2 * rounding / all.XX)
	for _, h := range j.softmax.heads {
		chance := float64(surest * h.SE())
		if h.IsDetermined() && math.Abs(h.Slope()-1)-chance > 5*scalefit.FactorTolerance+small {
			return fmt.Sprintf("softmax gets %.4g times the logits", 0+math.Round(h.Slope()*1e6)/1e6), true
		}
	}
	return "", false
}

// explainSums says why rows of weights do not sum to 1, and of which kind that is.
func (j *judge) explainSums() (why string, kind int) {
	s := &j.sums
	isConstant := s.hi-s.lo < maxSumError*s.hi
	said := fmt.Sprintf("rows of weights do not sum to 1, %d of %d: they sum to %.3g to %.3g", s.wrong, s.rows, s.lo,
		s.hi)
	if isConstant {
		said = fmt.Sprintf("rows of weights do not sum to 1, but to %.3g", s.hi)
	}
	axis, zeros := j.otherAxis()
	cut := float64(s.cut) / float64(max(1, s.pairs))
	dropout := func(zeros float64) (string, int) {
		return fmt.Sprintf("%s: dropout, since %.2g %% of the weights are exactly 0; save them in eval mode",
			said, 100*zeros), sumsWrong
	}
	switch {
	case axis != "":
		return fmt.Sprintf("%s: softmax runs along %s; it must run along keys (dim=-1)", said, axis), sumsOtherAxis
	case s.isCutAfterSoftmax() && s.lowest-1 > float64(cut/2):
		return dropout(cut)
	case s.isCutAfterSoftmax():
		return fmt.Sprintf("%s: %.2g %% of the weights are set to 0 behind softmax, by a mask or by dropout: a "+
			"mask belongs "+
			"before softmax, and weights are saved in eval mode", said, 100*cut), sumsWrong
	case isConstant:
		return fmt.Sprintf("%s: all are multiplied by the same number behind softmax, %.4g", said, s.hi), sumsWrong
	case zeros > 0.002 && s.hi > 1+maxSumError:
		return dropout(zeros)
	case s.hi <= 1+maxSumError:
		return said, sumsBelow
	}
	return said, sumsWrong
}

// otherAxis returns what weights sum to 1 along if it is not keys, and the part of weights that are 0,
// of keys up to the query if all after it are.
func (j *judge) otherAxis() (axis string, zeros float64) {
	first, s := j.places()[0].layer, &j.sums
	heads, rows, keys := first.query.heads, min(j.Queries, 4*maxStudied), min(j.Keys, 4*maxStudied)
	overHeads, overTexts, columns := make([]float64, rows*keys), make([]float64, rows*keys), make([]float64, heads*keys)
	row := make([]float64, j.Keys)
	var pairs, empty [2]int // up to the query, and after it
	for _, p := range j.places() {
		if p.layer != first || p.text > 0 && p.head > 0 {
			continue
		}
		m, err := first.weight.matrix(p.text, p.headInLayer())
		for i := 0; i < j.Queries && err == nil; i++ {
			err = tensor.Read(m.Part(i, i+1, 0, j.Keys), row)
			for k, w := range row[:keys] {
				if p.text == 0 {
					columns[p.head*keys+k] += w
				}
				if p.text == 0 && i < rows {
					overHeads[i*keys+k] += w
				}
				if p.head == 0 && i < rows {
					overTexts[i*keys+k] += w
				}
			}
			seen := min(i+1, keys)
			pairs[0], pairs[1] = pairs[0]+seen, pairs[1]+keys-seen
			empty[0], empty[1] = empty[0]+countZeros(row[:seen]), empty[1]+countZeros(row[seen:keys])
		}
		if err != nil {
			j.err = err
			return "", 0
		}
	}
	zeros = float64(empty[0]) / float64(pairs[0])
	if empty[1] < pairs[1] { // there is no mask of later keys
		zeros = float64(empty[0]+empty[1]) / float64(pairs[0]+pairs[1])
	}
	switch {
	case areOne(columns):
		axis = "queries"
	case heads > 1 && areOne(overHeads):
		axis = "heads"
	case j.Texts > 1 && areOne(overTexts):
		axis = "texts"
	case j.Queries > 1 && areOne(s.byPlace[:]) || areOne(s.byText):
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

// areOne reports whether all sums are about 1.
func areOne(sums []float64) bool {
	for _, x := range sums {
		if math.Abs(x-1) > maxSumError {
			return false
		}
	}
	return true
}

// withoutInfinities replaces −∞ by a logit far below all others, whose weight is 0 too.
func withoutInfinities(logits []float64) []float64 {
	const lowest = 1e38
	out := make([]float64, len(logits))
	for i, x := range logits {
		out[i] = max(x, -lowest)
	}
	return out
}

// logsOf returns the logarithms of weights, and −∞ of those below the normal numbers of float16,
// which may have lost their digits, whatever they are saved as.
func logsOf(weights []float64) []float64 {
	const smallest = 1.0 / (1 << 14)
	out := make([]float64, len(weights))
	for i, w := range weights {
		out[i] = math.Inf(-1)
		if w >= smallest {
			out[i] = elementary.Log(w)
		}
	}
	return out
}
