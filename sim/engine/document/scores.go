package document

import (
	"fmt"
	"maps"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// chosenEstimate identifies the estimate that was chosen for a cell, with the parameters of its
// z-score. The parameters of the estimate are computed when needed, since all of them together
// would take much memory.
type chosenEstimate struct {
	quantity string
	cell     *experiment.Cell
	score    result.Params
}

// chooseEstimates returns the chosen estimate of every cell that has one. Cells of one experiment
// mostly have the same parameters of their z-scores, so these are shared to save memory.
func chooseEstimates(cells []experiment.Cell) map[string]chosenEstimate {
	choices := make(map[string]chosenEstimate, len(cells))
	shared := map[string]result.Params{}
	for i := range cells {
		c := &cells[i]
		quantity, params := c.Experiment.HeadlineEstimate(*c)
		if isDegenerate(*c, quantity) {
			continue
		}
		name := fmt.Sprint(c.Experiment.Name, quantity, params)
		if shared[name] == nil {
			shared[name] = result.Params{names.ParamOfExperiment: c.Experiment.Name, names.ParamOfQuantity: quantity}
			maps.Copy(shared[name], params)
		}
		choices[c.ID] = chosenEstimate{quantity, c, shared[name]}
	}
	return choices
}

// zScores returns (value − theory)/se of the chosen estimates, in the order of the estimates. An
// estimate counts only if it has an interval and an exact theory.
func zScores(cells []experiment.Cell, estimates []result.Estimate) []result.Estimate {
	choices := chooseEstimates(cells)
	var scores []result.Estimate
	for i := range estimates {
		r := &estimates[i]
		c, ok := choices[r.Cell]
		if !ok || r.Quantity != c.quantity || c.score[names.ParamOfExperiment] != r.Experiment {
			continue
		}
		_, params := c.cell.Experiment.HeadlineEstimate(*c.cell)
		if !maps.Equal(r.Params, c.cell.Params(params)) || !hasJudgedInterval(*r) || !(r.SE > 0) {
			continue
		}
		z := newWholeEstimate(names.ZScore, int(r.N), (float64(r.Value)-float64(r.Theory))/float64(r.SE))
		z.Cell, z.Estimator, z.Params = r.Cell, r.Estimator, c.score
		z.Theory, z.TheoryKind = 0, names.TheoryExact
		scores = append(scores, z)
	}
	return scores
}

// isDegenerate reports whether the quantity is the cell's headline and its error is of order 1/n
// instead of 1/√n, such as that of s² for products of two signs. The remaining error is not
// normal.
func isDegenerate(c experiment.Cell, quantity string) bool {
	s := c.Experiment.Sampler
	return quantity == s.Headline && s.RelativeVariance != nil && math.Abs(s.RelativeVariance(c)) < 1e-12
}

// hasJudgedInterval reports whether an estimate of a cell or join has an interval of positive
// width and a theory that is not a limit.
func hasJudgedInterval(r result.Estimate) bool {
	return !IsAgreement(r) && r.Lo < r.Hi && r.Lo.Present() && r.Hi.Present() && r.Theory.Present() &&
		(r.TheoryKind == names.TheoryExact || r.TheoryKind == names.TheoryQuadrature)
}
