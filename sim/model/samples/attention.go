package samples

import (
	"fmt"
	"math"

	"mcsim/sim/base/tensor"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
	"mcsim/sim/result"
)

// judgeWeights judges whether weights are softmax of the logits along keys. If they are not, and are
// right by themselves, what counts is what they show.
func (o *observed) judgeWeights(a *inspect.Applied) (*inspect.Applied, error) {
	s := o.sums
	if s.rows == 0 {
		return a, nil
	}
	kind, said, err := sumsRight, "", error(nil)
	if s.wrong > 0 || s.isCutBehind() {
		said, kind, err = o.explainSums()
	}
	if err != nil {
		return nil, err
	}
	why, differ := o.compareSoftmax()
	switch {
	case kind == sumsOtherAxis: // of which no factor comes
		a.Looks, a.SE, a.Verdict = said, result.Absent(), result.Fail
	case kind == sumsWrong && a.Verdict != result.Fail: // what is beside q·k comes from it
		a.Looks, a.Verdict = said, result.Fail
	case kind == sumsBelow && o.Logits && differ:
		a.Looks, a.Verdict = joinPhrases(said, why), result.Fail
	case kind == sumsBelow && o.Logits && s.cut == 0:
		a.Looks = joinPhrases(said+": the same part of softmax(logits) in a row, as with a sink", a.Looks)
	case kind == sumsBelow:
		a.Looks = joinPhrases(said+": a sink, a mask behind softmax, or dropout; not checked", a.Looks)
	case kind == sumsWrong:
		a.Looks = joinPhrases(said, a.Looks)
	case differ:
		return o.judgeByWeights(a, why)
	case o.Logits && s.cut > 0:
		a.Looks = joinPhrases(fmt.Sprintf("%.2g %% of the weights are 0 where the logits are not low: the logits are saved "+
			"before the mask, or it is dropout; not checked", 100*float64(s.cut)/float64(s.pairs)), a.Looks)
	}
	return a, nil
}

// judgeByWeights judges weights that are not softmax of the logits beside them: by what they show of
// q·k if that is right.
func (o *observed) judgeByWeights(a *inspect.Applied, why string) (*inspect.Applied, error) {
	o.byWeights = true
	alone, err := o.judgeFits()
	if err != nil {
		return nil, err
	}
	if alone.Verdict != result.Pass {
		a.Verdict, a.Looks = result.Fail, joinPhrases(why, a.Looks)
		return a, nil
	}
	alone.Looks = joinPhrases(fmt.Sprintf("judged by the weights, softmax of q·k times %.4g: the logits beside them "+
		"are saved before the scale or a bias (%s)", alone.Factor, why), alone.Looks)
	return alone, nil
}

// compareSoftmax reports whether weights differ from softmax of the logits, and how: their logarithms
// are the logits and a constant of the row.
func (o *observed) compareSoftmax() (why string, differ bool) {
	all := o.softmax.all()
	if !o.Logits || !all.Known() {
		return "", o.Logits && o.sums.apart > maxSumError
	}
	rounding := o.logits.rounding() + o.softmax.rounding()
	why = fmt.Sprintf("the weights are not softmax of the logits: they differ by up to %.2g", o.sums.apart)
	if all.Rest() > max(roughness*all.YY, rounding) {
		return why, true
	}
	small := float64(2 * rounding / all.XX)
	for _, h := range o.softmax.heads {
		chance := float64(surest * h.SE())
		if h.Known() && math.Abs(h.Slope()-1)-chance > 5*scalefit.Exactness+small {
			return fmt.Sprintf("softmax gets %.4g times the logits", 0+math.Round(h.Slope()*1e6)/1e6), true
		}
	}
	return "", false
}

