package inspect

import (
	"fmt"
	"strings"
)

// WarnAlike is for weights, whose dependence is said by itself.
func (s *Summary) WarnAlike() {
	if s.unknown() {
		s.Warnings = append(s.Warnings, strings.TrimSuffix(s.dependence(), "."))
	}
}

// unknown reports whether neighbouring rows depend on each other so much that their errors are not
// known.
func (s Summary) unknown() bool { return s.alike > 0 && !s.All.Variance.SE.Present() }

// dependence says what errors rest on.
func (s Summary) dependence() string {
	worth := fmt.Sprintf("%d rows are worth about %.0f independent ones", max(s.Queries, s.Keys), float64(s.Worth))
	switch {
	case s.unknown():
		return fmt.Sprintf("Neighbouring rows are alike, by %.0f standard errors: %s. These are too few for the errors "+
			"to be known. Save longer texts, or several, one after the other on the first axis.", s.alike, worth)
	case s.alike > 0:
		return fmt.Sprintf("Neighbouring rows are alike: %s. Errors are those of batches of rows that follow each other.",
			worth)
	case s.Blocks > 0:
		return fmt.Sprintf("Errors are Student's, from the scatter between %d texts, or blocks of rows, so rows of one may "+
			"depend on each other.", s.Blocks)
	}
	return "Errors take rows for independent: neighbours are not seen to be alike. They say nothing about other texts: " +
		"save several, one after the other on the first axis."
}
