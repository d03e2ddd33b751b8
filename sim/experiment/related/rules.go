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

// Rules measures the variance of the logit under each rule for the same queries and keys, and
// whether the variance is flat, which means that it does not depend on d_k.
//
// Rules that use q·k and the lengths of the vectors share the pairs of a block. An additive rule
// has weights, and logits with the same weights depend on each other. For each additive rule a
// block therefore samples sixteen sets of weights, each with a few pairs, and the standard error
// comes from the scatter of sets.
var Rules = experiment.New(experiment.Experiment{
	Name: names.ExperimentRules,
	Axes: []experiment.Axis{experiment.DistributionAxis, experiment.DimensionAxis, rows.KeysAxis,
		rows.AllRulesAxis},
	Unit:      names.UnitPair,
	Probeable: true,
	ProbeFlag: names.ParamRule,
	Sampler: &experiment.Sampler{
		BlockUnits: rulesBlockUnits,
		Cost:       costPerPair,
		Columns:    rulesColumns,
		Pilot:      experiment.NewPilot(rulesPilotPairs),
		// The rules determine the columns of a node.
		Contents: func(c experiment.Cell) string { return fmt.Sprint(cellRules(c)) },
		Open:     openRules,
		Headline: names.LogitVariance,
		MinUnits: minRulesPairs,
	},
	Reader: experiment.Reader{
		Estimates: ruleEstimates,
		Finish:    finishRules,
		HeadlineEstimate: func(c experiment.Cell) (string, result.Params) {
			return names.LogitVariance, result.Params{names.ParamRule: headlineRule(c)}
		},
	},
	Judge: experiment.Judge{Refuse: refuseRules, Checks: newVarianceChecks, JointChecks: newSlopeChecks},
})

// minRulesPairs is the smallest number of pairs. With this number, an additive rule has about a
// thousand sets of weights, and the relative standard error of a variance is about 0.6 %.
const minRulesPairs = 1 << 16

// rulesBlockUnits returns the number of pairs of a block. Since each block also samples the weights
// of additive rules, a block has 1024 pairs unless d_k is large.
func rulesBlockUnits(c experiment.Cell) int64 {
	const maxComponents, maxPairs = 1 << 22, 1024
	pairs := int64(maxComponents) / int64(c.Dimension()) / kernel.Width * kernel.Width
	return min(max(pairs, kernel.Width), maxPairs)
}

// rulesPilotPairs is the number of pairs of the pilot, which predicts how well standard errors will
// be known. The pilot has about sixty sets of weights of an additive rule.
const rulesPilotPairs = 4096

// cellRules returns the rules of the cell.
func cellRules(c experiment.Cell) []rule.Rule {
	return names.Map(c.Shared[rows.AllRulesAxis.Name], rows.RuleOf)
}

// headlineRule returns the division by √d_k, the default of the rule power, if it is among the
// cell's rules, and otherwise the first rule.
func headlineRule(c experiment.Cell) string {
	rules, root := cellRules(c), rows.RuleOf(experiment.AxisValue{Name: names.RulePower})
	if slices.Contains(rules, root) {
		return root.String()
	}
	return rules[0].String()
}

// columnRules returns the rules of the cell that do more than multiply the score by a number. Each
// of them has its own column, in this order.
func columnRules(c experiment.Cell) []rule.Rule {
	return slices.DeleteFunc(cellRules(c), func(r rule.Rule) bool {
		_, ok := r.Factor(c.Dimension(), rows.Keys(c))
		return ok
	})
}

// costPerPair returns the cost of a pair including the weights, in sampled components.
func costPerPair(c experiment.Cell) float64 {
	d := float64(c.Dimension())
	const (
		pairCost     = 2.4 // of two components and their products
		rotationCost = 2   // of the rotation of a component
		logitCost    = 20  // of a logit from the products
	)
	cost := float64(pairCost * d)
	for _, r := range cellRules(c) {
		switch {
		case r.IsAdditive():
			cost += additiveCost(d, float64(r.HiddenUnits(c.Dimension()))) / float64(rulesBlockUnits(c))
		case r.NeedsRotation():
			cost += float64(rotationCost * d)
		default:
			cost += logitCost
		}
	}
	return math.Round(cost)
}

// rulesColumns returns the columns: the score for all rules that multiply it by a number, and one
// for each of columnRules. Such a column has the squared logits of pairs, or for an additive rule
// the mean squared logit of each set of weights.
func rulesColumns(c experiment.Cell) []experiment.Column {
	columns := []experiment.Column{{Name: "score", Order: 2}}
	for _, r := range columnRules(c) {
		column := experiment.Column{Name: r.String(), Order: experiment.ErrorOrder}
		if r.IsAdditive() {
			column.PerBlock = kernel.Width
		}
		columns = append(columns, column)
	}
	return columns
}

// maxWeights limits the number of weights in W_q or W_k of an additive rule, of which each block
// samples sixteen sets. maxAdditiveDimension limits d_k, since whole vectors are in memory.
const maxWeights, maxAdditiveDimension = 1 << 24, 1 << 14

