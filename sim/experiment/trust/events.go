package trust

import (
	"math"

	"mcsim/sim/base/elementary"
	"mcsim/sim/base/moments"
	"mcsim/sim/experiment"
	"mcsim/sim/experiment/scores"
	"mcsim/sim/names"
	"mcsim/sim/result"
	"mcsim/sim/statistics/gate"
	"mcsim/sim/statistics/theory"
)

// calibratedRates are the α and β at which gates are counted. Rarer events,
// such as the one in a million of the default plan, cannot be.
var calibratedRates = []float64{0.05, 0.01, 0.001}

// gateEvent is a wrong verdict that runs are counted by: not passing although
// the truth is where theory says, with the band just as wide as the plan of
// samples makes it for n pairs, or passing although the band has been moved so
// that the truth lies on one of its edges.
type gateEvent struct {
	quantity string // false_fail or false_pass
	gate     string
	edge     string // of the band next to the truth; empty if the truth is its middle
	rate     float64
	claimed  bool // the gate promises the rate there

	check gate.Check
	value func(moments.Moments) float64
	n     int64
	se    float64
	z     float64 // of the gate's interval
	band  [2]float64
}

// params returns those of the event's row and gate, beside the cell's.
func (e gateEvent) params() result.Params {
	p := result.Params{"gate": e.gate, "rate": e.rate}
	if e.edge != "" {
		p["edge"] = e.edge
	}
	return p
}

// eventGates are the names of the gates on the rates of events.
var eventGates = map[string]string{names.FalseFail: "false fails", names.FalsePass: "false passes"}

// happens reports whether a run with these moments is judged wrongly.
func (e gateEvent) happens(m moments.Moments) bool {
	lo, hi := e.check.Interval(e.value(m), e.se, e.n, e.z)
	passes := e.check.Verdict(lo, hi, e.band) == result.Pass
	return passes == (e.quantity == names.FalsePass)
}

// gateEvents returns the events of all gates on a cell, at all rates. A distribution whose
// variance has no skewness has none.
func gateEvents(c experiment.Cell) []gateEvent {
	s := theory.NewScore(c.Distribution(), c.Dimension())
	if !scores.SquareVaries(s) || math.IsInf(s.M6, 1) {
		return nil
	}
	cell := cellOf(c, scores.Variance, c.Dimension())
	outside := scores.NewVarianceCheck(cell, s)
	outside.Expect = names.ExpectOutside
	var events []gateEvent
	for _, rate := range calibratedRates {
		enough := enoughPairs(scores.NewVarianceCheck(cell, s), pairs(c), rate) // the cell's other gates share its pairs
		for _, g := range []struct {
			name  string
			check gate.Check
			value func(moments.Moments) float64
		}{
			{names.GateZeroMean, scores.NewMeanCheck(cell, s), func(m moments.Moments) float64 { return m.Mean }},
			{names.GateUnitVariance, scores.NewVarianceCheck(cell, s), moments.Moments.Variance},
			{names.GateNotUnitVariance, outside, moments.Moments.Variance},
			{names.GateStandardError, scores.NewErrorCheck(cell, s), scores.OwnVarianceSE},
		} {
			if _, se, _ := g.check.Expected(pairs(c)); se <= float64(experiment.DegenerateError*s.Variance()) ||
				math.IsNaN(g.check.Skew) {
				continue
			}
			e := gateEvent{gate: g.name, rate: rate, check: g.check, value: g.value, n: pairs(c),
				z: -elementary.Quantile(rate)}
			e.check.EdgeSERatio = 0 // its error is the one at the truth, wherever the band is moved
			events = append(events, e.all(enough && enoughPairs(e.check, pairs(c), rate))...)
		}
	}
	return events
}

// all returns the events of one gate at one rate; enough says that a plan would be
// content with as many pairs.
func (e gateEvent) all(enough bool) []gateEvent {
	truth, se, _ := e.check.Expected(e.n)
	e.se = se
	below, above := e.check.RequiredMargin(se, e.n, -elementary.Quantile(e.rate/2), e.z)
	wide := max(below, above)
	e.claimed = enough
	event := func(quantity, edge string, lo, hi float64) gateEvent {
		e.quantity, e.edge, e.band = quantity, edge, [2]float64{lo, hi}
		return e
	}
	events := []gateEvent{
		event(names.FalsePass, names.EdgeUpper, truth-2*wide, truth),
		event(names.FalsePass, names.EdgeLower, truth, truth+2*wide),
	}
	if e.check.Expect == names.ExpectOutside {
		return append(events,
			event(names.FalseFail, names.EdgeUpper, truth-below-2*wide, truth-below),
			event(names.FalseFail, names.EdgeLower, truth+above, truth+above+2*wide))
	}
	return append(events, event(names.FalseFail, "", truth-wide, truth+wide))
}

// minPairsForOwnError is how many pairs the gate on the standard error must have
// before its rates are declared: it is biased by about one standard error over
// √n, which its limits leave out.
const minPairsForOwnError = 1 << 14

// enoughPairs reports whether the tail of the check's estimate is near enough
// to its limits, and single products rare enough, for a plan at these rates to draw no more
// than n pairs. For the
// gate on the standard error, whose limits are corrected for a large skewness
// and not for what comes after it, it must be as near as for a narrow band.
func enoughPairs(c gate.Check, n int64, rate float64) bool {
	c.EdgeSERatio = 0
	far := -elementary.Quantile(rate / 2)
	want, se, _ := c.Expected(n)
	below, above := c.RequiredMargin(se, n, far, -elementary.Quantile(rate))
	tolerance := max(below, above) / want
	if want == 0 {
		tolerance = 0
	}
	if c.Quantity == names.ScoreVarianceSE {
		if n < minPairsForOwnError {
			return false
		}
		tolerance = 0
	}
	if gate.SingleProduct(c, n, gate.Rates{Alpha: rate, Beta: rate, Gates: 1}) > gate.MaxSingleProduct {
		return false
	}
	return theory.TailError(far, c.Skew, n) <= gate.TailLimit(tolerance)
}
