// Package claims writes claims of texts with what was found of them, for the page and for
// the command that show them.
package claims

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/view"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Published is what the text publishes: its numbers with its digits, or that it says so in
// words alone.
func Published(c result.Claim) string {
	if len(c.Published) == 0 {
		return "in words"
	}
	said := strings.Join(names.Each(c.Published, signed), ", ")
	if percentages(c) {
		said = strings.ReplaceAll(strings.ReplaceAll(said, " %", "%"), "%", " %")
	}
	if c.Hedge != "" && c.Hedge != names.HedgeExactly {
		said = c.Hedge + " " + said
	}
	return said
}

// percentages reports whether the published numbers are percentages.
func percentages(c result.Claim) bool {
	return len(c.Published) > 0 && !slices.ContainsFunc(c.Published, func(text string) bool { return !strings.HasSuffix(text, "%") })
}

// Recomputed is what is found instead: numbers with what the rounding of the inputs allows,
// conditions with what they read, or evidence.
func Recomputed(c result.Claim) []string {
	switch {
	case c.Kind == names.KindDocument:
		return []string{fmt.Sprintf("not computed, found on %s: %s", c.Dated, c.Evidence)}
	case len(c.Value) == 0:
		return names.Each(deciding(c), condition)
	}
	var all []string
	for i, x := range c.Value {
		text := ""
		if i < len(c.Published) && len(c.Published) == len(c.Value) {
			text = c.Published[i]
		}
		all = append(all, number(float64(x), float64(c.Lo[i]), float64(c.Hi[i]), text, false))
	}
	return []string{strings.Join(all, ", ")}
}

// Turns says where the verdict on published numbers turns; empty for other claims, whose
// conditions say so.
func Turns(c result.Claim) string {
	if !c.Off.Present() || !c.Allowed.Present() {
		return ""
	}
	in := func(x result.Number) string {
		if percentages(c) {
			return digits.Significant(100*float64(x), 2) + " %"
		}
		return digits.Significant(float64(x), 2)
	}
	switch {
	case c.Off == 0 && c.Allowed == 0:
		return "holds if it is exact"
	case c.Off == 0:
		return "holds up to " + in(c.Allowed) + " off"
	}
	return fmt.Sprintf("off by %s, %s allowed", in(c.Off), in(c.Allowed))
}

// Of says of what published numbers were computed again; empty for other claims.
func Of(c result.Claim) string {
	if c.By == "" {
		return ""
	}
	return inWords(c.By)
}

// inWords is a row or a function as people read it who do not draw it: greatest weight at d_k = 64.
func inWords(text string) string {
	head, inside, row := strings.Cut(strings.TrimSuffix(text, "]"), "[")
	group := names.GroupQuantity
	if !row {
		head, inside, _ = strings.Cut(strings.TrimSuffix(text, ")"), "(")
		group = names.GroupClaim
	}
	_, name, dotted := strings.Cut(head, ".")
	if !dotted {
		name = head
	}
	var given []string
	for part := range strings.SplitSeq(inside, ", ") {
		parameter, value, _ := strings.Cut(part, "=")
		values := strings.Split(value, " ")
		for i, v := range values {
			values[i] = signed(v)
		}
		given = append(given, parameter+" = "+strings.Join(values, ", "))
	}
	return names.Of(group, name).Title + " at " + strings.Join(given, ", ")
}

// signed writes the minus signs of a number; a name keeps its hyphens, so that it can be
// copied.
func signed(text string) string {
	if written.MatchString(text) {
		return strings.ReplaceAll(text, "-", "−")
	}
	return text
}

// written is a number as ledgers have it: 0.5, -1/2, 2^-10, 3.7e-44 or 9.2%.
var written = regexp.MustCompile(`^[-+]?[0-9.]+([/^][-+]?[0-9.]+|[eE][-+]?[0-9]+)? ?%?$`)

// Errors is how many errors wrong claims make: one that repeats another's makes none of its own.
func Errors(wrong []result.Claim) (n int) {
	for _, c := range wrong {
		if c.Repeats == "" {
			n++
		}
	}
	return n
}

// deciding are the conditions that the verdict rests on: the literal ones where these are
// met, else those that are not, and the weakened ones.
func deciding(c result.Claim) (all []result.Condition) {
	for _, of := range c.Conditions {
		if of.Sense != "because" && (c.Verdict == names.ClaimHolds || strings.HasSuffix(of.Sense, "weakened") || of.Met != names.ConditionMet) {
			all = append(all, of)
		}
	}
	return all
}

