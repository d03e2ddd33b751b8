package report

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/rows"
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

// verdict repeats what the document says of its gates, and says before it
// where they are not the gates of its rows.
func (s *source) verdict() verdict {
	v := s.recorded()
	n := s.estranged()
	if n == 0 {
		return v
	}
	who := digits.Count(int64(n)) + " gates do not show the value of their row"
	if n == 1 {
		who = "1 gate does not show the value of its row"
	}
	return verdict{Text: "**" + who + "; run `mcsim verify`.** The document itself says: " + v.Text}
}

// estranged counts the gates whose value is not that of their row.
func (s *source) estranged() (n int) {
	for _, g := range s.doc.Gates {
		e, ok := rows.Judged(s.doc, g)
		same := e.Value == g.Value || !e.Value.Present() && !g.Value.Present()
		if !ok || !same {
			n++
		}
	}
	return n
}

// recorded is the outcome as the document has it.
func (s *source) recorded() verdict {
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
	switch t.gates {
	case t.undecided:
		return fmt.Sprintf("%s **undecided**: more scores would decide.", every(t.gates, "is", "are"))
	case t.fail:
		return fmt.Sprintf("%s **%s**.", every(t.gates, "", ""), map[bool]string{true: "fails", false: "fail"}[t.gates == 1])
	}
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{t.fail, "**fails**", "**fail**"}, {t.undecided, "is **undecided**", "are **undecided**"}, {t.pass, "**passes**", "**pass**"}} {
		word := p.many
		if p.n == 1 {
			word = p.one
		}
		if p.n > 0 {
			parts = append(parts, digits.Count(int64(p.n))+" "+word)
		}
	}
	last := len(parts) - 1
	return fmt.Sprintf("Not all gates pass: of %s, %s and %s.", digits.Count(int64(t.gates)), strings.Join(parts[:last], ", "), parts[last])
}

// every writes "All 8 gates are" or "The one gate is".
func every(n int, one, many string) string {
	if n == 1 {
		return strings.TrimRight("The one gate "+one, " ")
	}
	return strings.TrimRight("All "+digits.Count(int64(n))+" gates "+many, " ")
}
