package samples

import (
	"math"
	"math/bits"
	"slices"

	"mcsim/sim/base/elementary"
	"mcsim/sim/model/inspect"
	"mcsim/sim/model/scalefit"
)

// fits are lines of logits on q·k, by head, by text, and by the place of the query among all.
type fits struct {
	heads, texts []scalefit.Line
	apart        []scatter // of heads, about a line for each row
	units        []float64 // what scores of a head are divided by for their cubes
	positions    [64]scalefit.Line
	pairs        int
	masked       int // pairs that are left out
	zeros        int // pairs whose logit is 0, and whose score is not
	ahead        int // those of them whose key is behind the query
	infinite     int // pairs whose logit is −∞
	overflowed   int // those of them whose score is below all of float16

	squares, zeroSquares float64 // of scores of pairs, and of zeros
	digits               int     // bits of the most exact number
	sizes                float64 // squares of what numbers are rounded in proportion to
}

// scatter is a sum of squares, and its degrees of freedom.
type scatter struct{ rest, free float64 }

// newFits has room for all heads.
func (s *Samples) newFits() *fits {
	return &fits{heads: make([]scalefit.Line, s.Heads), texts: make([]scalefit.Line, s.Texts),
		apart: make([]scatter, s.Heads), units: make([]float64, s.Heads)}
}

// all returns the line of all heads.
func (f *fits) all() (all scalefit.Line) {
	for _, h := range f.heads {
		all.Join(h)
	}
	return all
}

// restOf returns what some lines leave.
func restOf(lines []scalefit.Line) (sum float64) {
	for _, l := range lines {
		sum += l.Residual()
	}
	return sum
}

// minDigits is how many bits bfloat16 has, the least exact of the types.
const minDigits = 8

// rounding returns the sum of squares that rounding may leave.
func (f *fits) rounding() float64 {
	half := math.Ldexp(1, -max(minDigits, f.digits))
	return float64(half * half * f.sizes)
}

// visible returns the pairs of a row that are not masked, and counts the others. If the scale depends
// on how many keys a row sees, scores are brought to that of all keys.
func (f *fits) visible(r pairRow, options inspect.Options, dimension int) (row scalefit.Row, seen int) {
	row = scalefit.Row{Query: r.query, QueryLength: r.size}
	logits := r.logits
	if logits == nil {
		logits = logsOf(r.weights)
	}
	keys := scalefit.VisibleKeys(r.scores, logits, dimension, nil)
	f.pairs += len(logits)
	f.masked += len(logits) - len(keys)
	seen = len(keys)
	if r.logits == nil { // small weights are left out, and yet seen
		seen = len(logits) - countZeros(r.weights)
	}
	factor, topIsZero := 1.0, isTopZero(r.scores, logits, keys)
	if options.Factor != nil {
		factor = options.Factor(seen) / options.Scale
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
		} else if number == 0 && r.scores[j] != 0 && !topIsZero {
			f.zeros++
			f.zeroSquares += float64(r.scores[j] * r.scores[j])
			if r.keys[j] > r.query {
				f.ahead++
			}
			continue
		}
		f.squares += float64(r.scores[j] * r.scores[j])
		f.digits = max(f.digits, 53-min(52, bits.TrailingZeros64(math.Float64bits(number))))
		f.sizes += float64(size * size)
		row.Keys, row.Y = append(row.Keys, r.keys[j]), append(row.Y, logits[j])
		row.X = append(row.X, float64(factor*r.scores[j]))
	}
	return row, seen
}

// isTopZero reports whether logits are less their row's maximum: one is 0, or a few of the largest
// scores, and the others are below.
func isTopZero(scores, logits []float64, keys []int) bool {
	zeros, least, others := 0, math.Inf(1), math.Inf(-1)
	for _, j := range keys {
		switch {
		case logits[j] > 0:
			return false
		case logits[j] == 0:
			zeros, least = zeros+1, min(least, scores[j])
		default:
			others = max(others, scores[j])
		}
	}
	const maxTies = 3
	return zeros == 1 || zeros <= maxTies && least >= others
}

// add adds the logits, or weights, of a row.
func (f *fits) add(p place, queries int, r pairRow, options inspect.Options, dimension int) {
	row, seen := f.visible(r, options, dimension)
	if len(row.Y) < 2 || slices.Min(row.Y) == slices.Max(row.Y) { // all are masked, or there is one
		f.masked += len(row.Y)
		return
	}
	if f.units[p.head] == 0 {
		f.units[p.head] = math.Sqrt(elementary.SumOfSquares(row.X) / float64(len(row.X)))
	}
	f.join(p, r.query, queries, row.X, row.Y, f.units[p.head], seen)
}

// join adds a row, in the place of its query among all queries.
func (f *fits) join(p place, query, queries int, x, y []float64, unit float64, seen int) {
	var line scalefit.Line
	line.Add(x, y, unit, seen)
	f.heads[p.head].Join(line)
	f.texts[p.text].Join(line)
	f.positions[query*len(f.positions)/queries].Join(line)
	f.apart[p.head].rest += line.Residual()
	f.apart[p.head].free += max(0, line.DoF-1)
}
