package report

import (
	"fmt"
	"mcsim/report/plot"

	"mcsim/report/digits"
	"mcsim/report/rows"
	"mcsim/sim/result"
)

// unsure marks a value whose error is not known.
const unsure = "†"

const unsureNote = " " + unsure + " The error is not known; the checks say why."

// limiting marks theory that holds in a limit alone.
const limiting = "‡"

const limitingNote = " " + limiting + " A limit of many components, not the exact value here."

// unknown reports whether nothing is known of a row's error: neither a standard
// error nor an interval.
func unknown(e result.Estimate) bool { return !e.SE.Present() && !(e.Lo.Present() && e.Hi.Present()) }

// conciseNote explains value(error) where a table uses it.
const conciseNote = " The digits in parentheses are the standard error of the last digits: 1.0003(10) is 1.0003 ± 0.0010."

// concise writes a row for a table of many columns.
func concise(e result.Estimate) string {
	if text := digits.NoneSeen(float64(e.Value), float64(e.SE), float64(e.Hi)); text != "" {
		return text
	}
	text := digits.Concise(float64(e.Value), float64(e.SE))
	if unknown(e) {
		text += unsure
	}
	return text
}

// byLaw lays out one quantity with laws as columns and dimensions as rows, in
// the given unit (nil: as measured).
func (s *source) byLaw(f rows.Filter, in plot.Unit, caption string) table {
	f.Has = append([]string{"law", "d_k"}, f.Has...)
	es := s.estimates(f)
	t := table{Caption: caption + conciseNote, Head: []string{"d_k"}}
	laws := rows.Names(es, "law")
	for _, law := range laws {
		t.Head = append(t.Head, escape(law))
	}
	for _, l := range s.lines(f) {
		line := []string{l.name()}
		for _, law := range laws {
			cell := ""
			if e, ok := rows.One(s.doc, l.of(f.With("law", law))); ok {
				cell = inUnit(e, in)
			}
			line = append(line, cell)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

func inUnit(e result.Estimate, in plot.Unit) string {
	if in != nil {
		var ok bool
		if e, ok = in(e); !ok {
			return digits.None
		}
	}
	return concise(e)
}

// lawHead writes "for the law normal" and the like.
func lawHead(law string) string { return fmt.Sprintf("the law %s", escape(law)) }
