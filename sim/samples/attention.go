package samples

import (
	"fmt"
	"math"

	"mcsim/sim/inspect"
	"mcsim/sim/result"
	"mcsim/sim/scalefit"
	"mcsim/sim/tensor"
)

// judgeWeights judges whether weights are softmax of the logits along keys.
func (o *observed) judgeWeights(a *inspect.Applied) error {
	s := o.sums
	if s.rows == 0 {
		return nil
	}
	if s.wrong > 0 {
		return o.judgeSums(a)
	}
	if !o.Logits || s.apart <= maxSumError {
		return nil
	}
	var all scalefit.Line
	for _, h := range o.softmax.heads {
		all.Join(h)
	}
	why := fmt.Sprintf("the weights are not softmax of the logits: they differ by up to %.2g", s.apart)
	if all.Known() && all.Rest() < 1e-3*all.YY && within(all.Slope(), all.SE(), 1) == result.Fail {
		why = fmt.Sprintf("softmax gets %.4g times the logits", all.Slope())
	}
	a.Verdict, a.Looks = result.Fail, joinPhrases(why, a.Looks)
	return nil
}

// judgeSums judges rows of weights that do not sum to 1.
func (o *observed) judgeSums(a *inspect.Applied) error {
	why, kind, err := o.explainSums()
	if err != nil {
		return err
	}
	switch kind {
	case sumsOtherAxis: // of which no factor comes
		a.Looks, a.SE = "", result.Absent()
		a.Verdict = result.Fail
	case sumsWrong:
		if a.Verdict != result.Fail { // what is beside q·k comes from it
			a.Looks = ""
		}
		a.Verdict = result.Fail
	}
	a.Looks = joinPhrases(why, a.Looks)
	return nil
}

// The kinds of sums of rows of weights.
const (
	sumsSink = iota
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
	s, p := o.sums, o.places()[0]
	said := fmt.Sprintf("%d of %d rows of weights do not sum to 1, but to %.3g to %.3g", s.wrong, s.rows, s.lo, s.hi)
	if s.hi-s.lo < maxSumError*s.hi {
		said = fmt.Sprintf("rows of weights do not sum to 1, but to %.3g", s.hi)
	}
	heads, rows, keys := p.layer.query.heads, min(o.Queries, 4*maxStudied), min(o.Keys, 4*maxStudied)
	overHeads, columns := make([]float64, rows*keys), make([]float64, heads*keys)
	zeros, ahead, behind := 0, 0, 0 // weights of 0 at keys up to the query, and behind it
	for h := range heads {
		m, err := p.layer.weight.matrix(p.text, h)
		if err != nil {
			return "", 0, err
		}
		row := make([]float64, o.Keys)
		for i := range o.Queries {
			if err := tensor.Read(m.Part(i, i+1, 0, o.Keys), row); err != nil {
				return "", 0, err
			}
			for j, w := range row[:keys] {
				columns[h*keys+j] += w
				if i < rows {
					overHeads[i*keys+j] += w
				}
			}
			later := row[min(i+1, keys):keys]
			behind, ahead = behind+len(later), ahead+countZeros(later)
			zeros += countZeros(row[:min(i+1, keys)])
		}
	}
	seen := heads*o.Queries*keys - behind
	if ahead < behind { // there is no mask of later keys
		zeros, seen = zeros+ahead, seen+behind
	}
	share := float64(zeros) / float64(max(1, seen))
	switch {
	case allNear(columns, 1):
		return said + ": softmax runs along queries; it must run along keys (dim=-1)", sumsOtherAxis, nil
	case heads > 1 && allNear(overHeads, 1):
		return said + ": softmax runs along heads; it must run along keys (dim=-1)", sumsOtherAxis, nil
	case s.hi-s.lo < maxSumError*s.hi:
		why = ": all are multiplied by the same number behind softmax, " + scalefit.Root(s.hi, maxSumError)
		return said + why, sumsWrong, nil
	case zeros > 8 && share > 0.002 && s.hi > 1+maxSumError:
		why = fmt.Sprintf(": dropout, since %.2g %% of the weights are exactly 0; save them in eval mode", 100*share)
		return said + why, sumsWrong, nil
	case s.hi <= 1+maxSumError:
		return said + ": a sink, or a 1 in the denominator, takes the rest", sumsSink, nil
	}
	return said, sumsWrong, nil
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
