package view

import (
	"fmt"
	"strings"

	"mcsim/report/digits"
	"mcsim/report/markdown"
	"mcsim/report/rows"
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

func (t tally) Clean() bool { return t.Gates == t.Pass }

// Verdict is the outcome of all gates in words.
type Verdict struct {
	None   bool // nothing was judged
	Passed bool
	Text   string
}

// Verdict repeats what the document says of its gates, and says before it
// where they are not the gates of its rows.
func (s *Source) Verdict() Verdict {
	v := s.recorded()
	n := s.offTheirRows
	if n == 0 {
		return v
	}
	return Verdict{Text: "**" + counted(n, "gate does not show the value of its row", "gates do not show the value of their row") + "; run `mcsim verify`.** The document itself says: " + v.Text}
}

// gatesOffTheirRows counts the gates whose value is not that of their row.
func gatesOffTheirRows(doc *result.Document) (n int) {
	for _, g := range doc.Gates {
		e, ok := rows.Judged(doc, g)
		same := e.Value == g.Value || !e.Value.Present() && !g.Value.Present()
		if !ok || !same {
			n++
		}
	}
	return n
}

// recorded is the outcome as the document has it.
func (s *Source) recorded() Verdict {
	t := Count(s.Doc.Gates)
	word := s.Doc.Budget.Verdict
	switch {
	case t.Gates == 0:
		return Verdict{None: true, Text: "This plan declares no gates: nothing here has been judged."}
	case t.Clean() && word == result.Pass:
		return Verdict{Passed: true, Text: every(t.Gates, "**passes**", "**pass**") + "."}
	case t.Clean():
		return Verdict{Text: fmt.Sprintf("%s, but the document as a whole is marked **%s**.",
			every(t.Gates, "passes", "pass one by one"), markdown.Escape(string(word)))}
	}
	return Verdict{Text: t.Sentence()}
}

// Sentence says how many gates pass, fail and are undecided.
func (t tally) Sentence() string {
	switch t.Gates {
	case t.Undecided:
		return fmt.Sprintf("%s **undecided**: more scores would decide.", every(t.Gates, "is", "are"))
	case t.Fail:
		return every(t.Gates, "**fails**", "**fail**") + "."
	}
	var parts []string
	for _, p := range []struct {
		n         int
		one, many string
	}{{t.Fail, "**fails**", "**fail**"}, {t.Undecided, "is **undecided**", "are **undecided**"}, {t.Pass, "**passes**", "**pass**"}} {
		if p.n > 0 {
			parts = append(parts, counted(p.n, p.one, p.many))
		}
	}
	last := len(parts) - 1
	return fmt.Sprintf("Not all gates pass: of %s, %s and %s.", digits.Count(int64(t.Gates)), strings.Join(parts[:last], ", "), parts[last])
}

// every writes "All 8 gates are", "Both gates are" or "The one gate is".
func every(n int, one, many string) string {
	return digits.All(n, "gate", "gates") + " " + digits.Form(n, one, many)
}

// counted writes "1 interval", "29 hold".
func counted(n int, one, many string) string {
	return digits.Count(int64(n)) + " " + digits.Form(n, one, many)
}
