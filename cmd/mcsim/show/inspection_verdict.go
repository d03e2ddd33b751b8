package show

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/model/inspect"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// printVerdict prints the verdict and its reasons: the factor, the mean over heads, and for each
// quantity the head that is furthest from passing.
func (a *InspectionReport) printVerdict(w io.Writer) {
	j := a.Judgement
	var reasons []string
	if f := a.Applied; f != nil && (f.Verdict == j.Verdict || f.Diagnosis != "") && f.Verdict != result.Pass {
		reasons = append(reasons, DescribeFactor(f))
	}
	heads, meanClause := map[string][]inspect.GateResult{}, "" // heads by quantity
	for _, g := range j.Gates {
		isMean := g.Name == inspect.MeanOfHeads
		switch {
		case !isMean:
			heads[g.Quantity] = append(heads[g.Quantity], g)
		case g.Estimate.SE.Present() && (g.Verdict == j.Verdict || j.Verdict == result.Pass):
			reasons = append(reasons, DescribeGate(g))
		case g.Estimate.SE.Present():
			meanClause = "; " + inspect.MeanOfHeads + ", " + formatWithError(g.Estimate) + ", " + verbs[g.Verdict].one
		}
	}
	for _, quantity := range slices.Sorted(maps.Keys(heads)) {
		reason := describeHeads(j.Verdict, heads[quantity])
		if reason != "" && quantity == names.ScaledVariance {
			reason += meanClause
		}
		if reason != "" {
			reasons = append(reasons, reason)
		}
	}
	heading, text := strings.ToUpper(string(j.Verdict)), strings.Join(reasons, "; ")+"."
	if len(a.Caveats) > 0 {
		text = "(" + strings.Join(a.Caveats, "; ") + "): " + text
	} else {
		heading += ":"
	}
	Paragraph(w, heading, len(heading)+1, text)
	fmt.Fprintln(w)
}

// verbs has the singular and the plural of each verdict's verb.
var verbs = map[result.Verdict]struct{ one, several string }{
	result.Pass:      {"passes", "pass"},
	result.Fail:      {"fails", "fail"},
	result.Undecided: {"is undecided", "are undecided"},
}

// describeHeads returns the number of heads with the verdict, their names if they are few, and the
// estimate of the head that is furthest from passing. It is empty if no head has the verdict.
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
	text := fmt.Sprintf("%d of %s %s", len(titles), FormatCount(len(heads), "head"), verb)
	if v != result.Fail {
		return text + ". Nearest to an edge: " + DescribeGate(worst)
	}
	if len(titles) <= maxNames {
		text += " (" + strings.Join(titles, ", ") + ")"
	}
	return text + ". Furthest out: " + DescribeGate(worst)
}

// DescribeGate gives the estimate of a gate, its band and, if it does not pass, the likely cause.
func DescribeGate(g inspect.GateResult) string {
	quantity := "the scaled variance of " + g.Name
	switch {
	case g.Quantity == names.LogitSD:
		quantity = "the standard deviation of the logits of " + g.Name
	case g.Name == inspect.MeanOfHeads:
		quantity = inspect.MeanOfHeads + " of the scaled variance"
	}
	text := fmt.Sprintf("%s is %s, and must lie in [%s, %s]",
		quantity, formatWithError(g.Estimate), digits.Short(g.Band[0]), digits.Short(g.Band[1]))
	switch {
	case g.TimesNeeded.Present():
		text += fmt.Sprintf("; unless it lies at an edge, about %s times as many %s would decide",
			digits.Significant(float64(g.TimesNeeded), 2), g.SampleUnit)
	case g.Verdict == result.Undecided && g.Diagnosis != "":
		return text + "; " + g.Diagnosis
	case g.Verdict == result.Undecided:
		text += "; it lies near an edge"
	}
	if g.Diagnosis != "" {
		text += ". It looks like " + g.Diagnosis
	}
	return text
}
