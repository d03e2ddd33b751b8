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

// This file writes claims of texts with what was found, for the page and for the command that
// show them.

// ClaimsBySource groups claims by their sources, in the order of the sources.
func ClaimsBySource(claims []result.Claim) (order []string, bySource map[string][]result.Claim) {
	return groupBy(claims, func(c result.Claim) string { return c.Source })
}

// ClaimsByVerdict groups claims by their verdicts.
func ClaimsByVerdict(claims []result.Claim) map[string][]result.Claim {
	_, byVerdict := groupBy(claims, func(c result.Claim) string { return c.Verdict })
	return byVerdict
}

// CountErrors counts the errors that wrong claims make. A claim that repeats another's error adds
// none.
func CountErrors(wrong []result.Claim) (n int) {
	for _, c := range wrong {
		if c.Repeats == "" {
			n++
		}
	}
	return n
}

// PublishedText writes the numbers that a text publishes, with its digits, or "in words" if there
// are none.
func PublishedText(c result.Claim) string {
	if len(c.Published) == 0 {
		return "in words"
	}
	text := strings.Join(names.Map(c.Published, withMinus), ", ")
	if percentages(c) {
		text = strings.ReplaceAll(strings.ReplaceAll(text, " %", "%"), "%", " %")
	}
	if c.Hedge != "" && c.Hedge != names.HedgeExactly {
		text = c.Hedge + " " + text
	}
	return text
}

// percentages reports whether all published numbers are percentages.
func percentages(c result.Claim) bool {
	isPlain := func(text string) bool { return !strings.HasSuffix(text, "%") }
	return len(c.Published) > 0 && !slices.ContainsFunc(c.Published, isPlain)
}

// Recomputed writes what was found: numbers with the interval that the rounding of the inputs
// allows, conditions with the rows that they read, or evidence.
func Recomputed(c result.Claim) []string {
	switch {
	case c.Kind == names.KindDocument:
		return []string{fmt.Sprintf("not computed, found on %s: %s", c.Dated, c.Evidence)}
	case len(c.Value) == 0:
		return names.Map(decisive(c), conditionText)
	}
	texts := make([]string, len(c.Value))
	for i, x := range c.Value {
		published := ""
		if len(c.Published) == len(c.Value) {
			published = c.Published[i]
		}
		texts[i] = foundNumber(float64(x), float64(c.Lo[i]), float64(c.Hi[i]), published, false)
	}
	return []string{strings.Join(texts, ", ")}
}

// Tolerance says by how much published numbers are off, and how much is allowed. It is empty for
// other claims, whose conditions have limits.
func Tolerance(c result.Claim) string {
	if !c.Off.Present() || !c.Allowed.Present() {
		return ""
	}
	size := func(x result.Number) string {
		if percentages(c) {
			return digits.Significant(100*float64(x), 2) + " %"
		}
		return digits.Significant(float64(x), 2)
	}
	switch {
	case c.Off == 0 && c.Allowed == 0:
		return "holds if it is exact"
	case c.Off == 0:
		return "holds up to " + size(c.Allowed) + " off"
	}
	return fmt.Sprintf("off by %s, %s allowed", size(c.Off), size(c.Allowed))
}

// ComputedFrom writes the row or function that published numbers are compared with. It is empty for
// other claims.
func ComputedFrom(c result.Claim) string {
	if c.By == "" {
		return ""
	}
	return inWords(c.By)
}

// inWords writes the reference of a row or a function for readers: greatest weight at d_k = 64.
func inWords(reference string) string {
	group := names.GroupQuantity
	head, arguments, isRow := strings.Cut(strings.TrimSuffix(reference, "]"), "[")
	if !isRow {
		group = names.GroupClaim
		head, arguments, _ = strings.Cut(strings.TrimSuffix(reference, ")"), "(")
	}
	name := head[strings.Index(head, ".")+1:]
	var values []string
	for argument := range strings.SplitSeq(arguments, ", ") {
		parameter, value, _ := strings.Cut(argument, "=")
		list := names.Map(strings.Split(value, " "), withMinus)
		values = append(values, parameter+" = "+strings.Join(list, ", "))
	}
	return names.EntryOf(group, name).Title + " at " + strings.Join(values, ", ")
}

