package claim

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Judge judges all claims of the ledgers by the estimates of a document. Its result is the same,
// bit by bit, on every machine.
func Judge(ledgers []*Ledger, estimates []result.Estimate) (judged []result.Claim) {
	rows := newIndexedDocument(estimates)
	for _, l := range ledgers {
		for i := range l.Claims {
			judged = append(judged, l.Claims[i].judge(l, rows))
		}
	}
	return judged
}

func newIndexedDocument(estimates []result.Estimate) *result.Document {
	doc := &result.Document{Estimates: estimates}
	doc.Index()
	return doc
}

// lineAddress returns the URL of lines of the text, empty if the text has no address.
func (l *Ledger) lineAddress(line string) string {
	if l.Address == "" || line == "" {
		return l.Address
	}
	return l.Address + "#L" + strings.Replace(line, "-", "-L", 1)
}

func (c *Claim) judge(ledger *Ledger, rows *result.Document) result.Claim {
	judged := result.Claim{
		ID: c.ID, Source: ledger.Source, Address: cmp.Or(c.Address, ledger.lineAddress(c.Line)),
		Mistake: c.Mistake, Text: c.Text, Kind: c.Kind, Hedge: c.Hedge, Why: c.Why, Repeats: c.Repeats,
		Published: c.published, Distance: result.Absent(), Allowed: result.Absent(),
	}
	if c.formula != "" {
		judged.Published = []string{c.formula}
	}
	switch {
	case !c.isComputed():
		judged.Verdict, judged.Evidence, judged.Dated = c.verdict, c.evidence, c.dated
	case c.call != nil:
		c.judgeNumbers(&judged)
	default:
		c.judgeWords(&judged, rows)
	}
	if len(c.because.conditions) > 0 && c.addConditions(&judged, c.because, SenseBecause, rows) != names.ConditionMet {
		judged.Why = "" // its conditions are not met
	}
	return judged
}

// SenseBecause is the sense of the conditions under which the reason for a verdict (Claim.Why) is
// true.
const SenseBecause = "because"

// equalityTolerance is the largest relative difference between numbers that are considered equal;
// it allows for rounding to float64.
const equalityTolerance = 1e-9

// judgeNumbers compares the published numbers with the computed ones.
func (c *Claim) judgeNumbers(judged *result.Claim) {
	judged.Function = reading{call: c.call}.String()
	computed, bounds := c.call.evaluate()
	isExact, isBounded, maxExcess := true, true, math.Inf(-1)
	for i, text := range c.published {
		judged.Value = append(judged.Value, result.Number(computed[i]))
		judged.Lo = append(judged.Lo, result.Number(bounds[i].Lo))
		judged.Hi = append(judged.Hi, result.Number(bounds[i].Hi))
		if !bounds[i].isFinite() {
			isBounded = false // an infinite interval would agree with every number
			continue
		}
		value, halfUnit, _ := parsePrinted(text)
		tolerance := allowedError(c.Hedge, value, halfUnit)
		distance := max(0, value-bounds[i].Hi, bounds[i].Lo-value)
		if distance-tolerance > maxExcess {
			maxExcess, judged.Distance, judged.Allowed = distance-tolerance, result.Number(distance),
				result.Number(tolerance)
		}
		roundingError := float64(equalityTolerance * math.Abs(value))
		if value == 0 {
			roundingError = equalityTolerance
		}
		isExact = isExact && math.Abs(value-computed[i]) <= roundingError &&
			bounds[i].Hi-bounds[i].Lo <= 2*roundingError
	}
	switch {
	case maxExcess > 0:
		judged.Verdict = names.ClaimWrong
	case !isBounded:
		judged.Verdict = names.ClaimNotSettled
	case isExact:
		judged.Verdict = names.ClaimHolds
	default:
		judged.Verdict = names.ClaimRounding
	}
}

// The errors that hedges allow.
const (
	aboutFactor       = 2    // "about": number of half units of the last digit
	roughlyProportion = 0.05 // "roughly": proportion of the number
)

// allowedError returns the largest allowed distance between a published and a computed number.
func allowedError(hedge string, value, halfUnit float64) float64 {
	switch hedge {
	case names.HedgeExactly:
		return float64(equalityTolerance * math.Abs(value))
	case names.HedgeAbout:
		return aboutFactor * halfUnit
	case names.HedgeRoughly:
		return halfUnit + float64(roughlyProportion*math.Abs(value))
	}
	// halfUnit is a decimal fraction, which float64 may round.
	return halfUnit + float64(equalityTolerance*halfUnit)
}

// judgeWords judges a claim by its literal and its weakened conditions.
func (c *Claim) judgeWords(judged *result.Claim, rows *result.Document) {
	literal := c.addConditions(judged, c.literal, "literal", rows)
	weakened := names.ConditionUnmet
	if len(c.weakened.conditions) > 0 {
		weakened = c.addConditions(judged, c.weakened, "weakened", rows)
	}
	switch {
	case literal == names.ConditionMet:
		judged.Verdict = names.ClaimHolds
	case literal == names.ConditionOpen, weakened == names.ConditionOpen:
		judged.Verdict = names.ClaimNotSettled
	case weakened == names.ConditionMet:
		judged.Verdict = names.ClaimImprecise
	default:
		judged.Verdict = names.ClaimWrong
	}
}

// addConditions judges a group, adds its conditions to the claim, and returns the status of the
// group.
func (c *Claim) addConditions(judged *result.Claim, group conditionGroup, sense string, rows *result.Document) string {
	if group.needsOnlyOne {
		sense = "any " + sense
	}
	outcomes, status := group.judge(rows)
	for i, o := range outcomes {
		condition := &group.conditions[i]
		judgedCondition := result.Condition{Sense: sense, Reading: condition.String(),
			Requirement: condition.requirement, Value: result.Number(o.value),
			Lo: result.Number(o.bounds.Lo), Hi: result.Number(o.bounds.Hi),
			Min: result.Number(condition.minValue), Max: result.Number(condition.maxValue), Met: o.status, Why: o.why}
		if condition.divisor != nil {
			judgedCondition.Divisor = condition.divisor.String()
		}
		for _, ref := range condition.rowRefs() {
			judgedCondition.Experiment, judgedCondition.Cell = ref.Experiment.Name, ref.Cell().ID
			if ref.Find(rows) == nil && !slices.Contains(judged.NotSampled, judgedCondition.Cell) {
				judged.NotSampled = append(judged.NotSampled, judgedCondition.Cell)
			}
		}
		judged.Conditions = append(judged.Conditions, judgedCondition)
	}
	return status
}

// rowRefs returns the rows that a condition reads.
func (c *condition) rowRefs() (refs []*RowRef) {
	if c.divisor != nil && c.divisor.row != nil {
		refs = append(refs, c.divisor.row)
	}
	if c.row != nil {
		refs = append(refs, c.row)
	}
	return refs
}
