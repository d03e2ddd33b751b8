package schedule

import (
	"fmt"

	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/gate"
)

// refuseSingle refuses gates on a distribution with power-law tails with fewer samples than bring
// single products to a tenth of the error rates: no moments would tell how often such a
// gate errs. What is planned is enough; a plan that gives the number may give too few. Of
// a distribution whose moments all exist such a gate is undecided.
func (s *Schedule) refuseSingle() error {
	drawn := map[string]Job{}
	for _, w := range s.Jobs {
		drawn[w.Cell.ID] = w
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			if w, ok := drawn[c.Cell]; ok && c.SingleProductTail != nil && w.Cell.Distribution().PowerTail() {
				if err := checkDominantProduct(c, g.Rates, w); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkDominantProduct returns an error that says by how much single products exceed the limit,
// and what would help; nil if they do not.
func checkDominantProduct(c gate.Check, r gate.Rates, w Job) error {
	n := c.Numbers(w.Units())
	part := gate.SingleProduct(c, n, r)
	if part <= gate.MaxSingleProduct && gate.NormalError(c, n, r) <= 1 {
		return nil
	}
	cure := "no number of samples up to 2^50 would do; " + gate.UngatedAdvice
	if n, err := gate.Samples(c, r); err == nil && n <= plan.MaxSamples {
		cure = fmt.Sprintf("%d samples would do, or "+gate.UngatedAdvice, n)
	}
	why := fmt.Sprintf("the chance that one product alone decides the gate %q wrongly is %.3g "+
		"of its error rate (α/2G or β), where at most %v is allowed", c.Name, part, gate.MaxSingleProduct)
	if part <= gate.MaxSingleProduct {
		why = fmt.Sprintf("the estimate of the gate %q is too far from a normal one for its error rates to be known",
			c.Name)
	}
	return experiment.CellError{Cell: *w.Cell,
		Err: fmt.Errorf("%v cannot be gated with %d samples: its tails fall like a power, and %s; %s",
			w.Cell.Distribution(), w.Units(), why, cure)}
}

// reasonFor names the gate that determines the number of samples, and single products if they are
// the reason.
func reasonFor(c gate.Check, units int64, r gate.Rates) string {
	if gate.LimitedBySingleProduct(c, units, r) {
		return c.Name + ": single products"
	}
	return c.Name
}
