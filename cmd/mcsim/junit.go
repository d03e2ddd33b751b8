package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/google/renameio/v2"

	"mcsim/report/digits"
	"mcsim/sim/result"
	"mcsim/sim/verify"
)

// The elements of a JUnit report, in the order and with the attributes that
// both common schemas ask for: JUnit.xsd of windyroad/JUnit-Schema (what Ant
// writes) and junit-10.xsd of Jenkins' xunit-plugin. Times are 0 and the date
// is the epoch, since the same results give the same bytes.
type junitReport struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Package    string          `xml:"package,attr"`
	ID         int             `xml:"id,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Hostname   string          `xml:"hostname,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
	Out        string          `xml:"system-out"`
	Err        string          `xml:"system-err"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Error   *junitProblem `xml:"error"`
	Failure *junitProblem `xml:"failure"`
}

type junitProblem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// junit makes a report of a verification: a suite for the document, then one
// for each kind of gate.
//
// A gate that fails is a failure. One that is undecided is an error: the test
// could not come to a verdict. CI systems show both in red and count them
// apart, so that it neither looks like a pass nor like a finding.
func junit(doc *result.Document, v *verify.Judgement) *junitReport {
	r := &junitReport{Suites: []junitSuite{documentSuite(v)}}
	index := map[string]int{}
	for _, g := range v.Gates {
		name := g.Experiment + "/" + g.Name
		at, ok := index[name]
		if !ok {
			at = len(r.Suites)
			index[name] = at
			r.Suites = append(r.Suites, junitSuite{Name: name, Package: g.Experiment})
		}
		s := &r.Suites[at]
		c := gateCase(g)
		s.Cases = append(s.Cases, c)
		s.Out += c.Name + ": " + gateLine(g) + "\n"
	}
	for i := range r.Suites {
		r.Suites[i].complete(i, junitProperties(doc, v))
	}
	return r
}

// documentSuite has one test: that the document does not contradict itself.
func documentSuite(v *verify.Judgement) junitSuite {
	c := junitCase{Name: "agrees with its own rows", Class: "mcsim.document"}
	if n := len(v.Mismatches); n > 0 {
		c.Failure = &junitProblem{Type: "contradiction",
			Message: fmt.Sprintf("the document contradicts itself in %s: %s", counted(n, "place"), v.Mismatches[0]),
			Text:    strings.Join(v.Mismatches, "\n")}
	}
	return junitSuite{Name: "document", Package: "mcsim", Cases: []junitCase{c}, Out: controlText(v.Controls)}
}

// gateCase is one gate. Jenkins takes what stands before the last full stop of
// the class as its package.
func gateCase(g result.Gate) junitCase {
	c := junitCase{Name: g.Cell + point(g.Cell, g.Params), Class: g.Experiment + "." + g.Name}
	problem := &junitProblem{Type: string(g.Verdict), Message: gateLine(g), Text: g.Quantity + " of " + c.Name + ": " + gateLine(g)}
	switch g.Verdict {
	case result.Pass:
	case result.Fail:
		c.Failure = problem
	default:
		c.Error = problem
	}
	return c
}

// gateLine says what a gate found and what it makes of it.
func gateLine(g result.Gate) string {
	line := fmt.Sprintf("%s must be %s [%s, %s]: %s", digits.PlusMinus(float64(g.Value), float64(g.SE)),
		g.Expect, digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])), g.Verdict)
	if g.NToDecide != nil {
		line += fmt.Sprintf("; about %s samples would decide", digits.Count(*g.NToDecide))
	}
	return line
}

// complete counts a suite's cases and fills in what does not depend on them.
func (s *junitSuite) complete(id int, properties []junitProperty) {
	s.ID, s.Tests, s.Time, s.Timestamp, s.Hostname = id, len(s.Cases), "0", "1970-01-01T00:00:00", "localhost"
	s.Properties = properties
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Time = "0"
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
	}
}

// junitProperties are the rates that all suites together keep to, and what
// draws the same again.
func junitProperties(doc *result.Document, v *verify.Judgement) []junitProperty {
	number := func(n result.Number) string { return strconv.FormatFloat(float64(n), 'g', -1, 64) }
	return []junitProperty{
		{"verdict", string(v.Verdict())},
		{"alpha", number(v.Budget.Alpha)}, {"beta", number(v.Budget.Beta)}, {"gates", strconv.Itoa(v.Budget.Gates)},
		{"seed", strconv.FormatUint(doc.Seed, 10)}, {"kernel", strconv.Itoa(doc.Kernel)}, {"digest", doc.Digest},
	}
}

// writeJUnit writes the report to the named file, or to out where it is "-".
func writeJUnit(out io.Writer, name string, r *junitReport) error {
	text, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	text = bytes.Join([][]byte{[]byte(xml.Header), text, []byte("\n")}, nil)
	if name == "-" {
		_, err = out.Write(text)
		return err
	}
	err = replaceFile(name, text)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err // its name is that of a temporary file
	}
	if err != nil {
		return fmt.Errorf("the JUnit file %s cannot be written: %w", name, err)
	}
	return nil
}

// replaceFile writes a file whole or not at all. What is no regular file, a
// pipe or /dev/stdout, is written to and not replaced.
func replaceFile(name string, text []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(name, text, 0o644)
	}
	return renameio.WriteFile(name, text, 0o644)
}
