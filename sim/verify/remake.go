package verify

import (
	"bytes"
	"fmt"

	"mcsim/sim/document"
	"mcsim/sim/plan"
	"mcsim/sim/result"
	"mcsim/sim/schedule"
	"mcsim/sim/store"
)

// Remake makes the document again from nodes and compares it with its text, byte for
// byte but for the digest, which the reader of the text has checked. The error says that
// the nodes are not those of the document; the judgement then stays as it is.
func (v *Judgement) Remake(doc *result.Document, text []byte, nodes *store.Store, basis Basis) error {
	p, err := plan.Decode(doc.Plan, len(doc.Estimates))
	if err != nil {
		return err
	}
	s, err := schedule.New(p)
	if err != nil {
		return err
	}
	again, err := document.Build(s, nodes)
	if err != nil {
		return err
	}
	if basis == FromDraws && len(doc.Curves)+len(doc.Examples)+len(doc.Claims) == 0 {
		again.Curves, again.Examples, again.Claims = nil, nil, nil // rows alone, as probe writes them
	}
	w := &comparison{left: text}
	if err := result.Layout(w, again); err != nil {
		return err
	}
	v.Basis, v.Unjudged = basis, 0
	if w.end(); w.differing > 0 {
		v.mismatch("line %d is not what the %s give; it has %s, they give %s%s", w.line, basis, quoted(w.has, w.at), quoted(w.wants, w.at), more(w.differing))
	}
	return nil
}

// more counts the lines that differ beside the first.
func more(differing int) string {
	if differing == 1 {
		return ""
	}
	return fmt.Sprintf("; %d lines differ in all", differing)
}

// comparison is a writer that holds lines against those of a text.
type comparison struct {
	left      []byte // of the text
	part      []byte // of the line that is being written
	lines     int
	differing int
	line, at  int // of the first difference: its line, from 1, and the byte in it
	has       []byte
	wants     []byte
}

// Write compares every line that b ends, and holds what is left for the next call.
func (w *comparison) Write(b []byte) (int, error) {
	n := len(b)
	for {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			w.part = append(w.part, b...)
			return n, nil
		}
		w.compare(append(w.part, b[:i]...))
		w.part, b = w.part[:0], b[i+1:]
	}
}

// digestLine begins the line that differs wherever another does.
var digestLine = []byte(`"digest": `)

// compare holds one line against the text's next.
func (w *comparison) compare(line []byte) {
	has, rest, ended := bytes.Cut(w.left, []byte("\n"))
	w.left = rest
	w.lines++
	if ended && (bytes.Equal(has, line) || bytes.HasPrefix(has, digestLine) && bytes.HasPrefix(line, digestLine)) {
		return
	}
	w.note(has, line)
}

// note records the first difference, and counts.
func (w *comparison) note(has, wants []byte) {
	if w.differing++; w.differing > 1 {
		return
	}
	w.line, w.has, w.wants = w.lines, bytes.Clone(has), bytes.Clone(wants)
	for w.at < min(len(has), len(wants)) && has[w.at] == wants[w.at] {
		w.at++
	}
}

// end compares what comes after the last line.
func (w *comparison) end() {
	if len(w.left) > 0 || len(w.part) > 0 {
		w.lines++
		w.note(w.left, w.part)
	}
}

// around is how many bytes an excerpt shows on either side of a difference.
const around = 40

// quoted is the part of a line around a byte.
func quoted(line []byte, at int) string {
	from, to := max(at-around, 0), min(at+around, len(line))
	return fmt.Sprintf("%q", line[min(from, len(line)):to])
}

// Estimates wants the text of the file of estimates to be what the document gives.
func (v *Judgement) Estimates(doc *result.Document, text []byte) error {
	w := &comparison{left: text}
	if err := result.WriteCSV(w, doc.Estimates); err != nil {
		return err
	}
	if w.end(); w.differing > 0 {
		v.mismatch("line %d of the file of estimates is not what the document gives; it has %s, the document gives %s%s", w.line, quoted(w.has, w.at), quoted(w.wants, w.at), more(w.differing))
	}
	return nil
}

// Run wants the record of the run to be of the document, by its digest. What else it
// says nobody can check.
func (v *Judgement) Run(doc *result.Document, digest string) {
	if digest != doc.Digest {
		v.mismatch("the record of the run is of other results: it says %q, the document has %q", digest, doc.Digest)
	}
}

// Unusable says that the document cannot be made again from the nodes that stand beside it.
func (v *Judgement) Unusable(why error) {
	v.mismatch("the document cannot be made again, since %v; without that file its rows alone are judged", why)
}
