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

// studied is a pair of a query and a key.
type studied struct {
	text, query, key int
	x, y             float64 // score and logit
	size             float64 // length of the query
}

// study returns pairs that are not masked, row by row, of a head with the given head of keys.
func (o *observed) study(p place, keyHead int) (all []studied, err error) {
	for text := range min(o.Texts, maxStudiedTexts) {
		p.text, p.block = text, 0
		m, err := o.read(p, keyHead, o.options)
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
			query := m.q.Row(slices.Index(m.queries, r.query))
			for _, j := range visible(r.scores, logits, o.Dimension, nil) {
				if logits[j] != 0 {
					all = append(all, studied{text, r.query, r.keys[j], r.scores[j], logits[j],
						math.Sqrt(sumOfSquares(query))})
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

// sums of squares and products of what is left of scores and logits.
type sums struct{ xx, xy, yy, free float64 }

// eliminate takes constants of rows, and of the groups that label gives, off scores and logits,
// in turns until little changes.
func eliminate(pairs []studied, label func(studied) [2]int) (out sums) {
	rows, groups := make([]int, len(pairs)), make([]int, len(pairs))
	index := func(to []int, label func(studied) [2]int) int {
		seen := map[[2]int]int{}
		for i, p := range pairs {
			name := label(p)
			if _, known := seen[name]; !known {
				seen[name] = len(seen)
			}
			to[i] = seen[name]
		}
		return len(seen)
	}
	counts := [2]int{index(rows, func(p studied) [2]int { return [2]int{p.text, p.query} }), index(groups, label)}
	x, y := make([]float64, len(pairs)), make([]float64, len(pairs))
	for i, p := range pairs {
		x[i], y[i] = p.x, p.y
	}
	const maxTurns = 100
	last := 0.0
	for turn := range maxTurns {
		for side, of := range [][]int{rows, groups} {
			size, means := make([]float64, counts[side]), make([][2]float64, counts[side])
			for i, g := range of {
				size[g]++
				means[g][0] += x[i]
				means[g][1] += y[i]
			}
			for i, g := range of {
				x[i] -= means[g][0] / size[g]
				y[i] -= means[g][1] / size[g]
			}
		}
		now := sumOfSquares(y) + sumOfSquares(x)
		if turn > 0 && math.Abs(now/last-1) < 1e-12 || now == 0 {
			break
		}
		last = now
	}
	return sums{sumOfSquares(x), dot(x, y), sumOfSquares(y), float64(len(pairs) - counts[0] - counts[1])}
}

// bias is an additive bias that is found, with the factor beside it.
type bias struct {
	explained   float64 // part of what the line leaves
	factor, se  float64
	description string
}

// findBias looks for what is added to q·k times a factor: the same at a distance, for a pair in
// all texts, or for a key.
func (o *observed) findBias(of []place) (best bias, err error) {
	kinds := []struct {
		label func(studied) [2]int
		says  string
	}{
		{func(p studied) [2]int { return [2]int{p.key - p.query} }, "the same at every distance of query and key, as of ALiBi and T5"},
		{func(p studied) [2]int { return [2]int{p.query, p.key} }, "the same in all texts, as of BEiT and Swin"},
		{func(p studied) [2]int { return [2]int{p.text, p.key} }, "the same for all queries of a key"},
	}
	line, found := sums{}, make([]sums, len(kinds))
	for _, p := range of[:min(maxStudiedHeads, len(of))] {
		pairs, err := o.study(p, p.keyHead())
		if err != nil {
			return best, err
		}
		line.join(eliminate(pairs, func(studied) [2]int { return [2]int{} }))
		for i, kind := range kinds {
			found[i].join(eliminate(pairs, kind.label))
		}
	}
	for i, s := range found {
		if s.free < line.free/4 || !(s.xx > line.xx/1000) || !(line.rest() > 0) {
			continue
		}
		left := s.rest() / s.free * line.free / line.rest()
		const enough = 0.9
		if explained := 1 - left; explained > best.explained && best.explained < enough {
			best = bias{explained, s.xy / s.xx, math.Sqrt(s.rest() / s.free / s.xx), kinds[i].says}
		}
	}
	return best, nil
}

// join adds the sums of another head.
func (s *sums) join(o sums) {
	s.xx += o.xx
	s.xy += o.xy
	s.yy += o.yy
	s.free += max(0, o.free)
}

// rest is what the line leaves.
func (s sums) rest() float64 { return max(0, s.yy-float64(s.xy*s.xy)/max(tiny, s.xx)) }

// depends reports whether the factor differs between the groups of pairs that label gives, clearly
// and by more than a twentieth.
func depends(pairs []studied, label func(studied) int) bool {
	centred := slices.Clone(pairs)
	for start := 0; start < len(centred); {
		end := start
		for end < len(centred) && centred[end].text == centred[start].text && centred[end].query == centred[start].query {
			end++
		}
		var x, y float64
		for _, p := range centred[start:end] {
			x, y = x+p.x/float64(end-start), y+p.y/float64(end-start)
		}
		for i := start; i < end; i++ {
			centred[i].x -= x
			centred[i].y -= y
		}
		start = end
	}
	groups := map[int]sums{}
	for _, p := range centred {
		s := groups[label(p)]
		s.join(sums{p.x * p.x, p.x * p.y, p.y * p.y, 1})
		groups[label(p)] = s
	}
	const minPairs = 50
	lowest, highest, error2 := math.Inf(1), math.Inf(-1), 0.0
	for _, s := range groups {
		if s.free < minPairs || s.xx == 0 {
			continue
		}
		lowest, highest = min(lowest, s.xy/s.xx), max(highest, s.xy/s.xx)
		error2 = max(error2, s.rest()/s.free/s.xx)
	}
	return highest-lowest > max(float64(surest*math.Sqrt(2*error2)), 0.05*math.Abs(highest))
}

// findCap is the cap c of logits c·tanh(factor·score/c), and that factor.
func (o *observed) findCap(p place) (limit, factor float64, err error) {
	pairs, err := o.study(p, p.keyHead())
	if err != nil || len(pairs) == 0 {
		return 0, 0, err
	}
	size := 0.0
	for _, p := range pairs {
		size = max(size, math.Abs(p.x))
	}
	inside := func(slope float64) sums { // of tanh(slope·score)
		curved := slices.Clone(pairs)
		for i := range curved {
			curved[i].x = elementary.Tanh(float64(slope * curved[i].x))
		}
		return eliminate(curved, func(studied) [2]int { return [2]int{} })
	}
	lo, hi := elementary.Log(0.01/size), elementary.Log(20/size)
	const golden = 0.6180339887498949
	for hi-lo > 1e-9 {
		a, b := hi-golden*(hi-lo), lo+golden*(hi-lo)
		if inside(elementary.Exp(a)).rest() < inside(elementary.Exp(b)).rest() {
			hi = b
		} else {
			lo = a
		}
	}
	slope := elementary.Exp((lo + hi) / 2)
	s := inside(slope)
	return s.xy / s.xx, s.xy / s.xx * slope, nil
}

// isCosine reports whether logits are a multiple of the cosine, as if queries and keys were brought to
// one length after they were saved; and that multiple.
func (o *observed) isCosine(p place) (factor float64, is bool, err error) {
	unit := *o
	unit.options.Length = 1
	pairs, err := unit.study(p, p.keyHead())
	if err != nil || o.options.Length > 0 {
		return 0, false, err
	}
	s := eliminate(pairs, func(studied) [2]int { return [2]int{} })
	return s.xy / s.xx, s.xx > 0 && s.rest() < 1e-3*s.yy, nil
}

// findKeys is the head of keys of its layer that logits of a head go with best, and how well: the
// squared correlation.
func (o *observed) findKeys(p place) (head int, fit float64, err error) {
	for k := range p.layer.key.heads {
		pairs, err := o.study(p, k)
		if err != nil {
			return 0, 0, err
		}
		s := eliminate(pairs, func(studied) [2]int { return [2]int{} })
		if now := 1 - s.rest()/max(tiny, s.yy); now > fit {
			head, fit = k, now
		}
	}
	return head, fit, nil
}
