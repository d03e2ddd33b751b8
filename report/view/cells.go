package view

import (
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// Concise writes a row for a table of many columns.
func Concise(e result.Estimate) string { return written(e, digits.Concise) }

// Measured writes a row's value with its error.
func Measured(e result.Estimate) string { return written(e, digits.PlusMinus) }

// written writes a row's value with its error in a form, which stay on one line, or
// with a mark where its error is not known.
func written(e result.Estimate, form func(value, se float64) string) string {
	if rows.OnlyBounded(e) {
		return digits.Bounded(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	text := form(float64(e.Value), float64(e.SE)) + digits.InBins(float64(e.Resolution))
	text = strings.ReplaceAll(text, " ", "\u00a0")
	if rows.ErrorUnknown(e) {
		text += digits.Unsure
	}
	return text
}

// Said writes a row's value as running text says it: with few digits where its error
// leaves these certain, else as it was measured.
func Said(e result.Estimate) string {
	switch {
	case rows.ErrorUnknown(e):
		return Measured(e)
	case rows.OnlyBounded(e):
		return digits.SaidBounded(float64(e.Value), float64(e.Lo), float64(e.Hi), float64(e.Resolution))
	}
	return strings.ReplaceAll(digits.Said(float64(e.Value), float64(e.SE), float64(e.Resolution)), " ", "\u00a0")
}

// Interval writes a row's confidence interval.
func Interval(e result.Estimate) string {
	return digits.IntervalOf(float64(e.Lo), float64(e.Hi), float64(e.SE))
}
