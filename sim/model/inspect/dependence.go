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
	count := fmt.Sprintf("about %.0f", float64(s.Worth))
	if s.Worth < 2 {
		count = "fewer than 2"
	}
	worth := fmt.Sprintf("%d rows are worth %s independent ones", max(s.Queries, s.Keys), count)
	switch {
	case s.unknown():
		return fmt.Sprintf("Rows are alike: %s. These are too few for the errors to be known. Save longer texts, or "+
			"several, one after the other on the first axis.", worth)
	case s.alike > 0:
		return fmt.Sprintf("Rows are alike: %s. Errors are those of batches of rows that follow each other.",
			worth)
	case s.Blocks > 0:
		return fmt.Sprintf("Errors are Student's, from the scatter between %d texts, or blocks of rows, so rows of one may "+
			"depend on each other.", s.Blocks)
	}
	return "Errors take rows for independent: neighbours are not seen to be alike. They say nothing about other texts: " +
		"save several, one after the other on the first axis."
}
