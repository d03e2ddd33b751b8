package view

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/result"
)

// tally counts gates by verdict.
type tally struct{ Gates, Pass, Undecided, Fail int }

// Count counts gates by verdict.
func Count(gates []result.Gate) (t tally) {
	for _, g := range gates {
		t.Gates++
		switch g.Verdict {
		case result.Pass:
			t.Pass++
		case result.Undecided:
			t.Undecided++
		default: // what is no known verdict has not passed
			t.Fail++
		}
	}
	return t
}

// Verdict says how the gates came out, and where the document as a whole is marked otherwise
// than these say.
func (s *Source) Verdict() string {
	t := Count(s.Doc.Gates)
	number := func(n int) string { return digits.Count(int64(n)) }
	switch {
	case t.Gates == 0:
		return "This plan declares no gates: nothing here has been judged."
	case t.Gates > t.Pass:
		var said []string
		for _, v := range []struct {
			n                  int
			mark, one, several string
		}{{t.Fail, "**", "fails", "fail"}, {t.Undecided, "**", "is undecided", "are undecided"}, {t.Pass, "", "passes", "pass"}} {
			if v.n == 1 {
				v.several = v.one
			}
			if v.n > 0 {
				said = append(said, v.mark+number(v.n)+" "+v.several+v.mark)
			}
		}
		return fmt.Sprintf("Not all gates pass: of %s, %s.", number(t.Gates), strings.Join(said, ", "))
	case s.Doc.Budget.Verdict != result.Pass:
		return fmt.Sprintf("All gates pass (%s), but the document as a whole is marked **%s**.", number(t.Gates), markdown.Escape(string(s.Doc.Budget.Verdict)))
	}
	return fmt.Sprintf("All %s gates **pass**.", number(t.Gates))
}
