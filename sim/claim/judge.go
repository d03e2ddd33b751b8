package claim

import (
	"math"
	"slices"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Judge judges all claims of some ledgers by the rows of a document. The same rows give the
// same bits.
func Judge(ledgers []*Ledger, estimates []result.Estimate) (all []result.Claim) {
	rows := indexed(estimates)
	for _, l := range ledgers {
		for i := range l.Claims {
			all = append(all, l.Claims[i].judge(l, rows))
		}
	}
	return all
}

// indexed is a document of these rows, for many questions to it.
func indexed(estimates []result.Estimate) *result.Document {
	doc := &result.Document{Estimates: estimates}
	doc.Index()
	return doc
}

// at is the address of lines of the text; empty where it has none.
func (l *Ledger) at(line string) string {
	if l.Address == "" || line == "" {
		return l.Address
	}
	return l.Address + "#L" + strings.Replace(line, "-", "-L", 1)
}

// judge judges one claim.
func (c *Claim) judge(of *Ledger, rows *result.Document) result.Claim {
	out := result.Claim{ID: c.ID, Source: of.Source, Address: of.at(c.Line), Mistake: c.Mistake, Text: c.Text,
		Kind: c.Kind, Hedge: c.Hedge, Why: c.Why, Repeats: c.Repeats,
		Published: c.published, Distance: result.Absent(), Allowed: result.Absent()}
	if c.as != "" {
		out.Published = []string{c.as}
	}
	switch {
	case !c.computed():
		out.Verdict, out.Evidence, out.Dated = c.verdict, c.evidence, c.dated
	case c.call != nil:
		c.numbers(&out)
	default:
		c.words(&out, rows)
	}
	if len(c.because.conditions) > 0 && c.group(&out, c.because, Because, rows) != names.ConditionMet {
		out.Why = "" // which these rows do not bear out
	}
	return out
}

// Because is the sense of the conditions that the words beside a verdict rest on.
const Because = "because"

// equal is how near numbers are that differ by rounding of float64 alone.
const equal = 1e-9

// numbers holds the published numbers against the computed ones.
func (c *Claim) numbers(out *result.Claim) {
	out.Function = reading{call: c.call}.String()
	at, from := c.call.values()
	exact, bounded, worst := true, true, math.Inf(-1)
	for i, text := range c.published {
		out.Value = append(out.Value, result.Number(at[i]))
		out.Lo, out.Hi = append(out.Lo, result.Number(from[i].Lo)), append(out.Hi, result.Number(from[i].Hi))
		if !from[i].known() {
			bounded = false // nothing is known of it, so that it can agree with everything
			continue
		}
		p, half, _ := printed(text)
		allowed := allow(c.Hedge, p, half)
		off := max(0, p-from[i].Hi, from[i].Lo-p)
		if off-allowed > worst {
			worst, out.Distance, out.Allowed = off-allowed, result.Number(off), result.Number(allowed)
		}
		scale := float64(equal * math.Abs(p))
		if p == 0 {
			scale = equal
		}
		exact = exact && math.Abs(p-at[i]) <= scale && from[i].Hi-from[i].Lo <= 2*scale
	}
	switch {
	case worst > 0:
		out.Verdict = names.ClaimWrong
	case !bounded:
		out.Verdict = names.ClaimNotSettled
	case exact:
		out.Verdict = names.ClaimHolds
	default:
		out.Verdict = names.ClaimRounding
	}
}

// The hedges: by how much a published number may be off beyond its rounding.
const (
	aboutHalves  = 2
	roughlyShare = 0.05
)

// allow is how far a published number may be from a computed one.
func allow(hedge string, p, half float64) float64 {
	switch hedge {
	case names.HedgeExactly:
		return float64(equal * math.Abs(p))
	case names.HedgeAbout:
		return aboutHalves * half
	case names.HedgeRoughly:
		return half + float64(roughlyShare*math.Abs(p))
	}
	// The half of a digit is a decimal fraction, which float64 holds to its own rounding.
	return half + float64(equal*half)
}

// words holds the literal conditions against rows and functions, and then the weakened ones.
func (c *Claim) words(out *result.Claim, rows *result.Document) {
	literal := c.group(out, c.literal, "literal", rows)
	weakened := names.ConditionUnmet
	if len(c.weakened.conditions) > 0 {
		weakened = c.group(out, c.weakened, "weakened", rows)
	}
	switch {
	case literal == names.ConditionMet:
		out.Verdict = names.ClaimHolds
	case literal == names.ConditionOpen, weakened == names.ConditionOpen:
		out.Verdict = names.ClaimNotSettled
	case weakened == names.ConditionMet:
		out.Verdict = names.ClaimImprecise
	default:
		out.Verdict = names.ClaimWrong
	}
}

// group adds the conditions of a group with what came of them, and says what came of all.
func (c *Claim) group(out *result.Claim, g group, sense string, rows *result.Document) string {
	if g.any {
		sense = "any " + sense
	}
	all, together := g.judge(rows)
	for i, o := range all {
		of := &g.conditions[i]
		line := result.Condition{Sense: sense, Reads: of.String(), Requirement: of.is, Value: result.Number(o.value),
			Lo: result.Number(o.of.Lo), Hi: result.Number(o.of.Hi),
			Min: result.Number(of.least), Max: result.Number(of.most), Met: o.met, Why: o.why}
		if of.over != nil {
			line.Divisor = of.over.String()
		}
		for _, r := range of.rows() {
			line.Experiment, line.Cell = r.Of.Name, r.Cell().ID
			if r.Find(rows) == nil && !slices.Contains(out.NotSampled, line.Cell) {
				out.NotSampled = append(out.NotSampled, line.Cell)
			}
		}
		out.Conditions = append(out.Conditions, line)
	}
	return together
}

// rows are those that a condition reads.
func (c *condition) rows() (all []*RowRef) {
	if c.over != nil && c.over.row != nil {
		all = append(all, c.over.row)
	}
	if c.row != nil {
		all = append(all, c.row)
	}
	return all
}
