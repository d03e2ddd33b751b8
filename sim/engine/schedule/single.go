package schedule

import (
	"fmt"

	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/gate"
)

// refuseDominantProducts refuses a gate on a distribution with power-law tails if it has so few
// samples that one product of components can decide it with more than a tenth of the error rates:
// no moments tell how often such a gate errs. A planned number of samples is always enough; a
// number that the plan gives may be too small. Gates on distributions whose moments all exist are
// not refused, since they become undecided instead.
func (s *Schedule) refuseDominantProducts() error {
	jobs := map[string]Job{}
	for _, job := range s.Jobs {
		jobs[job.Cell.ID] = job
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			if job, ok := jobs[c.Cell]; ok && c.SingleProductTail != nil && job.Cell.Distribution().HasPowerTail() {
				if err := checkDominantProduct(c, g.Rates, job); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// checkDominantProduct returns an error that says by how much single products exceed the limit,
// and what would help; nil if they do not.
func checkDominantProduct(c gate.Check, r gate.Rates, job Job) error {
	n := c.Numbers(job.Units())
	part := gate.SingleProduct(c, n, r)
	if part <= gate.MaxSingleProduct && gate.NormalError(c, n, r) <= 1 {
		return nil
	}
	cure := "no number of samples up to 2^50 is enough; " + gate.UngatedAdvice
	if n, err := gate.Samples(c, r); err == nil && n <= plan.MaxSamples {
		cure = fmt.Sprintf("%d samples are enough, or "+gate.UngatedAdvice, n)
	}
	why := fmt.Sprintf("the chance that a single product decides the gate %q wrongly is %.3g "+
		"of its error rate (α/2G or β), and at most %v is allowed", c.Name, part, gate.MaxSingleProduct)
	if part <= gate.MaxSingleProduct {
		why = fmt.Sprintf("the distribution of the estimate of the gate %q is too far from normal for its error rates "+
			"to be known", c.Name)
	}
	return experiment.CellError{Cell: *job.Cell,
		Err: fmt.Errorf("%v cannot be gated with %d samples: it has power-law tails, and %s; %s",
			job.Cell.Distribution(), job.Units(), why, cure)}
}

// reasonFor names the gate that determines the number of samples, and single products if they are
// the reason.
func reasonFor(c gate.Check, units int64, r gate.Rates) string {
	if gate.LimitedBySingleProduct(c, units, r) {
		return c.Name + ": single products"
	}
	return c.Name
}
