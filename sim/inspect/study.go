package inspect

import (
	"math"
	"slices"

	"mcsim/sim/elementary"
)

// Studies read a part of the samples again to find out why logits are not a multiple of q·k:
// some rows and keys of some texts.
const (
	maxStudied      = 64 // rows, and keys, of a text
	maxStudiedTexts = 8
	maxStudiedHeads = 16
)

// studied is a pair of a query and a key: its score x and its logit y.
type studied struct {
	text, query, key int
	x, y             float64
	size             float64 // length of the query
}

// study returns pairs that are not masked, row by row, of a head with the given head of keys.
func (o *observed) study(p place, keyHead int, options Options) (all []studied, err error) {
	for text := range min(o.Texts, maxStudiedTexts) {
		p.text, p.block = text, 0
		m, err := o.read(p, keyHead, options)
		if err != nil {
			return nil, err
		}
		m.queries, m.keys = m.queries[:min(maxStudied, len(m.queries))], m.keys[:min(maxStudied, len(m.keys))]
		m.k = Vectors{len(m.keys), m.k.Dimension, m.k.Data[:len(m.keys)*m.k.Dimension]}
		err = o.eachRow(m, func(r pairRow) error {
			logits := r.logits
			if logits == nil {
				logits = logsOf(r.weights, m.layer.weight.array.Type)
			}
			for _, j := range visible(r.scores, logits, o.Dimension, nil) {
				if logits[j] != 0 {
					all = append(all, studied{text, r.query, r.keys[j], r.scores[j], logits[j], r.size})
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// eliminate takes constants of rows, and of the groups that label gives, off scores and logits,
// in turns until little changes, and returns the line through what is left.
func eliminate(pairs []studied, label func(studied) [2]int) fit {
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		x[i], y[i] = p.x, p.y
	}
	rows, countRows := indexBy(pairs, func(p studied) [2]int { return [2]int{p.text, p.query} })
	groups, countGroups := indexBy(pairs, label)
	const maxTurns = 100
	last := 0.0
	for range maxTurns {
		for _, numbers := range [][]float64{x, y} {
			centreGroups(numbers, rows, countRows)
			centreGroups(numbers, groups, countGroups)
		}
		now := sumOfSquares(x) + sumOfSquares(y)
		if math.Abs(now-last) <= 1e-12*now {
			break
		}
		last = now
	}
	free := max(0, len(pairs)-countRows-countGroups+1)
	return fit{xx: sumOfSquares(x), xy: dot(x, y), yy: sumOfSquares(y), free: float64(free)}
}

// byRow eliminates constants of rows only.
func byRow(pairs []studied) fit { return eliminate(pairs, func(studied) [2]int { return [2]int{} }) }

// indexBy numbers the groups that label gives.
func indexBy(pairs []studied, label func(studied) [2]int) (index []int, count int) {
	seen := map[[2]int]int{}
	for _, p := range pairs {
		name := label(p)
		if _, known := seen[name]; !known {
			seen[name] = len(seen)
		}
		index = append(index, seen[name])
	}
	return index, len(seen)
}

// centreGroups takes the mean of each group off its numbers.
func centreGroups(xs []float64, index []int, count int) {
	sizes, sums := make([]float64, count), make([]float64, count)
	for i, g := range index {
		sizes[g]++
		sums[g] += xs[i]
	}
	for i, g := range index {
		xs[i] -= sums[g] / sizes[g]
	}
}

// bias is an additive bias that is found, with the factor beside it.
type bias struct {
	explained  float64 // part of what the line leaves
	factor, se float64
	says       string
}

// biases are kinds of biases, by what they are the same for.
var biases = []struct {
	label func(studied) [2]int
	says  string
}{
	{func(p studied) [2]int { return [2]int{p.key - p.query} }, "the same at every distance of query and key, as of ALiBi and T5"},
	{func(p studied) [2]int { return [2]int{p.query, p.key} }, "the same in all texts, as of BEiT and Swin"},
	{func(p studied) [2]int { return [2]int{p.text, p.key} }, "the same for all queries of a key"},
}

// findBias looks for what is added to q·k times a factor.
func (o *observed) findBias() (best bias, err error) {
	var line fit
	found := make([]fit, len(biases))
	for _, p := range o.places()[:min(maxStudiedHeads, o.Heads)] {
		pairs, err := o.study(p, p.keyHead(), o.options)
		if err != nil {
			return best, err
		}
		line.join(byRow(pairs))
		for i, kind := range biases {
			found[i].join(eliminate(pairs, kind.label))
		}
	}
	const enough = 0.9
	for i, f := range found {
		if f.free < line.free/4 || f.xx < line.xx/1000 || line.rest() == 0 {
			continue
		}
		explained := 1 - f.rest()/f.free*line.free/line.rest()
		if explained > best.explained && best.explained < enough {
			best = bias{explained, f.slope(), f.se(), biases[i].says}
		}
	}
	return best, nil
}

// depends reports whether the factor differs between the groups of pairs that label gives, clearly
// and by more than a twentieth.
func depends(pairs []studied, label func(studied) int) bool {
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		x[i], y[i] = p.x, p.y
	}
	rows, count := indexBy(pairs, func(p studied) [2]int { return [2]int{p.text, p.query} })
	centreGroups(x, rows, count)
	centreGroups(y, rows, count)
	groups := map[int]*fit{}
	for i, p := range pairs {
		group := label(p)
		if groups[group] == nil {
			groups[group] = &fit{}
		}
		groups[group].join(fit{xx: float64(x[i] * x[i]), xy: float64(x[i] * y[i]), yy: float64(y[i] * y[i]), free: 1})
	}
	const minPairs = 50
	lowest, highest, se := math.Inf(1), math.Inf(-1), 0.0
	for _, f := range groups {
		if f.free >= minPairs && f.xx > 0 {
			lowest, highest, se = min(lowest, f.slope()), max(highest, f.slope()), max(se, f.se())
		}
	}
	return highest-lowest > max(float64(surest*math.Sqrt2*se), 0.05*math.Abs(highest))
}

// findCap is the cap c of logits c·tanh(factor·score/c), and that factor.
func (o *observed) findCap(p place) (limit, factor float64, err error) {
	pairs, err := o.study(p, p.keyHead(), o.options)
	if err != nil || len(pairs) == 0 {
		return 0, 0, err
	}
	size := 0.0
	for _, p := range pairs {
		size = max(size, math.Abs(p.x))
	}
	curved := func(slope float64) fit { // by tanh(slope·score)
		all := slices.Clone(pairs)
		for i := range all {
			all[i].x = elementary.Tanh(float64(slope * all[i].x))
		}
		return byRow(all)
	}
	lo, hi := elementary.Log(0.01/size), elementary.Log(20/size)
	const golden = 0.6180339887498949
	for hi-lo > 1e-6 {
		a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
		if curved(elementary.Exp(a)).rest() < curved(elementary.Exp(b)).rest() {
			hi = b
		} else {
			lo = a
		}
	}
	slope := elementary.Exp((lo + hi) / 2)
	limit = curved(slope).slope()
	return limit, limit * slope, nil
}

// findKeys is the head of keys of its layer that logits of a head go with best, and how well: the
// squared correlation.
func (o *observed) findKeys(p place) (head int, square float64, err error) {
	for k := range p.layer.key.heads {
		pairs, err := o.study(p, k, o.options)
		if err != nil {
			return 0, 0, err
		}
		if f := byRow(pairs); f.yy > 0 && 1-f.rest()/f.yy > square {
			head, square = k, 1-f.rest()/f.yy
		}
	}
	return head, square, nil
}