// isCutBehind reports whether weights are set to 0 behind softmax: the others are the same part of
// what they should be in all rows, and rows do not sum to the same.
func (s *rowSums) isCutBehind() bool {
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

// joinPhrases joins what there is.
func joinPhrases(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// explainSums says why rows of weights do not sum to 1, and of which kind that is.
func (o *observed) explainSums() (why string, kind int, err error) {
	s := o.sums
	said := fmt.Sprintf("rows of weights do not sum to 1, %d of %d: they sum to %.3g to %.3g", s.wrong, s.rows, s.lo, s.hi)
	if s.hi-s.lo < maxSumError*s.hi {
		said = fmt.Sprintf("rows of weights do not sum to 1, but to %.3g", s.hi)
	}
	axis, zeros, err := o.otherAxis()
	cut := float64(s.cut) / float64(max(1, s.pairs))
	dropout := "dropout, since %.2g %% of the weights are exactly 0; save them in eval mode"
	switch {
	case err != nil:
		return "", 0, err
	case axis != "":
		return fmt.Sprintf("%s: softmax runs along %s; it must run along keys (dim=-1)", said, axis), sumsOtherAxis, nil
	case s.isCutBehind() && s.lowest-1 > float64(cut/2):
		return said + ": " + fmt.Sprintf(dropout, 100*cut), sumsWrong, nil
	case s.isCutBehind():
		return fmt.Sprintf("%s: %.2g %% of the weights are set to 0 behind softmax, by a mask or by dropout: a mask belongs "+
			"before softmax, and weights are saved in eval mode", said, 100*cut), sumsWrong, nil
	case s.hi-s.lo < maxSumError*s.hi:
		return fmt.Sprintf("%s: all are multiplied by the same number behind softmax, %.4g", said, s.hi), sumsWrong, nil
	case zeros > 0.002 && s.hi > 1+maxSumError:
		return said + ": " + fmt.Sprintf(dropout, 100*zeros), sumsWrong, nil
	case s.hi <= 1+maxSumError:
		return said, sumsBelow, nil
	}
	return said, sumsWrong, nil
}

// otherAxis returns what weights sum to 1 along if it is not keys, and the part of weights that are 0,
// of keys up to the query if all behind it are.
func (o *observed) otherAxis() (axis string, zeros float64, err error) {
	first, s := o.places()[0].layer, o.sums
	heads, rows, keys := first.query.heads, min(o.Queries, 4*maxStudied), min(o.Keys, 4*maxStudied)
	overHeads, overTexts, columns := make([]float64, rows*keys), make([]float64, rows*keys), make([]float64, heads*keys)
	row, pairs := make([]float64, o.Keys), [2]int{} // up to the query, and behind it
	var empty [2]int
	for _, p := range o.places() {
		if p.layer != first || p.text > 0 && p.head > 0 {
			continue
		}
		m, err := first.weight.matrix(p.text, p.headInLayer())
		if err != nil {
			return "", 0, err
		}
		for i := range o.Queries {
			if err := tensor.Read(m.Part(i, i+1, 0, o.Keys), row); err != nil {
				return "", 0, err
			}
			for j, w := range row[:keys] {
				if p.text == 0 {
					columns[p.head*keys+j] += w
				}
				if p.text == 0 && i < rows {
					overHeads[i*keys+j] += w
				}
				if p.head == 0 && i < rows {
					overTexts[i*keys+j] += w
				}
			}
			seen := min(i+1, keys)
			pairs[0], pairs[1] = pairs[0]+seen, pairs[1]+keys-seen
			empty[0], empty[1] = empty[0]+countZeros(row[:seen]), empty[1]+countZeros(row[seen:keys])
		}
	}
	zeros = float64(empty[0]) / float64(pairs[0])
	if empty[1] < pairs[1] { // there is no mask of later keys
		zeros = float64(empty[0]+empty[1]) / float64(pairs[0]+pairs[1])
	}
	switch {
	case allNear(columns, 1):
		axis = "queries"
	case heads > 1 && allNear(overHeads, 1):
		axis = "heads"
	case o.Texts > 1 && allNear(overTexts, 1):
		axis = "texts"
	case o.Queries > 1 && allNear(s.byPlace[:], 1) || allNear(s.byText, 1):
		axis = "more than keys"
	}
	return axis, zeros, nil
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

// allNear reports whether all sums are near a number.
func allNear(sums []float64, want float64) bool {
	for _, x := range sums {
		if math.Abs(x-want) > maxSumError {
			return false
		}
	}
	return true
}
