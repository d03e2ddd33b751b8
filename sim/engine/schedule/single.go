package schedule

import (
	"fmt"

	"mcsim/sim/engine/plan"
	"mcsim/sim/experiment"
	"mcsim/sim/statistics/gate"
)

// refuseDominantProducts returns an error if a gate on a distribution with power-law tails has so
// few samples that a single product of components decides it with a probability of more than a
// tenth of the error rates. The moments of such a distribution do not tell how often the gate errs.
// Planned numbers of samples are always large enough; a number that the plan gives may be too
// small. Gates on other distributions become undecided instead.
func (s *Schedule) refuseDominantProducts() error {
	jobs := map[string]Job{}
	for _, job := range s.Jobs {
		jobs[job.Cell.ID] = job
	}
	for _, g := range s.Entries {
		for _, c := range g.Checks {
			job, ok := jobs[c.Cell]
			if !ok || c.SingleProductTail == nil || !job.Cell.Distribution().HasPowerTail() {
				continue
			}
			if err := checkDominantProduct(c, g.Rates, job); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkDominantProduct returns an error if single products exceed the limit, with the excess and a
// remedy.
func checkDominantProduct(c gate.Check, r gate.Rates, job Job) error {
	n := c.Numbers(job.Units())
	probability := gate.SingleProduct(c, n, r) // in units of the error rate
	if probability <= gate.MaxSingleProduct && gate.NormalError(c, n, r) <= 1 {
		return nil
	}
	remedy := "no number of samples up to 2^50 is enough; " + gate.UngatedAdvice
	if n, err := gate.Samples(c, r); err == nil && n <= plan.MaxSamples {
		remedy = fmt.Sprintf("%d samples are enough, or "+gate.UngatedAdvice, n)
	}
	reason := fmt.Sprintf("the chance that a single product decides the gate %q wrongly is %.3g "+
		"of its error rate (α/2G or β), and at most %v is allowed", c.Name, probability, gate.MaxSingleProduct)
	if probability <= gate.MaxSingleProduct {
		reason = fmt.Sprintf("the distribution of the estimate of the gate %q is too far from normal for its error "+
			"rates to be known", c.Name)
	}
	return experiment.CellError{Cell: *job.Cell,
		Err: fmt.Errorf("%v cannot be gated with %d samples: it has power-law tails, and %s; %s",
			job.Cell.Distribution(), job.Units(), reason, remedy)}
}

// reasonFor returns the reason for a job's number of samples: the name of the gate, with "single
// products" if these require the number.
func reasonFor(c gate.Check, units int64, r gate.Rates) string {
	if gate.LimitedBySingleProduct(c, units, r) {
		return c.Name + ": single products"
	}
	return c.Name
}
