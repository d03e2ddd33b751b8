package report

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/sim/result"
)

// tally counts gates by verdict.
type tally struct{ gates, pass, undecided, fail int }

func count(gates []result.Gate) (t tally) {
	for _, g := range gates {
		t.gates++
		switch g.Verdict {
		case result.Pass:
			t.pass++
		case result.Undecided:
			t.undecided++
		default: // what is no known verdict has not passed
			t.fail++
		}
	}
	return t
}

func (t tally) clean() bool { return t.gates == t.pass }

// verdict is the outcome of all gates in words.
type verdict struct {
	None   bool // nothing was judged
	Passed bool
	Text   string
}

func (s *source) verdict() verdict {
	t := count(s.doc.Gates)
	word := s.doc.Budget.Verdict
	switch {
	case t.gates == 0:
		return verdict{None: true, Text: "This plan declares no gates: nothing here has been judged."}
	case t.clean() && word == result.Pass:
		return verdict{Passed: true, Text: fmt.Sprintf("All %s gates **pass**.", digits.Count(int64(t.gates)))}
	case t.clean():
		return verdict{Text: fmt.Sprintf("All %s gates pass one by one, but the document as a whole is marked **%s**.",
			digits.Count(int64(t.gates)), escape(string(word)))}
	}
	return verdict{Text: t.sentence()}
}

func (t tally) sentence() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{t.fail, string(result.Fail)}, {t.undecided, string(result.Undecided)}, {t.pass, string(result.Pass)}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%s **%s**", digits.Count(int64(p.n)), p.word))
		}
	}
	return fmt.Sprintf("Not all gates pass. Of %s gates: %s.", digits.Count(int64(t.gates)), strings.Join(parts, ", "))
}
