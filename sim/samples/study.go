package samples

import (
	"math"
	"slices"

	"mcsim/sim/elementary"
	"mcsim/sim/inspect"
	"mcsim/sim/scalefit"
)

// Studies read a part of the samples again to find out why logits are not a multiple of q·k:
// some rows and keys of some texts.
const (
	maxStudied      = 64 // rows, and keys, of a text
	maxStudiedTexts = 8
	maxStudiedHeads = 16
)

// study returns pairs that are not masked, row by row, of a head with the given head of keys.
func (o *observed) study(p place, keyHead int, options inspect.Options) (all []scalefit.Pair, err error) {
	for text := range min(o.Texts, maxStudiedTexts) {
		p.text, p.block = text, 0
		m, err := o.read(p, keyHead, options)
		if err != nil {
			return nil, err
		}
		m.queries, m.keys = m.queries[:min(maxStudied, len(m.queries))], m.keys[:min(maxStudied, len(m.keys))]
		m.k = inspect.Vectors{Rows: len(m.keys), Dimension: m.k.Dimension, Data: m.k.Data[:len(m.keys)*m.k.Dimension]}
		err = o.eachRow(m, func(r pairRow) error {
			logits := r.logits
			if logits == nil {
				logits = logsOf(r.weights)
			}
			for _, j := range scalefit.Visible(r.scores, logits, o.Dimension, nil) {
				if logits[j] != 0 || r.logits == nil {
					all = append(all, scalefit.Pair{Text: text, Query: r.query, Key: r.keys[j],
						X: r.scores[j], Y: logits[j], Size: r.size})
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

// bias is an additive bias that is found, with the factor beside it.
type bias struct {
	explained  float64 // part of what the line leaves
	factor, se float64
	says       string
}

// findBias looks for what is added to q·k times a factor.
func (o *observed) findBias() (best bias, err error) {
	var line scalefit.Line
	found := make([]scalefit.Line, len(scalefit.Biases))
	for _, p := range o.places()[:min(maxStudiedHeads, o.Heads)] {
		pairs, err := o.study(p, p.keyHead(), o.options)
		if err != nil {
			return best, err
		}
		line.Join(scalefit.ByRow(pairs))
		for i, kind := range scalefit.Biases {
			found[i].Join(scalefit.Eliminate(pairs, kind.Label))
		}
	}
	const enough = 0.9
	for i, f := range found {
		if f.Free < line.Free/4 || f.XX < line.XX/1000 || line.Rest() == 0 {
			continue
		}
		explained := 1 - f.Rest()/f.Free*line.Free/line.Rest()
		if explained > best.explained && best.explained < enough {
			best = bias{explained, f.Slope(), f.SE(), scalefit.Biases[i].Says}
		}
	}
	return best, nil
}

// findCap is the cap c of logits c·tanh(factor·score/c), and that factor.
func (o *observed) findCap(p place) (limit, factor float64, err error) {
	pairs, err := o.study(p, p.keyHead(), o.options)
	if err != nil || len(pairs) == 0 {
		return 0, 0, err
	}
	size := 0.0
	for _, p := range pairs {
		size = max(size, math.Abs(p.X))
	}
	curved := func(slope float64) scalefit.Line { // by tanh(slope·score)
		all := slices.Clone(pairs)
		for i := range all {
			all[i].X = elementary.Tanh(float64(slope * all[i].X))
		}
		return scalefit.ByRow(all)
	}
	lo, hi := elementary.Log(0.01/size), elementary.Log(20/size)
	const golden = 0.6180339887498949
	for hi-lo > 1e-6 {
		a, b := hi-float64(golden*(hi-lo)), lo+float64(golden*(hi-lo))
		if curved(elementary.Exp(a)).Rest() < curved(elementary.Exp(b)).Rest() {
			hi = b
		} else {
			lo = a
		}
	}
	slope := elementary.Exp((lo + hi) / 2)
	limit = curved(slope).Slope()
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
		if f := scalefit.ByRow(pairs); f.YY > 0 && 1-f.Rest()/f.YY > square {
			head, square = k, 1-f.Rest()/f.YY
		}
	}
	return head, square, nil
}