// refuseRules refuses vectors and weights that need too much memory. It also refuses gates on
// distributions with power-law tails: single products could move the slopes, since the numbers of
// pairs are not planned to prevent this at each d_k.
func refuseRules(c experiment.Cell, gated bool) error {
	d := c.Dimension()
	if err := experiment.RefusePowerTail(c, gated); err != nil {
		return err
	}
	if !c.Distribution().HasIndependentComponents() && d > rows.MaxSharedComponents {
		return experiment.DimensionAxis.Errorf("vectors of the distribution %v must be in memory whole; "+
			"d_k is at most 2^18", c.Distribution())
	}
	for _, r := range cellRules(c) {
		if !r.IsAdditive() {
			continue
		}
		if d > maxAdditiveDimension || d*r.HiddenUnits(d) > maxWeights {
			return experiment.DimensionAxis.Errorf("%v has %d × %d weights for a query and as many for a key; at most "+
				"2^24 are sampled, and d_k is at most 2^14", r, r.HiddenUnits(d), d)
		}
	}
	return nil
}

// openRules returns the function that samples the pairs of a block, and then a set of weights in
// each lane for every additive rule.
func openRules(c experiment.Cell) experiment.BlockFunc {
	sampler, rules := newPairSampler(c), columnRules(c)
	collector := &logitCollector{rules: rules, d: c.Dimension(), keys: rows.Keys(c),
		squares: make([][]float64, len(rules))}
	additive := map[int]*additiveSampler{} // by index in rules
	for i, r := range rules {
		if r.IsAdditive() {
			additive[i] = newAdditiveSampler(c, r)
		}
	}
	return func(b *experiment.BlockStream) moments.Node {
		for range rulesBlockUnits(c) / kernel.Width {
			sampler.sample(&b.Lanes)
			collector.add(sampler)
		}
		for i := range rules {
			if a := additive[i]; a != nil {
				meanSquares := a.sample(&b.Lanes)
				collector.squares[i] = append(collector.squares[i], meanSquares[:]...)
			}
		}
		return collector.takeNode()
	}
}

// pairSampler samples sixteen pairs at a time, and computes their scores and squared lengths.
type pairSampler struct {
	d, chunk                         int // number of components of a vector, and of those held at a time
	sampleVectors                    func(*stream.Lanes, [][kernel.Width]float32)
	q, k                             [][kernel.Width]float32
	scores, querySquares, keySquares [1][kernel.Width]float32

	rotation      *rule.Rotation // rotates keys; nil if no rule needs it
	rotatedKeys   [][kernel.Width]float32
	rotatedScores [1][kernel.Width]float32 // scores with rotated keys
}

func newPairSampler(c experiment.Cell) *pairSampler {
	p := &pairSampler{d: c.Dimension(), chunk: c.Dimension(), sampleVectors: kernel.Vectors(c.Distribution())}
	if c.Distribution().HasIndependentComponents() {
		p.chunk = min(p.d, pairChunk)
	}
	p.q, p.k = make([][kernel.Width]float32, p.chunk), make([][kernel.Width]float32, p.chunk)
	if slices.ContainsFunc(cellRules(c), rule.Rule.NeedsRotation) {
		r := rule.NewRotation(p.d)
		p.rotation, p.rotatedKeys = &r, make([][kernel.Width]float32, p.chunk)
	}
	return p
}

// pairChunk is the number of components of each vector that are sampled at a time. The components
// of sixteen pairs then need half a megabyte.
const pairChunk = 1 << 12

// sample samples sixteen pairs, one chunk of their components after the other.
func (p *pairSampler) sample(lanes *stream.Lanes) {
	clear(p.scores[:])
	clear(p.querySquares[:])
	clear(p.keySquares[:])
	clear(p.rotatedScores[:])
	for first := 0; first < p.d; first += p.chunk {
		width := min(p.chunk, p.d-first)
		q, k := p.q[:width], p.k[:width]
		p.sampleVectors(lanes, q)
		p.sampleVectors(lanes, k)
		kernel.Dots(q, k, p.scores[:])
		kernel.Dots(q, q, p.querySquares[:])
		kernel.Dots(k, k, p.keySquares[:])
		if p.rotation != nil {
			p.rotation.Rotate(k, p.rotatedKeys[:width], first)
			kernel.Dots(q, p.rotatedKeys[:width], p.rotatedScores[:])
		}
	}
}

// logitCollector collects the scores of pairs and their squared logits under each rule.
type logitCollector struct {
	rules   []rule.Rule // columnRules
	d, keys int
	scores  []float64
	squares [][]float64 // squared logits under each rule; for an additive rule, their means over sets of weights
}

// add adds sixteen pairs under all rules except additive ones, which sample their own pairs.
func (l *logitCollector) add(p *pairSampler) {
	for lane := range kernel.Width {
		pair := rule.Pair{Score: float64(p.scores[0][lane]), QuerySquare: float64(p.querySquares[0][lane]),
			KeySquare: float64(p.keySquares[0][lane]), RotatedScore: float64(p.rotatedScores[0][lane]), D: l.d,
			Keys: l.keys}
		l.scores = append(l.scores, pair.Score)
		for i, r := range l.rules {
			if !r.IsAdditive() {
				x := r.Logit(&pair)
				l.squares[i] = append(l.squares[i], float64(x*x))
			}
		}
	}
}

// takeNode returns the node of the collected pairs, and clears the collector.
func (l *logitCollector) takeNode() moments.Node {
	n := moments.Node{Moments: []moments.Moments{moments.New(l.scores, 2)}}
	for i, squares := range l.squares {
		n.Moments = append(n.Moments, moments.New(squares, experiment.ErrorOrder))
		l.squares[i] = squares[:0]
	}
	l.scores = l.scores[:0]
	return n
}
