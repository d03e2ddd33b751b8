package inspection

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// printVerdict prints the verdict and its reasons.
func (a *Report) printVerdict(w io.Writer) {
	heading, text := strings.ToUpper(string(a.Judgement.Verdict)), strings.Join(a.verdictReasons(), "; ")+"."
	if len(a.Caveats) > 0 {
		text = "(" + strings.Join(a.Caveats, "; ") + "): " + text
	} else {
		heading += ":"
	}
	show.Paragraph(w, heading, len(heading)+1, text)
	fmt.Fprintln(w)
}

// verdictReasons returns the reasons for the verdict: the factor that the code applies, the mean
// over heads, and for each quantity the head that is furthest from passing.
func (a *Report) verdictReasons() (reasons []string) {
	j := a.Judgement
	if f := a.Applied; f != nil && f.Verdict != result.Pass {
		if f.Verdict == j.Verdict || f.Diagnosis != "" {
			reasons = append(reasons, DescribeFactor(f))
		}
	}
	headsByQuantity, meanClause := map[string][]inspect.GateResult{}, ""
	for _, g := range j.Gates {
		isMean, hasError := g.Name == inspect.MeanOfHeads, g.Estimate.SE.Present()
		isReason := g.Verdict == j.Verdict || j.Verdict == result.Pass
		switch {
		case !isMean:
			headsByQuantity[g.Quantity] = append(headsByQuantity[g.Quantity], g)
		case hasError && isReason:
			reasons = append(reasons, DescribeGate(g))
		case hasError:
			meanClause = "; " + inspect.MeanOfHeads + ", " + formatWithError(g.Estimate) + ", " + verbs[g.Verdict].one
		}
	}
	for _, quantity := range slices.Sorted(maps.Keys(headsByQuantity)) {
		reason := describeHeads(j.Verdict, headsByQuantity[quantity])
		if reason != "" && quantity == names.ScaledVariance {
			reason += meanClause
		}
		if reason != "" {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// verbs maps a verdict to its verb for one head and for several.
var verbs = map[result.Verdict]struct{ one, several string }{
	result.Pass:      {"passes", "pass"},
	result.Fail:      {"fails", "fail"},
	result.Undecided: {"is undecided", "are undecided"},
}

// describeHeads gives the number of heads with the verdict v and the estimate of the head among
// them that is furthest from passing. If few heads fail, it also names them. The text is empty if
// no head has the verdict.
func describeHeads(v result.Verdict, heads []inspect.GateResult) string {
	const maxNames = 4
	var titles []string
	var worst inspect.GateResult
	for _, g := range heads {
		if g.Verdict != v {
			continue
		}
		if len(titles) == 0 || g.EdgeDistance() > worst.EdgeDistance() {
			worst = g
		}
		titles = append(titles, g.Name)
	}
	if len(titles) == 0 {
		return ""
	}
	if len(heads) == 1 {
		return DescribeGate(worst)
	}
	verb := verbs[v].several
	if len(titles) == 1 {
		verb = verbs[v].one
	}
	text := fmt.Sprintf("%d of %s %s", len(titles), show.FormatCount(len(heads), "head"), verb)
	if v != result.Fail {
		return text + ". Nearest to an edge: " + DescribeGate(worst)
	}
	if len(titles) <= maxNames {
		text += " (" + strings.Join(titles, ", ") + ")"
	}
	return text + ". Furthest out: " + DescribeGate(worst)
}

// isNearEdge reports whether an estimate is within four standard errors of an edge of its band.
func isNearEdge(g inspect.GateResult) bool {
	distance := math.Inf(1)
	for _, edge := range g.Band {
		if edge.Present() {
			distance = min(distance, math.Abs(float64(g.Estimate.Value-edge)))
		}
	}
	return !(distance > float64(4*g.Estimate.SE))
}

// DescribeGate gives the estimate of a gate and its band. If the gate does not pass, it adds the
// likely cause.
func DescribeGate(g inspect.GateResult) string {
	quantity := "the scaled variance of " + g.Name
	switch {
	case g.Quantity == names.LogitSD:
		quantity = "the standard deviation of the logits of " + g.Name
	case g.Quantity == names.EntropyRatio:
		quantity = "the mean entropy over ln n of " + g.Name
	case g.Quantity == inspect.MaxLogitName:
		quantity = "the largest logit of " + g.Name
	case g.Name == inspect.MeanOfHeads:
		quantity = inspect.MeanOfHeads + " of the scaled variance"
	}
	band := fmt.Sprintf("must lie in [%s, %s]", digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])))
	if !g.Band[0].Present() {
		band = "must be at most " + digits.Short(float64(g.Band[1]))
	}
	text := fmt.Sprintf("%s is %s, and %s", quantity, formatWithError(g.Estimate), band)
	if g.Estimate.HasOnlyBounds() {
		text = fmt.Sprintf("%s is between %s and %s, and %s", quantity, formatBound(g.Estimate.Lo),
			formatBound(g.Estimate.Hi), band)
	}
	switch {
	case g.TimesNeeded.Present():
		text += fmt.Sprintf("; unless it lies at an edge, about %s times as many %s would decide",
			digits.Significant(float64(g.TimesNeeded), 2), g.SampleUnit)
	case g.Verdict == result.Undecided && g.Diagnosis != "":
		return text + "; " + g.Diagnosis
	case g.Verdict == result.Undecided && isNearEdge(g):
		text += "; it lies near an edge"
	case g.Verdict == result.Undecided:
		text += fmt.Sprintf("; too few %s to know the error of this number well enough", g.SampleUnit)
	}
	if g.Diagnosis != "" {
		text += ". It looks like " + g.Diagnosis
	}
	return text
}