// withMinus writes the minus signs of a number. A name keeps its hyphens, so that it can be
// copied.
func withMinus(text string) string {
	if ledgerNumber.MatchString(text) {
		return strings.ReplaceAll(text, "-", "−")
	}
	return text
}

// ledgerNumber matches a number as ledgers have it: 0.5, -1/2, 2^-10, 3.7e-44 or 9.2%.
var ledgerNumber = regexp.MustCompile(`^[-+]?[0-9.]+([/^][-+]?[0-9.]+|[eE][-+]?[0-9]+)? ?%?$`)

// decisive returns the conditions that the verdict rests on: all if the claim holds, else the
// literal ones that are not met and the weakened ones.
func decisive(c result.Claim) (conditions []result.Condition) {
	for _, condition := range c.Conditions {
		weakened := strings.HasSuffix(condition.Sense, "weakened")
		decides := c.Verdict == names.ClaimHolds || weakened || condition.Met != names.ConditionMet
		if condition.Sense != "because" && decides {
			conditions = append(conditions, condition)
		}
	}
	return conditions
}

// senses are the words before a condition that is not a literal one of which all count.
var senses = map[string]string{
	"any literal":  "any of: ",
	"weakened":     "weakened: ",
	"any weakened": "weakened, any of: ",
}

// conditionText writes a condition with the number that it reads and its limits.
func conditionText(c result.Condition) string {
	text := senses[c.Sense] + inWords(c.Reading)
	if c.Divisor != "" {
		text += " over " + inWords(c.Divisor)
	}
	if !c.Value.Present() || !c.Lo.Present() || !c.Hi.Present() {
		return text + " " + c.Why
	}
	text += " is " + foundNumber(float64(c.Value), float64(c.Lo), float64(c.Hi), "", c.Experiment != "")
	switch c.Met {
	case names.ConditionMet:
		return text + ", " + requirement(c)
	case names.ConditionUnmet:
		return text + ", not " + requirement(c)
	}
	return text + ", which leaves open whether it is " + requirement(c)
}

// requirement writes the limits of a condition, after the word for them if it has one.
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

// Half-widths up to minHalfWidth, or relative to their number up to maxRounding, come only
// from the rounding of float64.
const (
	maxRounding  = 1e-6
	minHalfWidth = 1e-300
)

// BracketsNote explains the intervals after numbers that were found. They are not ±, which means one
// standard error everywhere else.
const BracketsNote = "In brackets: all that a number may be, given what the printed inputs were rounded from; " +
	"of what was drawn, about four standard errors on either side."

// foundNumber writes a computed number: with its interval if it is of a row, or if the interval is
// wider than rounding makes it; else with one digit more than the published number has.
func foundNumber(x, lo, hi float64, published string, isRow bool) string {
	unit := ""
	if strings.HasSuffix(published, "%") {
		unit = " %"
		x, lo, hi = 100*x, 100*lo, 100*hi
	}
	halfWidth := max(hi-x, x-lo)
	switch {
	case math.IsNaN(halfWidth) || math.IsInf(halfWidth, 0):
		return digits.Rough(x) + unit + ", without a bound"
	case isRow || halfWidth > minHalfWidth && halfWidth > maxRounding*math.Abs(x):
		return digits.Within(x, lo, hi) + unit
	case published == "" && x == math.Round(x):
		return digits.Short(x) + unit
	case published == "":
		return digits.Significant(x, 3) + unit
	}
	return likePublished(x, strings.TrimSuffix(published, "%")) + unit
}

// maxPlaces bounds the decimals that a number takes over from a published one.
const maxPlaces = 6

// likePublished writes a number with one digit more than a published one has.
func likePublished(x float64, published string) string {
	mantissa, _, scientific := strings.Cut(strings.ToLower(published), "e")
	_, fraction, decimal := strings.Cut(mantissa, ".")
	switch {
	case scientific:
		return digits.Significant(x, len(fraction)+2)
	case !decimal && x == math.Round(x):
		return digits.Short(x)
	}
	places := min(len(fraction)+1, maxPlaces)
	if x != 0 && math.Abs(x) < math.Pow10(-places)/2 {
		return digits.Rough(x)
	}
	return digits.Places(x, places)
}
