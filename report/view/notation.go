package view

import (
	"regexp"
	"slices"

	"mcsim/report/digits"
)

// sign is a piece of notation that cells of tables have, and what it means. A page says it
// once, for all its tables.
type sign struct {
	meaning string
	in      *regexp.Regexp // a cell that has it
}

// signs are in the order in which a page explains them.
var signs = []sign{
	{"The number after ± is the standard error.", regexp.MustCompile(`\d ± \d`)},
	{"The digits in parentheses are the standard error of the last digits: 1.0003(10) is 1.0003 ± 0.0010.", regexp.MustCompile(`\d\(\d+\)`)},
	{"The number after < is an upper limit. For a share with no event seen it is the upper end of the interval; for a median it is the smallest value that can be told from 0.", regexp.MustCompile(`^< `)},
	{digits.Unsure + " The error is not known; the checks say why.", regexp.MustCompile(digits.Unsure + `$`)},
}

// Notation says what the signs mean that the cells of the table have, a sentence for
// each sign.
func (t Table) Notation() (meanings []string) {
	for _, s := range signs {
		if t.has(s.in) {
			meanings = append(meanings, s.meaning)
		}
	}
	if t.Brackets != "" && t.has(brackets) {
		meanings = append(meanings, t.Brackets)
	}
	return meanings
}

// brackets is an interval behind its value.
var brackets = regexp.MustCompile(`\d \\?\[`)

// has reports whether a cell of the table has it.
func (t Table) has(it *regexp.Regexp) bool {
	return slices.ContainsFunc(t.Rows, func(row []string) bool { return slices.ContainsFunc(row, it.MatchString) })
}

// InOrder sorts sentences of notation as a page says them: on tables first, then
// any others as they come, each once.
func InOrder(meanings []string) (sorted []string) {
	for _, s := range signs {
		if slices.Contains(meanings, s.meaning) {
			sorted = append(sorted, s.meaning)
		}
	}
	for _, m := range meanings {
		if !slices.Contains(sorted, m) {
			sorted = append(sorted, m)
		}
	}
	return sorted
}
