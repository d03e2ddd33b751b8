package page

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// The functions of this file format claims for the page claims and for the command mcsim claims.

// ClaimsBySource groups claims by their sources. The sources are in the order of their first
// claims.
func ClaimsBySource(claims []result.Claim) (sources []string, bySource map[string][]result.Claim) {
	return groupBy(claims, func(c result.Claim) string { return c.Source })
}

// ClaimsByVerdict groups claims by their verdicts.
func ClaimsByVerdict(claims []result.Claim) map[string][]result.Claim {
	_, byVerdict := groupBy(claims, func(c result.Claim) string { return c.Verdict })
	return byVerdict
}

// CountErrors counts the different errors of wrong claims: it does not count a claim that repeats
// the error of another claim.
func CountErrors(wrong []result.Claim) (n int) {
	for _, c := range wrong {
		if c.Repeats == "" {
			n++
		}
	}
	return n
}

// PublishedText writes the published numbers of a claim with their published digits, or "in words"
// if the claim has no numbers.
func PublishedText(c result.Claim) string {
	if len(c.Published) == 0 {
		return "in words"
	}
	text := strings.Join(names.Map(c.Published, setMinusSigns), ", ")
	if arePercentages(c) {
		text = strings.ReplaceAll(strings.ReplaceAll(text, " %", "%"), "%", " %")
	}
	if c.Hedge != "" && c.Hedge != names.HedgeExactly {
		text = c.Hedge + " " + text
	}
	return text
}

// arePercentages reports whether all published numbers are percentages.
func arePercentages(c result.Claim) bool {
	isNotPercentage := func(text string) bool { return !strings.HasSuffix(text, "%") }
	return len(c.Published) > 0 && !slices.ContainsFunc(c.Published, isNotPercentage)
}

// RecomputedTexts writes what decides the verdict on a claim. For a claim of the kind document,
// this is the evidence. For a claim with numbers, these are the recomputed numbers, with the
// intervals that the rounding of the inputs allows. For any other claim, these are its decisive
// conditions.
func RecomputedTexts(c result.Claim) []string {
	switch {
	case c.Kind == names.KindDocument:
		return []string{fmt.Sprintf("not computed, found on %s: %s", c.Dated, c.Evidence)}
	case len(c.Value) == 0:
		return names.Map(decisiveConditions(c), conditionText)
	}
	texts := make([]string, len(c.Value))
	for i, x := range c.Value {
		published := ""
		if len(c.Published) == len(c.Value) {
			published = c.Published[i]
		}
		texts[i] = formatRecomputed(float64(x), float64(c.Lo[i]), float64(c.Hi[i]), published, false)
	}
	return []string{strings.Join(texts, ", ")}
}

// DeviationText writes the deviation of the published numbers from the recomputed ones, and its
// limit. It returns "" for claims without numbers.
func DeviationText(c result.Claim) string {
	if !c.Distance.Present() || !c.Allowed.Present() {
		return ""
	}
	formatDistance := func(x result.Number) string {
		if arePercentages(c) {
			return digits.Significant(100*float64(x), 2) + " %"
		}
		return digits.Significant(float64(x), 2)
	}
	switch {
	case c.Distance == 0 && c.Allowed == 0:
		return "holds if it is exact"
	case c.Distance == 0:
		return "holds up to " + formatDistance(c.Allowed) + " off"
	}
	return fmt.Sprintf("off by %s, %s allowed", formatDistance(c.Distance), formatDistance(c.Allowed))
}

// ReferenceText writes in words the estimate or function with which the published numbers are
// compared. It returns "" for claims without numbers.
func ReferenceText(c result.Claim) string {
	if c.Function == "" {
		return ""
	}
	return referenceInWords(c.Function)
}

// referenceInWords writes a reference to an estimate, experiment.quantity[name=value, …], or to a
// function, name(argument=value, …), in words, such as "greatest weight at d_k = 64".
func referenceInWords(reference string) string {
	group := names.GroupQuantity
	head, arguments, isEstimate := strings.Cut(strings.TrimSuffix(reference, "]"), "[")
	if !isEstimate {
		group = names.GroupClaim
		head, arguments, _ = strings.Cut(strings.TrimSuffix(reference, ")"), "(")
	}
	name := head[strings.Index(head, ".")+1:]
	var values []string
	for argument := range strings.SplitSeq(arguments, ", ") {
		parameter, value, _ := strings.Cut(argument, "=")
		items := names.Map(strings.Split(value, " "), setMinusSigns)
		values = append(values, parameter+" = "+strings.Join(items, ", "))
	}
	return names.EntryOf(group, name).Title + " at " + strings.Join(values, ", ")
}

// setMinusSigns replaces the hyphens of a number by minus signs. A name keeps its hyphens, so that
// a reader can copy it.
func setMinusSigns(text string) string {
	if ledgerNumber.MatchString(text) {
		return strings.ReplaceAll(text, "-", "−")
	}
	return text
}

// ledgerNumber matches a number in the syntax of ledgers, such as 0.5, -1/2, 2^-10, 3.7e-44 or
// 9.2%.
var ledgerNumber = regexp.MustCompile(`^[-+]?[0-9.]+([/^][-+]?[0-9.]+|[eE][-+]?[0-9]+)? ?%?$`)

