package document

import (
	"fmt"
	"maps"
	"math"

	"mcsim/sim/experiment"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// chosenEstimate identifies the estimate of a cell whose z-score is reported. The parameters of the
// estimate are computed when they are needed: for all cells together they would take much memory.
type chosenEstimate struct {
	quantity    string
	cell        *experiment.Cell
	scoreParams result.Params // parameters of the z-score
}

// chooseEstimates returns the chosen estimate by cell ID: the headline, unless it is degenerate.
// Most cells of an experiment have z-scores with the same parameters. To save memory they use one
// map.
func chooseEstimates(cells []experiment.Cell) map[string]chosenEstimate {
	choices := make(map[string]chosenEstimate, len(cells))
	paramsOf := map[string]result.Params{} // by experiment, quantity and parameters
	for i := range cells {
		c := &cells[i]
		quantity, params := c.Experiment.HeadlineEstimate(*c)
		if isDegenerate(*c, quantity) {
			continue
		}
		name := fmt.Sprint(c.Experiment.Name, quantity, params)
		if paramsOf[name] == nil {
			paramsOf[name] = result.Params{names.ParamOfExperiment: c.Experiment.Name, names.ParamOfQuantity: quantity}
			maps.Copy(paramsOf[name], params)
		}
		choices[c.ID] = chosenEstimate{quantity, c, paramsOf[name]}
	}
	return choices
}

// zScores returns (value − theory)/se for each chosen estimate that has an interval and a theory
// that is not a limit, in the order of the estimates.
func zScores(cells []experiment.Cell, estimates []result.Estimate) []result.Estimate {
	choices := chooseEstimates(cells)
	var scores []result.Estimate
	for i := range estimates {
		r := &estimates[i]
		c, hasChoice := choices[r.Cell]
		if !hasChoice || r.Quantity != c.quantity || c.scoreParams[names.ParamOfExperiment] != r.Experiment {
			continue
		}
		_, params := c.cell.Experiment.HeadlineEstimate(*c.cell)
		if !maps.Equal(r.Params, c.cell.Params(params)) || !hasJudgedInterval(*r) || !(r.SE > 0) {
			continue
		}
		z := newWholeEstimate(names.ZScore, int(r.N), (float64(r.Value)-float64(r.Theory))/float64(r.SE))
		z.Cell, z.Estimator, z.Params = r.Cell, r.Estimator, c.scoreParams
		z.Theory, z.TheoryKind = 0, names.TheoryExact
		scores = append(scores, z)
	}
	return scores
}

// isDegenerate reports whether the quantity is the headline of the cell's experiment and has an
// error of order 1/n instead of 1/√n. Such an error is not normal. An example is s² of products of
// two signs, whose squares do not vary.
func isDegenerate(c experiment.Cell, quantity string) bool {
	s := c.Experiment.Sampler
	return quantity == s.Headline && s.RelativeVariance != nil && math.Abs(s.RelativeVariance(c)) < 1e-12
}

// hasJudgedInterval reports whether an estimate of one or several cells has an interval of positive
// width and a theory that is not a limit.
func hasJudgedInterval(r result.Estimate) bool {
	hasInterval := r.Lo.Present() && r.Hi.Present() && r.Lo < r.Hi
	isLimit := r.TheoryKind != names.TheoryExact && r.TheoryKind != names.TheoryQuadrature
	return !IsAgreement(r) && hasInterval && r.Theory.Present() && !isLimit
}
