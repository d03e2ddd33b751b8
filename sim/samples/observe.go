package samples

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/attention"
	"mcsim/sim/elementary"
	"mcsim/sim/inspect"
	"mcsim/sim/scalefit"
	"mcsim/sim/tensor"
)

// fits are lines of logits on q·k, by head and by the place of the query among all.
type fits struct {
	heads     []scalefit.Line
	units     []float64 // what scores of a head are divided by for their cubes
	positions [64]scalefit.Line
	pairs     int
	masked    int // pairs that are left out
	zeros     int // pairs whose logit is 0, and whose score is not
	ahead     int // those of them whose key is behind the query
}

// newFits has room for all heads.
func (s *Samples) newFits() *fits {
	return &fits{heads: make([]scalefit.Line, s.Heads), units: make([]float64, s.Heads)}
}

// add adds the logits of a row, in the place of its query among so many.
func (f *fits) add(head, queries int, r pairRow, logits []float64, dimension int) {
	f.pairs += len(logits)
	keys := scalefit.Visible(r.scores, logits, dimension, nil)
	if len(keys) < 2 {
		f.masked += len(logits) - len(keys)
		return
	}
	seen := len(keys)
	if r.logits == nil { // small weights are left out, and yet seen
		seen = len(logits) - countZeros(r.weights)
	}
	var x, y []float64
	for _, j := range keys {
		if r.logits != nil && logits[j] == 0 && r.scores[j] != 0 {
			f.zeros++
			if r.keys[j] > r.query {
				f.ahead++
			}
			continue
		}
		x, y = append(x, r.scores[j]), append(y, logits[j])
	}
	f.masked += len(logits) - len(keys)
	if len(y) == 0 || slices.Min(y) == slices.Max(y) { // all are masked, or there is one
		f.masked += len(y)
		return
	}
	if f.units[head] == 0 {
		f.units[head] = math.Sqrt(inspect.SumOfSquares(x) / float64(len(x)))
	}
	var row scalefit.Line
	row.Add(x, y, f.units[head], seen)
	f.heads[head].Join(row)
	f.positions[r.query*len(f.positions)/queries].Join(row)
}

// observed is what is seen beside the moments of queries and keys.
type observed struct {
	*Samples
	options         inspect.Options
	logits, weights *fits // of q·k, weights by their logarithms
	softmax         *fits // of the logarithms of weights on logits
	sums            rowSums

	zeroQueries, zeroKeys int
	empty                 int // heads of texts whose queries, or keys, are all 0
	overflow              overflow
}

// rowSums are what rows of weights sum to.
type rowSums struct {
	rows, wrong int
	lo, hi      float64
	apart       float64 // the largest difference to softmax(logits)
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
	if m.layer.query.array.Type == "F16" && m.layer.key.array.Type == "F16" {
		o.overflow.count(m, o.options.Scale)
	}
	if m.layer.logits+m.layer.weights == "" {
		return nil
	}
	return o.eachRow(m, func(r pairRow) error {
		if r.logits != nil {
			o.logits.add(m.head, o.Queries, r, r.logits, o.Dimension)
		}
		if r.weights == nil {
			return nil
		}
		if o.blocks == 1 {
			o.sums.add(r.sum)
		}
		logs := logsOf(r.weights)
		if r.logits == nil {
			o.weights.add(m.head, o.Queries, r, logs, o.Dimension)
		} else if len(r.keys) == o.Keys {
			o.sums.compare(r)
			o.softmax.add(m.head, o.Queries, pairRow{query: r.query, keys: r.keys, scores: finite(r.logits)}, logs, 1)
		}
		return nil
	})
}

// count counts the products of all pairs, unless lengths tell that none is too large.
func (o *overflow) count(m meeting, scale float64) {
	longest := func(v inspect.Vectors) (size float64) {
		for i := range v.Rows {
			size = max(size, inspect.SumOfSquares(v.Row(i)))
		}
		return math.Sqrt(size)
	}
	o.products += m.q.Rows * m.k.Rows
	if longest(m.q)*longest(m.k) <= maxHalf {
		return
	}
	for i := range m.q.Rows {
		for j := range m.k.Rows {
			size := math.Abs(inspect.Dot(m.q.Row(i), m.k.Row(j)))
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

// add adds the sum of a row of weights.
func (s *rowSums) add(sum float64) {
	if s.rows == 0 {
		s.lo, s.hi = sum, sum
	}
	s.rows++
	s.lo, s.hi = min(s.lo, sum), max(s.hi, sum)
	if math.Abs(sum-1) > maxSumError {
		s.wrong++
	}
}

// compare holds a row of weights against softmax of its logits.
func (s *rowSums) compare(r pairRow) {
	want := finite(r.logits)
	attention.Softmax(want)
	for j, w := range r.weights {
		s.apart = max(s.apart, math.Abs(w-want[j]))
	}
}

// eachRow reads the logits and weights of a place and calls visit with each row.
func (s *Samples) eachRow(m meeting, visit func(pairRow) error) error {
	start, end := s.rows(m.block, s.Keys)
	read := func(from layout4, query int, lowest float64) (row []float64, sum float64, err error) {
		if from.array == nil {
			return nil, 0, nil
		}
		matrix, err := from.matrix(m.text, m.headInLayer())
		if err != nil {
			return nil, 0, err
		}
		matrix.Infinite = true
		row = make([]float64, end-start)
		err = tensor.Read(matrix.Part(query, query+1, start, end), row)
		sum = inspect.Sum(row)
		for i, key := range m.keys {
			row[i] = row[key-start]
			if err == nil && (row[i] < lowest || math.IsInf(row[i], 1)) {
				err = fmt.Errorf("%s has %v for query %d and key %d, where q·k is %s", from.array.Name, row[i], query, key,
					m.product(query, i))
			}
		}
		return row[:len(m.keys)], sum, err
	}
	scores := make([]float64, m.k.Rows)
	for i, query := range m.queries {
		logits, _, err := read(m.layer.logit, query, math.Inf(-1))
		if err != nil {
			return err
		}
		weights, sum, err := read(m.layer.weight, query, 0)
		if err != nil {
			return err
		}
		for j := range scores {
			scores[j] = inspect.Dot(m.q.Row(i), m.k.Row(j))
		}
		size := math.Sqrt(inspect.SumOfSquares(m.q.Row(i)))
		if err := visit(pairRow{query, m.keys, scores, logits, weights, sum, size}); err != nil {
			return err
		}
	}
	return nil
}

// product says how large q·k is, and whether float16 holds it.
func (m meeting) product(query, key int) string {
	score := inspect.Dot(m.q.Row(slices.Index(m.queries, query)), m.k.Row(key))
	if math.Abs(score) > maxHalf {
		return fmt.Sprintf("%.4g: float16 ends at %d; multiply q by the scale before the product", score, maxHalf)
	}
	return fmt.Sprintf("%.4g", score)
}
