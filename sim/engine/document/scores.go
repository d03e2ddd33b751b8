package document

import (
	"fmt"
	"maps"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// chosenEstimate is the row of a cell that was chosenEstimate for it, and the params of its z-score. Those of the row are made
// when it is looked at: all would be held at once.
type chosenEstimate struct {
	quantity string
	cell     *experiment.Cell
	score    result.Params
}

// chooseEstimates finds the chosen row of every cell that has one. Cells of one experiment mostly
// share the params of their z-scores, which a document of many cells must not have apart.
func chooseEstimates(cells []experiment.Cell) map[string]chosenEstimate {
	choices := make(map[string]chosenEstimate, len(cells))
	shared := map[string]result.Params{}
	for i := range cells {
		c := &cells[i]
		quantity, more := c.Experiment.HeadlineRow(*c)
		if isDegenerate(*c, quantity) {
			continue
		}
		name := fmt.Sprint(c.Experiment.Name, quantity, more)
		if shared[name] == nil {
			shared[name] = result.Params{names.ParamOfExperiment: c.Experiment.Name, names.ParamOfQuantity: quantity}
			maps.Copy(shared[name], more)
		}
		choices[c.ID] = chosenEstimate{quantity, c, shared[name]}
	}
	return choices
}

// zScores are (value − theory)/se of the chosen rows, in the order of the rows. A row
// counts only if its error is good enough for an interval and its theory is no limit.
func zScores(cells []experiment.Cell, found []result.Estimate) []result.Estimate {
	choices := chooseEstimates(cells)
	var scores []result.Estimate
	for i := range found {
		r := &found[i]
		c, ok := choices[r.Cell]
		if !ok || r.Quantity != c.quantity || c.score[names.ParamOfExperiment] != r.Experiment {
			continue
		}
		_, more := c.cell.Experiment.HeadlineRow(*c.cell)
		if !maps.Equal(r.Params, c.cell.Params(more)) || !hasJudgedInterval(*r) || !(r.SE > 0) {
			continue
		}
		z := newWholeEstimate(names.ZScore, int(r.N), (float64(r.Value)-float64(r.Theory))/float64(r.SE))
		z.Cell, z.Estimator, z.Params = r.Cell, r.Estimator, c.score
		z.Theory, z.TheoryKind = 0, names.TheoryExact
		scores = append(scores, z)
	}
	return scores
}

// isDegenerate reports whether the quantity is the cell's headline and its error of order 1/n,
// not 1/√n, such as that of s² for products of two signs. What is left is not normal.
func isDegenerate(c experiment.Cell, quantity string) bool {
	s := c.Experiment.Sampler
	return quantity == s.Headline && s.RelativeVariance != nil && math.Abs(s.RelativeVariance(c)) < 1e-12
}

// hasJudgedInterval reports whether a row of a cell or join has an interval of some width, and a theory that is no limit.
func hasJudgedInterval(r result.Estimate) bool {
	return !OfAgreement(r) && r.Lo < r.Hi && r.Lo.Present() && r.Hi.Present() && r.Theory.Present() &&
		(r.TheoryKind == names.TheoryExact || r.TheoryKind == names.TheoryQuadrature)
}
