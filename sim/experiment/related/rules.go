package related

import (
	"fmt"
	"math"
	"slices"

	"mcsim/sim/attention/rule"
	"mcsim/sim/base/moments"
	"mcsim/sim/base/stream"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/rows"
	"mcsim/sim/kernel"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Rules measures the variance of the logit that each rule makes of the same
// queries and keys, over d_k, and whether it is flat.
//
// A pair tells all rules that use q·k and the lengths of the vectors what they
// need. An additive rule has weights of its own, and the logits of one draw of
// the weights depend on each other: it draws sixteen sets of weights a block,
// each with a few pairs, and its errors come from the sets.
var Rules = experiment.New(experiment.Experiment{
	Name: names.ExperimentRules,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, rows.KeysAxis,
		rows.AllRulesAxis},
	Unit:      names.UnitPair,
	Probeable: true,
	ProbeFlag: names.ParamRule,
	Sampler: &experiment.Sampler{
		BlockUnits: rulesUnits,
		Cost:       rulesCost,
		Columns:    rulesColumns,
		Pilot:      experiment.NewPilot(rulesPilot),
		// which decide what columns nodes have
		Contents: func(c experiment.Cell) string { return fmt.Sprint(rules(c)) },
		Open:     openRules,
		Headline: names.LogitVariance,
		MinUnits: rulesFloor,
	},
	Reader: experiment.Reader{
		Estimates: rulesEstimates,
		Finish:    finishRules,
		HeadlineRow: func(c experiment.Cell) (string, result.Params) {
			return names.LogitVariance, result.Params{names.ParamRule: chosenRule(c)}
		},
	},
	Judge: experiment.Judge{Refuse: refuseRules, Checks: ruleChecks, JointChecks: rulesChecks},
})

// rulesFloor draws a thousand sets of weights, and knows a variance to 0.6 %.
const rulesFloor = 1 << 16

// rulesUnits does not fall with d_k, as in other experiments, since each block
// also draws weights.
func rulesUnits(c experiment.Cell) int64 {
	pairs := int64(1<<22) / int64(c.Dimension()) / kernel.Width * kernel.Width
	return min(max(pairs, kernel.Width), 1024)
}

// rulesPilot is how many pairs say whether the others will know their own errors; of an
// additive rule they meet some sixty sets of weights.
const rulesPilot = 4096

// rules returns the rules of the cell.
func rules(c experiment.Cell) []rule.Rule {
	return names.Map(c.Shared[rows.AllRulesAxis.Name], rows.RuleOf)
}

// chosenRule returns the division by √d_k, which power is by itself, where that is among the
// cell's rules, else the first.
func chosenRule(c experiment.Cell) string {
	all, root := rules(c), rows.RuleOf(experiment.AxisValue{Name: names.RulePower})
	if slices.Contains(all, root) {
		return root.String()
	}
	return all[0].String()
}

// own returns the rules of the cell that do more than multiply the score by a number: each has a
// column of its own, in their order.
func own(c experiment.Cell) []rule.Rule {
	return slices.DeleteFunc(rules(c), func(r rule.Rule) bool {
		_, ok := r.Factor(c.Dimension(), rows.Keys(c))
		return ok
	})
}

// rulesCost returns what a pair costs, in drawn components, weights included.
func rulesCost(c experiment.Cell) float64 {
	d := float64(c.Dimension())
	cost := float64(2.4 * d)
	for _, r := range rules(c) {
		switch {
		case r.IsAdditive():
			cost += additiveCost(d, float64(r.HiddenUnits(c.Dimension()))) / float64(rulesUnits(c))
		case r.NeedsRotation():
			cost += float64(2 * d)
		default:
			cost += 20
		}
	}
	return math.Round(cost)
}

// rulesColumns: the score for all rules that multiply it by a number, and the
// square of the logit for each other rule, of an additive one its mean over the
// pairs of a set of weights.
func rulesColumns(c experiment.Cell) []experiment.Column {
	columns := []experiment.Column{{Name: "score", Order: 2}}
	for _, r := range own(c) {
		columns = append(columns, experiment.Column{Name: r.String(), Order: experiment.ErrorOrder})
	}
	return columns
}

// maxWeights bounds the weights of an additive rule, of which each block draws
// sixteen sets, and maxAdditive their d_k, since whole vectors are held.
const maxWeights, maxAdditive = 1 << 24, 1 << 14

