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

// Remake builds the document again from nodes and compares it with the text, byte for byte except
// for the digest, which the reader of the text has checked. It closes the nodes. If they are not
// the nodes of the document, Remake returns an error and leaves the judgement unchanged.
func (v *Judgement) Remake(text io.Reader, nodes *store.Store, basis Basis) error {
	s, err := schedule.New(v.Plan)
	if err != nil {
		return err
	}
	remade, err := document.Build(s, nodes)
	if err = errors.Join(err, nodes.Close()); err != nil { // closing them first frees memory
		return err
	}
	if basis == FromDraws && v.hasOnlyEstimates {
		remade.Curves, remade.Examples, remade.Claims = nil, nil, nil
	}
	err = v.compareText("", "the "+string(basis)+" give", text,
		func(w io.Writer) error { return result.Layout(w, remade) })
	if err == nil {
		v.Basis, v.Unjudged, v.UnjudgedByExperiment = basis, 0, nil
	}
	return err
}

// Estimates compares the text of the file of estimates with what the document gives.
func (v *Judgement) Estimates(doc *result.Document, text io.Reader) error {
	return v.compareText(" of the file of estimates", "the document gives", text,
		func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) })
}

// digestLine begins the line with the digest, which is different if any other line is.
var digestLine = []byte(`"digest": `)

// compareText compares a text with what write writes, line by line, and reports the first
// difference and the number of lines that differ.
func (v *Judgement) compareText(suffix, source string, text io.Reader, write func(io.Writer) error) error {
	c := comparison{reference: bufio.NewReader(text)}
	if err := write(&c); err != nil {
		return err
	}
	if len(c.line) > 0 {
		if err := c.compare(c.line, false); err != nil {
			return err
		}
	}
	for {
		if _, err := c.reference.Peek(1); err == io.EOF {
			break
		}
		if err := c.compare(nil, false); err != nil {
			return err
		}
	}
	switch {
	case c.differences > 1:
		v.mismatch("line %d%s is not what %s: it has %s in place of %s; %d lines are different", c.first, suffix,
			source,
			c.found, c.want, c.differences)
	case c.differences > 0:
		v.mismatch("line %d%s is not what %s: it has %s in place of %s", c.first, suffix, source, c.found, c.want)
	}
	return nil
}

// comparison is a writer that compares its input with another text, line by line.
type comparison struct {
	reference                      *bufio.Reader // the other text
	otherLine, line                []byte        // the current line of the other text, and of the input
	lineNumber, differences, first int
	found, want                    string // the texts around the first difference
}

func (c *comparison) Write(p []byte) (int, error) {
	for rest := p; ; {
		before, after, ended := bytes.Cut(rest, []byte("\n"))
		if c.line = append(c.line, before...); !ended {
			return len(p), nil
		}
		if err := c.compare(c.line, true); err != nil {
			return 0, err
		}
		rest, c.line = after, c.line[:0]
	}
}

// compare compares a written line with the next line of the other text.
func (c *comparison) compare(want []byte, ended bool) error {
	c.otherLine = c.otherLine[:0]
	for incomplete := true; incomplete; {
		part, err := c.reference.ReadSlice('\n')
		if c.otherLine = append(c.otherLine, part...); err != nil && err != bufio.ErrBufferFull && err != io.EOF {
			return err
		}
		incomplete = err == bufio.ErrBufferFull
	}
	a, endedA := bytes.CutSuffix(c.otherLine, []byte("\n"))
	c.lineNumber++
	if endedA == ended && bytes.Equal(a, want) || bytes.HasPrefix(a, digestLine) && bytes.HasPrefix(want, digestLine) {
		return nil
	}
	if c.differences++; c.differences == 1 {
		position := 0
		for position < min(len(a), len(want)) && a[position] == want[position] {
			position++
		}
		c.first, c.found, c.want = c.lineNumber, quoteAround(a, position), quoteAround(want, position)
	}
	return nil
}

// quoteAround returns the part of a line around a byte.
func quoteAround(line []byte, position int) string {
	const radius = 40
	start, end := max(position-radius, 0), min(position+radius, len(line))
	return fmt.Sprintf("%q", line[min(start, len(line)):end])
}

// Run compares the digest in the record of a run with the document's. Nothing else in the record
// can be checked.
func (v *Judgement) Run(doc *result.Document, digest string) {
	if digest != doc.Digest {
		v.mismatch("the record of the run belongs to other results: its digest is %q, the document's is %q", digest,
			doc.Digest)
	}
}
