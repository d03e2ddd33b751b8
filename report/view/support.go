package view

import (
	"fmt"
	"slices"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Support says how far the rows behind a finding support it. A finding is
// stated as a fact only where it is firm; else the page says what was
// measured, what theory says, and Text.
type Support struct {
	Firm bool
	Text string // how the gates on the finding, or the intervals of its rows, came out
}

// Support compares a finding with theory through what the document holds:
// the verdicts and intervals of the gates on its quantities, and whether the rows that
// are shown have a theory and do not contradict it; or where it has no gates the
// intervals of these rows.
func (s *Source) Support(shown []result.Estimate, quantities ...string) Support {
	var gates []result.Gate
	for _, g := range s.Doc.Gates {
		if slices.Contains(quantities, g.Quantity) {
			gates = append(gates, g)
		}
	}
	t := Count(gates)
	switch {
	case t.Gates == 0:
		return Support{Text: unjudged(shown)}
	case t.Fail > 0:
		return Support{Text: fmt.Sprintf("Of the gates on this, %s: it is not borne out.", among(t.Fail, t.Gates, "fails", "fail"))}
	case t.Undecided > 0:
		return Support{Text: fmt.Sprintf("Of the gates on this, %s: too few scores were drawn to say whether theory holds.",
			among(t.Undecided, t.Gates, "is undecided", "are undecided"))}
	case slices.ContainsFunc(shown, rows.Strays):
		return Support{Text: "The gates on this pass, but not all numbers here agree with theory."}
	case slices.ContainsFunc(shown, func(e result.Estimate) bool { return !e.Theory.Present() }):
		return Support{Text: "The gates on this pass, but there is no theory of all numbers here."}
	case slices.ContainsFunc(gates, s.theoryOutside):
		return Support{Text: "The gates on this pass, within a tolerance that is wider than the distance from theory which they show."}
	}
	return Support{Firm: s.Verdict().Passed, Text: "The gates on this pass."}
}

// among writes "3 of 12 fail", "the only one fails".
func among(n, of int, one, many string) string {
	switch {
	case of == 1:
		return "the only one " + one
	case n == of && n == 2:
		return "both " + many
	case n == of:
		return "all " + digits.Count(int64(of)) + " " + many
	}
	return counted(n, "of "+digits.Count(int64(of))+" "+one, "of "+digits.Count(int64(of))+" "+many)
}

// theoryOutside reports whether the interval of a gate that passes does not hold what
// theory says, so that a wide tolerance alone lets it pass.
func (s *Source) theoryOutside(g result.Gate) bool {
	e, ok := rows.Judged(s.Doc, g)
	return ok && g.Expect == names.ExpectInside && e.Theory.Present() && (e.Theory < g.Lo || e.Theory > g.Hi)
}

// unjudged says of rows without gates whether their intervals hold theory.
func unjudged(shown []result.Estimate) string {
	with, hold := agreeing(shown)
	intervals := Level(shown) + " interval"
	switch {
	case with == 0 && len(shown) == 0:
		return "No gate judges this."
	case with == 0:
		return "No gate judges this, and no row of it has an interval."
	case with == 1 && hold == 1:
		return "No gate judges this; its " + intervals + " holds what theory says."
	case with == 1:
		return "No gate judges this; its " + intervals + " does not hold what theory says."
	case hold == with:
		return "No gate judges this; the " + intervals + "s hold what theory says."
	case hold == 0:
		return "No gate judges this; the " + intervals + "s do not hold what theory says."
	}
	return "No gate judges this; not all " + intervals + "s hold what theory says."
}

// Holding says of the exponents of an aligned key how many of their intervals hold what
// theory says.
func Holding(shown []result.Estimate) string {
	with, hold := agreeing(shown)
	if with == 0 {
		return ""
	}
	return fmt.Sprintf("No gate judges the exponents that keep the size of an aligned key's score; of %s at %s, %s what theory says.", counted(with, "interval", "intervals"), Level(shown), counted(hold, "holds", "hold"))
}

// agreeing counts the rows that have an interval and a theory, and those of which
// the one holds the other.
func agreeing(es []result.Estimate) (with, hold int) {
	for _, e := range es {
		if e.Lo.Present() && e.Hi.Present() && e.Theory.Present() {
			with++
		}
		if Agrees(e) {
			hold++
		}
	}
	return with, hold
}

// counted writes "1 interval", "29 hold".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return digits.Count(int64(n)) + " " + many
}

// Sharp and Faint are the variances of a score from which on softmax is far
// from uniform, and below which it is close to it: standard deviations of
// nearly 3 and of a third.
const (
	Sharp = 8
	Faint = 1.0 / 8
)

// Above and below report whether a row lies beyond a bound with its interval.
func Above(e result.Estimate, bound result.Number) bool { return e.Lo.Present() && e.Lo >= bound }
func Below(e result.Estimate, bound result.Number) bool { return e.Hi.Present() && e.Hi <= bound }

// Agrees reports whether a row's interval holds its theory.
func Agrees(e result.Estimate) bool {
	return e.Lo.Present() && e.Hi.Present() && e.Lo <= e.Theory && e.Theory <= e.Hi
}