// refuseRules refuses vectors and weights that are too large to be held, and gates on distributions
// whose tails fall like a power: the gates are on slopes, and nothing else asks for as many
// pairs at each d_k as keep single products from moving them.
func refuseRules(c experiment.Cell, gated bool) error {
	d := c.Dimension()
	if err := experiment.RefusePowerTail(c, gated); err != nil {
		return err
	}
	if !c.Distribution().HasIndependentComponents() && d > rows.MaxSharedComponents {
		return experiment.DimensionAxis.Errorf("vectors of the distribution %v must be held whole; d_k is at most 2^18",
			c.Distribution())
	}
	for _, r := range rules(c) {
		if r.IsAdditive() && (d > maxAdditive || d*r.HiddenUnits(d) > maxWeights) {
			return experiment.DimensionAxis.Errorf("%v has %d × %d weights for a query and as many for a key; at most "+
				"2^24 are drawn, and d_k is at most 2^14", r, r.HiddenUnits(d), d)
		}
	}
	return nil
}

// openRules draws the pairs of a block, then a set of weights in each lane for every
// additive rule.
func openRules(c experiment.Cell) experiment.BlockFunc {
	pairs, all := newPairs(c), own(c)
	collect := &logits{rules: all, d: c.Dimension(), keys: rows.Keys(c), squares: make([][]float64, len(all))}
	additive := map[int]*additiveLogits{}
	for i, r := range all {
		if r.IsAdditive() {
			additive[i] = newAdditive(c, r)
		}
	}
	return func(draw *experiment.BlockStream) moments.Node {
		for range rulesUnits(c) / kernel.Width {
			pairs.draw(&draw.Lanes)
			collect.add(pairs)
		}
		for i := range all {
			if a := additive[i]; a != nil {
				square := a.draw(&draw.Lanes)
				collect.squares[i] = append(collect.squares[i], square[:]...)
			}
		}
		return collect.node()
	}
}

// pairs draws sixteen pairs at a time: their scores and the squares of their
// lengths.
type pairs struct {
	d, chunk      int
	vectors       func(*stream.Lanes, [][kernel.Width]float32)
	q, k          [][kernel.Width]float32
	score, qq, kk [1][kernel.Width]float32

	rotation *rule.Rotation // of keys, nil where no rule asks for it
	turned   [][kernel.Width]float32
	rotated  [1][kernel.Width]float32 // scores with turned keys
}

// newPairs returns the scratch of a worker.
func newPairs(c experiment.Cell) *pairs {
	p := &pairs{d: c.Dimension(), chunk: c.Dimension(), vectors: kernel.Vectors(c.Distribution())}
	if c.Distribution().HasIndependentComponents() {
		p.chunk = min(p.d, pairChunk)
	}
	p.q, p.k = make([][kernel.Width]float32, p.chunk), make([][kernel.Width]float32, p.chunk)
	if slices.ContainsFunc(rules(c), rule.Rule.NeedsRotation) {
		r := rule.NewRotation(p.d)
		p.rotation, p.turned = &r, make([][kernel.Width]float32, p.chunk)
	}
	return p
}

// pairChunk is how many components of each vector are drawn at a time: half a
// megabyte of both.
const pairChunk = 1 << 12

// draw draws sixteen pairs, chunk by chunk of their components.
func (p *pairs) draw(lanes *stream.Lanes) {
	clear(p.score[:])
	clear(p.qq[:])
	clear(p.kk[:])
	clear(p.rotated[:])
	for first := 0; first < p.d; first += p.chunk {
		width := min(p.chunk, p.d-first)
		q, k := p.q[:width], p.k[:width]
		p.vectors(lanes, q)
		p.vectors(lanes, k)
		kernel.Dots(q, k, p.score[:])
		kernel.Dots(q, q, p.qq[:])
		kernel.Dots(k, k, p.kk[:])
		if p.rotation != nil {
			p.rotation.Rotate(k, p.turned[:width], first)
			kernel.Dots(q, p.turned[:width], p.rotated[:])
		}
	}
}

// logits collects what rules make of pairs.
type logits struct {
	rules   []rule.Rule // that are more than a factor
	d, keys int
	scores  []float64
	squares [][]float64 // of each rule; of an additive one the means over sets of weights
}

// add takes sixteen pairs. Additive rules draw pairs of their own.
func (l *logits) add(p *pairs) {
	for lane := range kernel.Width {
		pair := rule.Pair{Score: float64(p.score[0][lane]), QuerySquare: float64(p.qq[0][lane]),
			KeySquare: float64(p.kk[0][lane]), RotatedScore: float64(p.rotated[0][lane]), D: l.d, Keys: l.keys}
		l.scores = append(l.scores, pair.Score)
		for i, r := range l.rules {
			if !r.IsAdditive() {
				x := r.Logit(&pair)
				l.squares[i] = append(l.squares[i], float64(x*x))
			}
		}
	}
}

// node returns what was collected, and starts again.
func (l *logits) node() moments.Node {
	n := moments.Node{Moments: []moments.Moments{moments.New(l.scores, 2)}}
	for i, squares := range l.squares {
		n.Moments = append(n.Moments, moments.New(squares, experiment.ErrorOrder))
		l.squares[i] = squares[:0]
	}
	l.scores = l.scores[:0]
	return n
}
