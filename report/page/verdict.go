package page

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/sim/result"
)

// verdictCounts has the numbers of gates with each verdict.
type verdictCounts struct{ pass, undecided, fail int }

func countVerdicts(gates []result.Gate) (n verdictCounts) {
	for _, g := range gates {
		switch g.Verdict {
		case result.Pass:
			n.pass++
		case result.Undecided:
			n.undecided++
		default: // an unknown verdict is not a pass
			n.fail++
		}
	}
	return n
}

func boldUnlessZero(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("**%d**", n)
}

// Verdict returns a sentence with the verdicts of the gates. If all gates pass but the verdict of
// the document as a whole is another one, the sentence also has that verdict.
func (s *Source) Verdict() string {
	n, gates := countVerdicts(s.Doc.Gates), formatCount(s.Doc.Gates)
	switch {
	case len(s.Doc.Gates) == 0:
		return "This plan declares no gates: nothing here has been judged."
	case n.fail+n.undecided > 0:
		var parts []string
		addCount := func(n int, singular, plural, emphasis string) {
			verb := plural
			if n == 1 {
				verb = singular
			}
			if n > 0 {
				parts = append(parts, emphasis+digits.Count(int64(n))+" "+verb+emphasis)
			}
		}
		addCount(n.fail, "fails", "fail", "**")
		addCount(n.undecided, "is undecided", "are undecided", "**")
		addCount(n.pass, "passes", "pass", "")
		return fmt.Sprintf("Not all gates pass: of %s, %s.", gates, strings.Join(parts, ", "))
	case s.Doc.Budget.Verdict != result.Pass:
		verdict := markdown.Escape(string(s.Doc.Budget.Verdict))
		return fmt.Sprintf("All gates pass (%s), but the document as a whole is marked **%s**.", gates, verdict)
	}
	return fmt.Sprintf("All %s gates **pass**.", gates)
}
