package inspect

import (
	"fmt"
	"strings"
)

// WarnAlike is for weights, whose dependence is said by itself.
func (s *Summary) WarnAlike() {
	if s.Alike() {
		s.Warnings = append(s.Warnings, strings.TrimSuffix(s.dependence(), "."))
	}
}

// dependence is what to say of rows that are not independent.
func (s Summary) dependence() string {
	switch {
	case s.Alike():
		return fmt.Sprintf("Neighbouring rows are alike, by %.0f standard errors more than others: they are not independent, "+
			"and the errors are not known. Save %d texts or more, one after the other on the first axis.", s.alike, minBlocks)
	case s.Blocks > 0 && s.Texts > 1:
		return fmt.Sprintf("The error is that of a block bootstrap over %d texts, or blocks of rows, so rows of one may "+
			"depend on each other.", s.Blocks)
	case s.Blocks > 0:
		return fmt.Sprintf("The error is that of a block bootstrap over %d heads, with what their tokens have in common.",
			s.Blocks)
	}
	return fmt.Sprintf("The error takes rows for independent. If they are tokens of one text, it is too small: save "+
		"several texts, %d or more, one after the other on the first axis.", minBlocks)
}