// decisiveConditions returns the conditions that decide the verdict. If the claim holds, these are
// all its conditions; otherwise, these are the weakened conditions and the conditions that are not
// met. Conditions of the sense claim.SenseBecause are omitted, since they decide only the reason.
func decisiveConditions(c result.Claim) (conditions []result.Condition) {
	for _, condition := range c.Conditions {
		isWeakened := strings.HasSuffix(condition.Sense, "weakened")
		isDecisive := c.Verdict == names.ClaimHolds || isWeakened || condition.Met != names.ConditionMet
		if condition.Sense != "because" && isDecisive {
			conditions = append(conditions, condition)
		}
	}
	return conditions
}

// sensePrefixes maps the senses of conditions to the words before them. Conditions of other senses
// have no words before them.
var sensePrefixes = map[string]string{
	"any literal":  "any of: ",
	"weakened":     "weakened: ",
	"any weakened": "weakened, any of: ",
}

// conditionText writes a condition, the number with which it was judged, and its limits. Without a
// number, it writes the reason why there is none.
func conditionText(c result.Condition) string {
	text := sensePrefixes[c.Sense] + referenceInWords(c.Reading)
	if c.Divisor != "" {
		text += " over " + referenceInWords(c.Divisor)
	}
	if !c.Value.Present() || !c.Lo.Present() || !c.Hi.Present() {
		return text + " " + c.Why
	}
	text += " is " + formatRecomputed(float64(c.Value), float64(c.Lo), float64(c.Hi), "", c.Experiment != "")
	switch c.Met {
	case names.ConditionMet:
		return text + ", " + requirement(c)
	case names.ConditionUnmet:
		return text + ", not " + requirement(c)
	}
	return text + ", which leaves open whether it is " + requirement(c)
}

// requirement writes the limits of a condition, such as "≥ 0.5". If the ledger has a word for the
// limits, it writes the word, and the limits in parentheses.
func requirement(c result.Condition) string {
	bound := ""
	switch {
	case c.Min.Present() && c.Max.Present():
		bound = fmt.Sprintf("in %s..%s", digits.Short(float64(c.Min)), digits.Short(float64(c.Max)))
	case c.Min.Present():
		bound = "≥ " + digits.Short(float64(c.Min))
	case c.Max.Present():
		bound = "< " + digits.Short(float64(c.Max))
	}
	if slices.ContainsFunc(names.ClaimWords, func(w names.ClaimWord) bool { return w.Name == c.Requirement }) {
		return c.Requirement + " (" + bound + ")"
	}
	return bound
}

// An interval shows only the rounding errors of float64 if its half-width is at most
// maxAbsoluteRounding, or at most maxRelativeRounding times its number.
const (
	maxRelativeRounding = 1e-6
	maxAbsoluteRounding = 1e-300
)

// BracketsNote explains the intervals after recomputed numbers. The intervals are not written with
// ±, which means one standard error everywhere else.
const BracketsNote = "In brackets: all that a number may be, given what the printed inputs were rounded from; " +
	"of what was drawn, about four standard errors on either side."

// formatRecomputed writes a recomputed number x with its interval from lo to hi. It omits an
// interval that shows only rounding errors, unless the number is an estimate. A number without an
// interval has one digit more than the published number, if there is one.
func formatRecomputed(x, lo, hi float64, published string, isEstimate bool) string {
	unit := ""
	if strings.HasSuffix(published, "%") {
		unit = " %"
		x, lo, hi = 100*x, 100*lo, 100*hi
	}
	halfWidth := max(hi-x, x-lo)
	switch {
	case math.IsNaN(halfWidth) || math.IsInf(halfWidth, 0):
		return digits.TwoDigits(x) + unit + ", without a bound"
	case isEstimate || halfWidth > max(maxAbsoluteRounding, maxRelativeRounding*math.Abs(x)):
		return digits.WithInterval(x, lo, hi) + unit
	case published == "" && x == math.Round(x):
		return digits.Short(x) + unit
	case published == "":
		return digits.Significant(x, 3) + unit
	}
	return formatLikePublished(x, strings.TrimSuffix(published, "%")) + unit
}

// maxDecimals bounds the decimals of the numbers that formatLikePublished writes.
const maxDecimals = 6

// formatLikePublished writes a number with one digit more than a published number has.
func formatLikePublished(x float64, published string) string {
	mantissa, _, isScientific := strings.Cut(strings.ToLower(published), "e")
	_, fraction, isDecimal := strings.Cut(mantissa, ".")
	switch {
	case isScientific:
		return digits.Significant(x, len(fraction)+2) // one digit is before the decimal point
	case !isDecimal && x == math.Round(x):
		return digits.Short(x)
	}
	decimals := min(len(fraction)+1, maxDecimals)
	if x != 0 && math.Abs(x) < math.Pow10(-decimals)/2 { // the decimals would all be 0
		return digits.TwoDigits(x)
	}
	return digits.FixedDecimals(x, decimals)
}
