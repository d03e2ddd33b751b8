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

// Remake builds the document again from nodes and compares it with the text, byte for byte. It does
// not compare the digest, which the reader of the text has checked. It closes the store of nodes.
// If the nodes are not the nodes of the document, it returns an error and leaves the judgement
// unchanged.
func (v *Judgement) Remake(text io.Reader, nodes *store.Store, basis Basis) error {
	s, err := schedule.New(v.Plan)
	if err != nil {
		return err
	}
	remade, err := document.Build(s, nodes)
	// Close the nodes before the comparison to free memory.
	if err = errors.Join(err, nodes.Close()); err != nil {
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

// Estimates compares the text of the file of estimates with the estimates of the document.
func (v *Judgement) Estimates(doc *result.Document, text io.Reader) error {
	return v.compareText(" of the file of estimates", "the document gives", text,
		func(w io.Writer) error { return result.WriteCSV(w, doc.Estimates) })
}

// digestLine begins the line with the digest, which is different if any other line is different.
var digestLine = []byte(`"digest": `)

// compareText compares a text, line by line, with the text that write writes. It reports the first
// difference and the number of different lines: "line N<where> is not what <source>: …".
func (v *Judgement) compareText(where, source string, text io.Reader, write func(io.Writer) error) error {
	c := comparison{text: bufio.NewReader(text)}
	err := write(&c)
	if err == nil {
		err = c.finish()
	}
	if err != nil && !errors.Is(err, errTooDifferent) {
		return err
	}
	if c.differences == 0 {
		return nil
	}
	report := fmt.Sprintf("line %d%s is not what %s: it has %s in place of %s", c.firstDifference, where, source,
		c.found, c.want)
	if err != nil {
		report += "; " + err.Error()
	} else if c.differences > 1 {
		report += fmt.Sprintf("; %d lines are different", c.differences)
	}
	v.addMismatch("%s", report)
	return nil
}

// Bounds of a text that is compared.
const (
	maxLineExcess  = 1 << 16 // bytes by which a line may be longer than the written line
	maxDifferences = 1 << 20 // number of different lines
)

// errTooDifferent ends a comparison at one of the bounds.
var errTooDifferent = errors.New("the rest was not compared")

// comparison is a writer that compares what is written to it with a text, line by line.
type comparison struct {
	text            *bufio.Reader
	textLine        []byte // current line of the text
	writtenLine     []byte // current line of the written text, as far as it is written
	lineNumber      int
	differences     int    // number of different lines
	firstDifference int    // number of the first different line
	found, want     string // excerpts of the text and of the written text at the first difference
}

// Write implements io.Writer.
func (c *comparison) Write(p []byte) (int, error) {
	rest := p
	for {
		piece, after, endsLine := bytes.Cut(rest, []byte("\n"))
		c.writtenLine = append(c.writtenLine, piece...)
		if !endsLine {
			return len(p), nil
		}
		if err := c.compareLine(c.writtenLine, true); err != nil {
			return 0, err
		}
		rest, c.writtenLine = after, c.writtenLine[:0]
	}
}

// finish compares a last line without a line break, and counts the remaining lines of the text.
func (c *comparison) finish() error {
	if len(c.writtenLine) > 0 {
		if err := c.compareLine(c.writtenLine, false); err != nil {
			return err
		}
	}
	for {
		if _, err := c.text.Peek(1); err == io.EOF {
			return nil
		}
		if err := c.compareLine(nil, false); err != nil {
			return err
		}
	}
}

// compareLine compares a written line with the next line of the text. A line without a line break
// is different from a line with one. Two lines with a digest count as equal.
func (c *comparison) compareLine(written []byte, writtenHasBreak bool) error {
	err := c.readLine(len(written) + maxLineExcess)
	if err != nil && !errors.Is(err, errTooDifferent) {
		return err
	}
	line, hasBreak := bytes.CutSuffix(c.textLine, []byte("\n"))
	line = bytes.TrimSuffix(line, []byte("\r")) // as some programs store text on Windows
	isEqual := hasBreak == writtenHasBreak && bytes.Equal(line, written)
	areDigests := bytes.HasPrefix(line, digestLine) && bytes.HasPrefix(written, digestLine)
	if isEqual || areDigests {
		return nil
	}
	c.differences++
	if c.differences > maxDifferences {
		err = errTooDifferent
	}
	if c.differences > 1 {
		return err
	}
	position := 0
	for position < min(len(line), len(written)) && line[position] == written[position] {
		position++
	}
	c.firstDifference = c.lineNumber
	c.found, c.want = quoteAround(line, position), quoteAround(written, position)
	return err
}

// readLine reads the next line of the text into textLine, with its line break. At the end of the
// text the line is empty. A line of more than maxLength bytes is cut.
func (c *comparison) readLine(maxLength int) error {
	c.lineNumber++
	c.textLine = c.textLine[:0]
	for {
		part, err := c.text.ReadSlice('\n')
		c.textLine = append(c.textLine, part...)
		if len(c.textLine) > maxLength {
			return errTooDifferent
		}
		switch err {
		case nil, io.EOF:
			return nil
		case bufio.ErrBufferFull: // read the next part of the line
		default:
			return err
		}
	}
}

// quoteAround quotes the part of a line around a position.
func quoteAround(line []byte, position int) string {
	const radius = 40
	start, end := max(position-radius, 0), min(position+radius, len(line))
	return fmt.Sprintf("%q", line[min(start, len(line)):end])
}

// Run compares the digest in the record of a run with the digest of the document. Nothing else in
// the record can be checked.
func (v *Judgement) Run(doc *result.Document, digest string) {
	if digest != doc.Digest {
		v.addMismatch("the record of the run belongs to other results: its digest is %q, the document's is %q", digest,
			doc.Digest)
	}
}