// senses are what a condition is called where it is not a literal one of which all count.
var senses = map[string]string{"any literal": "any of: ", "weakened": "weakened: ", "any weakened": "weakened, any of: "}

// condition is a condition with what it reads and where it turns.
func condition(c result.Condition) string {
	text := senses[c.Sense] + inWords(c.Reads)
	if c.Over != "" {
		text += " over " + inWords(c.Over)
	}
	if !c.Value.Present() || !c.Lo.Present() || !c.Hi.Present() {
		return text + " " + c.Why
	}
	text += " is " + number(float64(c.Value), float64(c.Lo), float64(c.Hi), "", c.Experiment != "")
	switch c.Met {
	case names.ConditionMet:
		return text + ", " + wanted(c)
	case names.ConditionUnmet:
		return text + ", not " + wanted(c)
	}
	return text + ", which leaves open whether it is " + wanted(c)
}

// wanted is what a condition wants, a word with its threshold.
func wanted(c result.Condition) string {
	bound := ""
	switch {
	case c.Least.Present() && c.Most.Present():
		bound = fmt.Sprintf("in %s..%s", digits.Short(float64(c.Least)), digits.Short(float64(c.Most)))
	case c.Least.Present():
		bound = "≥ " + digits.Short(float64(c.Least))
	case c.Most.Present():
		bound = "< " + digits.Short(float64(c.Most))
	}
	if slices.ContainsFunc(names.ClaimWords, func(w names.ClaimWord) bool { return w.Name == c.Is }) {
		return c.Is + " (" + bound + ")"
	}
	return bound
}

// narrow is how wide an interval is, relatively, that rounding of float64 alone makes; one of
// 0 may be as wide as nothing.
const (
	narrow  = 1e-6
	nothing = 1e-300
)

// Brackets says what stands in brackets behind a number that was found. It is no ±, which
// means one standard error everywhere else.
const Brackets = "In brackets: all that a number may be, given what the printed inputs were rounded from; of what was drawn, about four standard errors on either side."

// number is a computed number: with its interval, of a row, and of any other where that is
// wider than rounding of float64 makes it, else with a digit more than the published one
// beside it.
func number(x, lo, hi float64, published string, row bool) string {
	unit, factor := "", 1.0
	if strings.HasSuffix(published, "%") {
		unit, factor = " %", 100
	}
	x, lo, hi = factor*x, factor*lo, factor*hi
	half := max(hi-x, x-lo)
	switch {
	case math.IsNaN(half) || math.IsInf(half, 0):
		return digits.Rough(x) + unit + ", without a bound"
	case row || half > nothing && half > narrow*math.Abs(x):
		return digits.Within(x, lo, hi) + unit
	case published == "" && x == math.Round(x):
		return digits.Short(x) + unit
	case published == "":
		return digits.Significant(x, 3) + unit
	}
	return likePublished(x, strings.TrimSuffix(published, "%")) + unit
}

// likePublished writes a number with a digit more than a published one has.
func likePublished(x float64, published string) string {
	mantissa, _, scientific := strings.Cut(strings.ToLower(published), "e")
	_, fraction, decimal := strings.Cut(mantissa, ".")
	switch {
	case scientific:
		return digits.Significant(x, len(fraction)+2)
	case !decimal && x == math.Round(x):
		return digits.Short(x)
	}
	places := min(len(fraction)+1, mostPlaces)
	if x != 0 && math.Abs(x) < math.Pow10(-places)/2 {
		return digits.Rough(x)
	}
	return digits.Places(x, places)
}

// mostPlaces bounds how many decimals a number takes over from a published one.
const mostPlaces = 6

// Sources are the sources of claims in their order, each with its claims.
func Sources(all []result.Claim) (order []string, of map[string][]result.Claim) {
	return view.ByKey(all, func(c result.Claim) string { return c.Source })
}

// Title is the title of a source; its name where it has none.
func Title(source string) string { return names.Of(names.GroupValue, source).Title }

// ByVerdict parts claims by their verdicts.
func ByVerdict(all []result.Claim) map[string][]result.Claim {
	_, of := view.ByKey(all, func(c result.Claim) string { return c.Verdict })
	return of
}
