package page

import (
	"regexp"
	"slices"

	"mcsim/report/digits"
)

// sign is a notation in the cells of tables. A page explains a sign once for all its tables.
type sign struct {
	meaning string
	cell    *regexp.Regexp // matches a cell with the sign
}

// signs are all signs, in the order in which a page explains them.
var signs = []sign{
	{"The number after ± is the standard error.", regexp.MustCompile(`\d ± \d`)},
	{"The digits in parentheses are the standard error in units of the last digit: 1.0003(10) is 1.0003 ± 0.0010.",
		regexp.MustCompile(`\d\(\d+\)`)},
	{"The number after < is an upper limit. For a share with no event seen it is the upper end of the interval; " +
		"for a median it is the smallest value that can be told from 0.", regexp.MustCompile(`^< `)},
	{digits.UnknownErrorMark + " The error is not known; the checks say why.",
		regexp.MustCompile(digits.UnknownErrorMark + `$`)},
}

// Notation returns the meanings of the signs in the texts of cells.
func Notation(cells ...string) (meanings []string) {
	for _, s := range signs {
		if slices.ContainsFunc(cells, s.cell.MatchString) {
			meanings = append(meanings, s.meaning)
		}
	}
	return meanings
}

// Notation returns the meanings of the signs in the cells of the table.
func (t Table) Notation() []string { return Notation(slices.Concat(t.Rows...)...) }

// SortMeanings sorts meanings of signs into the order in which a page explains them, and removes
// repeated ones.
func SortMeanings(meanings []string) (sorted []string) {
	for _, s := range signs {
		if slices.Contains(meanings, s.meaning) {
			sorted = append(sorted, s.meaning)
		}
	}
	return sorted
}
