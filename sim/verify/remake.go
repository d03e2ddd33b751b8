package verify

import (
	"bytes"
	"fmt"
	"io"

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
	v.Basis, v.Unjudged, v.Resting = basis, 0, nil
	return v.compareText("", "the "+string(basis)+" give", text, func(w io.Writer) error { return result.Layout(w, again) })
}

// Estimates wants the text of the file of estimates to be what the document gives.
func (v *Judgement) Estimates(doc *result.Document, text []byte) error {
	return v.compareText(" of the file of estimates", "the document gives", text, func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) })
}

// digestLine begins the line that differs wherever another does.
var digestLine = []byte(`"digest": `)

// compareText holds a text against what is written anew, line by line, and says where they
// differ first, and in how many lines.
func (v *Judgement) compareText(of, who string, has []byte, write func(io.Writer) error) error {
	var anew bytes.Buffer
	if err := write(&anew); err != nil {
		return err
	}
	wants, differing, first := anew.Bytes(), 0, ""
	for n := 1; len(has)+len(wants) > 0; n++ {
		a, restA, endedA := bytes.Cut(has, []byte("\n"))
		b, restB, endedB := bytes.Cut(wants, []byte("\n"))
		has, wants = restA, restB
		if endedA == endedB && bytes.Equal(a, b) || bytes.HasPrefix(a, digestLine) && bytes.HasPrefix(b, digestLine) {
			continue
		}
		if differing++; differing == 1 {
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			first = fmt.Sprintf("line %d%s is not what %s; it has %s in place of %s", n, of, who, quoted(a, at), quoted(b, at))
		}
	}
	if differing > 1 {
		first += fmt.Sprintf("; %d lines differ in all", differing)
	}
	if differing > 0 {
		v.mismatch("%s", first)
	}
	return nil
}

// quoted is the part of a line around a byte.
func quoted(line []byte, at int) string {
	const around = 40
	from, to := max(at-around, 0), min(at+around, len(line))
	return fmt.Sprintf("%q", line[min(from, len(line)):to])
}

// Run wants the record of the run to be of the document, by its digest. What else it
// says nobody can check.
func (v *Judgement) Run(doc *result.Document, digest string) {
	if digest != doc.Digest {
		v.mismatch("the record of the run is of other results: it says %q, the document has %q", digest, doc.Digest)
	}
}
