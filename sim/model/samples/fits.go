package samples

import (
	"math"
	"math/bits"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
)

// fits holds regression lines of logits on q·k: one for each head, each text, and each range of
// positions of the query. It also counts unusual pairs.
type fits struct {
	heads, texts []scalefit.Line
	rowResiduals []residual        // residuals of each head if each row has its own line
	units        []float64         // divisors of the scores of each head before they are cubed
	positions    [64]scalefit.Line // for ranges of positions of the query
	pairs        int
	masked       int // pairs that are omitted
	zeros        int // pairs whose logit is 0 but whose score is not
	futureZeros  int // pairs that are counted in zeros and whose key is after the query
	infinite     int // pairs whose logit is −∞
	overflowed   int // infinite pairs whose score is below the range of float16

	squares, zeroSquares float64 // sums of squared scores of the pairs that are fitted, and of zeros
	digits               int     // largest number of significant bits
	squaredSizes         float64 // sum of squares of numbers to which rounding errors are proportional
}

// residual is a residual sum of squares with its degrees of freedom.
type residual struct{ sum, dof float64 }

// newFits allocates a line for each head and text.
func (s *Samples) newFits() *fits {
	return &fits{heads: make([]scalefit.Line, s.Heads), texts: make([]scalefit.Line, s.Texts),
		rowResiduals: make([]residual, s.Heads), units: make([]float64, s.Heads)}
}

// total returns the line of all heads.
func (f *fits) total() (total scalefit.Line) {
	for _, h := range f.heads {
		total.Join(h)
	}
	return total
}

// sumResiduals returns the sum of the residual sums of squares.
func sumResiduals(lines []scalefit.Line) (sum float64) {
	for _, l := range lines {
		sum += l.Residual()
	}
	return sum
}

// minDigits is the number of significant bits of bfloat16, the least precise type.
const minDigits = 8

// rounding returns the largest residual sum of squares that rounding can cause.
func (f *fits) rounding() float64 {
	relativeError := math.Ldexp(1, -max(minDigits, f.digits))
	return float64(relativeError * relativeError * f.squaredSizes)
}

// selectVisible returns the pairs of a row that are not masked, and the number of visible keys. It
// counts the masked pairs. If the scale depends on the number of visible keys, scores are
// multiplied by the row's scale over options.Scale.
func (f *fits) selectVisible(r pairRow, options inspect.Options, dimension int) (row scalefit.Row, visible int) {
	row = scalefit.Row{Query: r.query, QueryLength: r.queryLength}
	logits := r.logits
	if logits == nil {
		logits = computeLogs(r.weights)
	}
	keys := scalefit.VisibleKeys(r.scores, logits, dimension, nil)
	f.pairs += len(logits)
	f.masked += len(logits) - len(keys)
	visible = len(keys)
	if r.logits == nil { // computeLogs masks small weights, but their keys are visible
		visible = len(logits) - countZeros(r.weights)
	}
	factor, isMaximumZero := 1.0, isMaxZero(r.scores, logits, keys)
	if options.Factor != nil {
		factor = options.Factor(visible) / options.Scale
	}
	for j, x := range r.logits {
		if math.IsInf(x, -1) {
			f.infinite++
			if r.scores[j] < -maxHalf {
				f.overflowed++
			}
		}
	}
	for _, j := range keys {
		number, size := logits[j], max(math.Abs(logits[j]), math.Abs(options.Scale*r.scores[j]))
		if r.logits == nil {
			number, size = r.weights[j], 1+size
		} else if number == 0 && r.scores[j] != 0 && !isMaximumZero {
			f.zeros++
			f.zeroSquares += float64(r.scores[j] * r.scores[j])
			if r.keys[j] > r.query {
				f.futureZeros++
			}
			continue
		}
		f.squares += float64(r.scores[j] * r.scores[j])
		// A float64 has 53 significant bits, 52 of them stored in its last bits.
		f.digits = max(f.digits, 53-min(52, bits.TrailingZeros64(math.Float64bits(number))))
		f.squaredSizes += float64(size * size)
		row.Keys, row.Y = append(row.Keys, r.keys[j]), append(row.Y, logits[j])
		row.X = append(row.X, float64(factor*r.scores[j]))
	}
	return row, visible
}

// isMaxZero reports whether the maximum of the row seems to be subtracted from its logits. If so,
// no logit is positive, and either one logit is 0 or at most maxTies logits are, those with the
// largest scores.
func isMaxZero(scores, logits []float64, keys []int) bool {
	zeros, minScore, maxOther := 0, math.Inf(1), math.Inf(-1)
	for _, j := range keys {
		switch {
		case logits[j] > 0:
			return false
		case logits[j] == 0:
			zeros, minScore = zeros+1, min(minScore, scores[j])
		default:
			maxOther = max(maxOther, scores[j])
		}
	}
	const maxTies = 3
	return zeros == 1 || zeros <= maxTies && minScore >= maxOther
}

// addRow adds the logits, or weights, of a row.
func (f *fits) addRow(block headBlock, queries int, r pairRow, options inspect.Options, dimension int) {
	row, visible := f.selectVisible(r, options, dimension)
	// A row with fewer than two different logits says nothing about the factor.
	if len(row.Y) < 2 || slices.Min(row.Y) == slices.Max(row.Y) {
		f.masked += len(row.Y)
		return
	}
	if f.units[block.head] == 0 {
		f.units[block.head] = math.Sqrt(elementary.SumOfSquares(row.X) / float64(len(row.X)))
	}
	var line scalefit.Line
	line.Add(row.X, row.Y, f.units[block.head], visible)
	f.joinLine(block, r.query, queries, line)
}

// joinLine adds the line of a row to those of its head, its text, and the position of its query.
func (f *fits) joinLine(block headBlock, query, queries int, line scalefit.Line) {
	f.heads[block.head].Join(line)
	f.texts[block.text].Join(line)
	f.positions[query*len(f.positions)/queries].Join(line)
	f.rowResiduals[block.head].sum += line.Residual()
	f.rowResiduals[block.head].dof += max(0, line.DoF-1)
}
