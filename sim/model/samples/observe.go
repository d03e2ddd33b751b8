package samples

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"mcsim/sim/attention"
	"mcsim/sim/base/elementary"
	"mcsim/sim/base/tensor"
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
		sum += l.Rest()
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
	row = scalefit.Row{Query: r.query, Size: r.size}
	logits := r.logits
	if logits == nil {
		logits = logsOf(r.weights)
	}
	keys := scalefit.Visible(r.scores, logits, dimension, nil)
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

// join adds a row, in the place of its query among so many.
func (f *fits) join(p place, query, queries int, x, y []float64, unit float64, seen int) {
	var line scalefit.Line
	line.Add(x, y, unit, seen)
	f.heads[p.head].Join(line)
	f.texts[p.text].Join(line)
	f.positions[query*len(f.positions)/queries].Join(line)
	f.apart[p.head].rest += line.Rest()
	f.apart[p.head].free += max(0, line.Free-1)
}

// observed is what is seen beside the moments of queries and keys.
type observed struct {
	*Samples
	options         inspect.Options
	byWeights       bool  // logits are not looked at
	logits, weights *fits // of q·k, weights by their logarithms
	softmax         *fits // of the logarithms of weights on logits
	sums            rowSums

	zeroQueries, zeroKeys int
	empty                 int // heads of texts whose queries, or keys, are all 0
	overflow              overflow
}

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

// maxSumError is how far the sum of a row of weights may be from 1, in bfloat16 too.
const maxSumError = 0.01

// overflow counts products of queries and keys that float16 does not hold.
type overflow struct {
	products, beyond, scaled int
	largest                  float64
}

// maxHalf is the largest number of float16.
const maxHalf = 65504

// pairRow is a row of scores, with what the file has of logits and weights.
type pairRow struct {
	query                   int
	keys                    []int
	scores, logits, weights []float64
	sum                     float64 // of weights, those of rows of zeros included
	size                    float64 // length of the query
}

// add looks at the rows of a place.
func (o *observed) add(m meeting) error {
	o.zeroQueries += m.zeroQueries
	o.zeroKeys += m.zeroKeys
	if m.empty {
		o.empty++
	}
	if m.layer.query.array.Type == "F16" || m.layer.key.array.Type == "F16" {
		o.overflow.count(m, o.options.Scale)
	}
	if m.layer.logits+m.layer.weights == "" {
		return nil
	}
	whole := 0.0
	for i := range m.queries {
		r, err := o.row(m, i)
		if err != nil {
			return err
		}
		if r.logits != nil {
			o.logits.add(m.place, o.Queries, r, o.options, o.Dimension)
		}
		if r.weights == nil {
			continue
		}
		whole += r.sum
		o.sums.add(r, m.text, o.blocks)
		if r.logits != nil {
			row, _ := o.softmax.visible(pairRow{query: r.query, keys: r.keys, scores: finite(r.logits), weights: r.weights},
				inspect.Options{Scale: 1}, 1)
			o.softmax.join(m.place, r.query, o.Queries, row.X, row.Y, 0, 0)
		}
		if len(r.keys) == o.Keys && r.sum > 0 {
			o.sums.compare(r, o.options.Scale)
		}
		r.logits = nil
		o.weights.add(m.place, o.Queries, r, o.options, o.Dimension)
	}
	o.sums.byPlace = [2]float64{min(o.sums.byPlace[0], whole), max(o.sums.byPlace[1], whole)}
	return nil
}

// count counts the products of all pairs, unless lengths tell that none is too large.
func (o *overflow) count(m meeting, scale float64) {
	longest := func(v inspect.Vectors) (size float64) {
		for i := range v.Rows {
			size = max(size, elementary.SumOfSquares(v.Row(i)))
		}
		return math.Sqrt(size)
	}
	o.products += m.q.Rows * m.k.Rows
	if longest(m.q)*longest(m.k) <= maxHalf {
		return
	}
	for i := range m.q.Rows {
		for j := range m.k.Rows {
			size := math.Abs(elementary.Dot(m.q.Row(i), m.k.Row(j)))
			o.largest = max(o.largest, size)
			if size > maxHalf {
				o.beyond++
			}
			if float64(size*math.Abs(scale)) > maxHalf {
				o.scaled++
			}
		}
	}
}

// lowest is a logit far below all others, whose weight is 0.
const lowest = 1e38

// finite puts the lowest number in the place of −∞, whose weight is 0.
func finite(xs []float64) []float64 {
	out := slices.Clone(xs)
	for i, x := range out {
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

// compare holds a row of weights against what it should be.
func (s *rowSums) compare(r pairRow, scale float64) {
	want := make([]float64, len(r.keys))
	for j, x := range r.scores {
		want[j] = float64(scale * x)
	}
	if r.logits != nil {
		want = finite(r.logits)
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

// row reads the i-th row of a place: its scores, logits and weights.
func (o *observed) row(m meeting, i int) (r pairRow, err error) {
	start, end := o.rows(m.block, o.Keys)
	r = pairRow{query: m.queries[i], keys: m.keys, scores: make([]float64, m.k.Rows)}
	read := func(from layout4, lowest float64) (row []float64, sum float64) {
		if from.array == nil || err != nil {
			return nil, 0
		}
		matrix, failed := from.matrix(m.text, m.headInLayer())
		if err = failed; err != nil {
			return nil, 0
		}
		matrix.Infinite = true
		row = make([]float64, end-start)
		err = tensor.Read(matrix.Part(r.query, r.query+1, start, end), row)
		sum = elementary.Sum(row)
		for c, key := range m.keys {
			row[c] = row[key-start]
			if err == nil && (row[c] < lowest || math.IsInf(row[c], 1)) {
				err = fmt.Errorf("%s has %v for query %d and key %d, where q·k is %s", from.array.Name, row[c], r.query, key,
					m.product(r.query, c))
				if lowest == 0 {
					err = fmt.Errorf("%w: weights are 0 or more; save logits under the name logits", err)
				}
			}
		}
		return row[:len(m.keys)], sum
	}
	if !o.byWeights {
		r.logits, _ = read(m.layer.logit, math.Inf(-1))
	}
	r.weights, r.sum = read(m.layer.weight, 0)
	for j := range r.scores {
		r.scores[j] = elementary.Dot(m.q.Row(i), m.k.Row(j))
	}
	r.size = math.Sqrt(elementary.SumOfSquares(m.q.Row(i)))
	return r, err
}

// product says how large q·k is, and whether float16 holds it.
func (m meeting) product(query, key int) string {
	score := elementary.Dot(m.q.Row(slices.Index(m.queries, query)), m.k.Row(key))
	if math.Abs(score) > maxHalf {
		return fmt.Sprintf("%.4g: float16 ends at %d; multiply q by the scale before the product", score, maxHalf)
	}
	return fmt.Sprintf("%.4g", score)
}
