package verify

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"mcsim/sim/base/store"
	"mcsim/sim/engine/document"
	"mcsim/sim/engine/schedule"
	"mcsim/sim/result"
)

// Remake makes the document again from nodes, compares it with its text byte for byte except for
// the digest, which the reader of the text has checked, and closes the nodes. It fails if the
// nodes are not those of the document; the judgement is then unchanged.
func (v *Judgement) Remake(text io.Reader, nodes *store.Store, basis Basis) error {
	s, err := schedule.New(v.Plan)
	if err != nil {
		return err
	}
	again, err := document.Build(s, nodes)
	if err = errors.Join(err, nodes.Close()); err != nil { // which takes room
		return err
	}
	if basis == FromDraws && v.bare {
		again.Curves, again.Examples, again.Claims = nil, nil, nil
	}
	err = v.compareText("", "the "+string(basis)+" give", text,
		func(w io.Writer) error { return result.Layout(w, again) })
	if err == nil {
		v.Basis, v.Unjudged, v.Resting = basis, 0, nil
	}
	return err
}

// Estimates compares the text of the file of estimates with what the document gives.
func (v *Judgement) Estimates(doc *result.Document, text io.Reader) error {
	return v.compareText(" of the file of estimates", "the document gives", text,
		func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) })
}

// digestLine begins the line of the digest, which differs if any other line does.
var digestLine = []byte(`"digest": `)

// compareText compares a text with what write writes, line by line, and reports the first
// difference and the number of lines that differ.
func (v *Judgement) compareText(of, who string, has io.Reader, write func(io.Writer) error) error {
	c := comparison{has: bufio.NewReader(has)}
	if err := write(&c); err != nil {
		return err
	}
	if len(c.line) > 0 {
		if err := c.compare(c.line, false); err != nil {
			return err
		}
	}
	for {
		if _, err := c.has.Peek(1); err == io.EOF {
			break
		}
		if err := c.compare(nil, false); err != nil {
			return err
		}
	}
	switch {
	case c.differing > 1:
		v.mismatch("line %d%s is not what %s; it has %s in place of %s; %d lines differ in all", c.first, of, who,
			c.found, c.want, c.differing)
	case c.differing > 0:
		v.mismatch("line %d%s is not what %s; it has %s in place of %s", c.first, of, who, c.found, c.want)
	}
	return nil
}

// comparison compares what is written to it with another text. It keeps one line of each.
type comparison struct {
	has                 *bufio.Reader // the other text
	theirs, line        []byte        // what is read and written of a line
	n, differing, first int
	found, want         string // where they differ first
}

func (c *comparison) Write(p []byte) (int, error) {
	for rest := p; ; {
		part, more, ended := bytes.Cut(rest, []byte("\n"))
		if c.line = append(c.line, part...); !ended {
			return len(p), nil
		}
		if err := c.compare(c.line, true); err != nil {
			return 0, err
		}
		rest, c.line = more, c.line[:0]
	}
}

// compare compares a written line with the next line of the other text.
func (c *comparison) compare(want []byte, ended bool) error {
	c.theirs = c.theirs[:0]
	for more := true; more; {
		part, err := c.has.ReadSlice('\n')
		if c.theirs = append(c.theirs, part...); err != nil && err != bufio.ErrBufferFull && err != io.EOF {
			return err
		}
		more = err == bufio.ErrBufferFull
	}
	a, endedA := bytes.CutSuffix(c.theirs, []byte("\n"))
	c.n++
	if endedA == ended && bytes.Equal(a, want) || bytes.HasPrefix(a, digestLine) && bytes.HasPrefix(want, digestLine) {
		return nil
	}
	if c.differing++; c.differing == 1 {
		at := 0
		for at < min(len(a), len(want)) && a[at] == want[at] {
			at++
		}
		c.first, c.found, c.want = c.n, quoted(a, at), quoted(want, at)
	}
	return nil
}

// quoted returns the part of a line around a byte.
func quoted(line []byte, at int) string {
	const around = 40
	from, to := max(at-around, 0), min(at+around, len(line))
	return fmt.Sprintf("%q", line[min(from, len(line)):to])
}

// Run checks that the record of the run is of the document, by its digest. Nothing else in it can
// be checked.
func (v *Judgement) Run(doc *result.Document, digest string) {
	if digest != doc.Digest {
		v.mismatch("the record of the run is of other results: it says %q, the document has %q", digest, doc.Digest)
	}
}
