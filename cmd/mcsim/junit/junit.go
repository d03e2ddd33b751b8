// Package junit writes what verify and inspect find as JUnit reports, which CI systems show.
package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/report/essay"
	"mcsim/sim/base/replace"
	"mcsim/sim/engine/verify"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
)

// Report is a JUnit report, its elements in the order and with the attributes that
// both common schemas ask for: JUnit.xsd of windyroad/JUnit-Schema (what Ant
// writes) and junit-10.xsd of Jenkins' xunit-plugin. Times are 0 and the date
// is the epoch, since the same results give the same bytes.
type Report struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []Suite  `xml:"testsuite"`
}

// Suite is the tests of one kind.
type Suite struct {
	Name       string     `xml:"name,attr"`
	Package    string     `xml:"package,attr"`
	ID         int        `xml:"id,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       string     `xml:"time,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Hostname   string     `xml:"hostname,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testCase `xml:"testcase"`
	Out        string     `xml:"system-out"`
	Err        string     `xml:"system-err"`

	said []string // lines of Out
}

// property is a number or word that a suite carries along.
type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

// testCase is one test with what is wrong, if anything.
type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Time    string   `xml:"time,attr"`
	Error   *problem `xml:"error"`
	Failure *problem `xml:"failure"`
	Skipped *skipped `xml:"skipped"`
}

// skipped says why a test tells nothing.
type skipped struct {
	Message string `xml:"message,attr"`
}

// problem is a failure or an error.
type problem struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// Text returns the report as XML.
func (r *Report) Text() ([]byte, error) {
	text, err := xml.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, err
	}
	return bytes.Join([][]byte{[]byte(xml.Header), text, []byte("\n")}, nil), nil
}

// Write writes the text of a report to the named file, or to out where it is "-".
func Write(out io.Writer, name string, text []byte) error {
	if name == "-" {
		_, err := out.Write(text)
		return err
	}
	return replace.Text(name, text)
}

// New returns the report of a verification: a suite for the document, then one
// for each kind of gate, and one for the findings of the essay, where the document holds
// what it reads.
//
// A gate that fails is a failure. One that is undecided is an error: the test
// could not come to a verdict. CI systems show both in red and count them
// apart, so that it neither looks like a pass nor like a finding.
func New(doc *result.Document, v *verify.Judgement, findings essay.Report, rows bool) *Report {
	r := &Report{Suites: []Suite{documentSuite(v, rows)}}
	nameOf := func(g result.Gate) string { return g.Experiment + "/" + g.Name }
	for _, gates := range experiment.Grouped(v.Gates, nameOf) {
		s := Suite{Name: nameOf(gates[0]), Package: gates[0].Experiment}
		for _, g := range gates {
			// Jenkins takes what stands before the last full stop of the class as its package.
			s.add(g.Cell+show.Point(g.Cell, g.Params), g.Experiment+"."+g.Name, g.Verdict, gateLine(g))
		}
		r.Suites = append(r.Suites, s)
	}
	if len(findings.Lacks) == 0 && len(findings.Findings) > 0 {
		r.Suites = append(r.Suites, findingsSuite(findings))
	}
	for i := range r.Suites {
		r.Suites[i].complete(i, properties(doc, v, rows))
	}
	return r
}

// findingsSuite has a test for each finding of the essay. One that is not borne out is skipped:
// it decides nothing, since a sentence is no tolerance.
func findingsSuite(r essay.Report) Suite {
	s := Suite{Name: "findings", Package: "mcsim"}
	for i, f := range r.Findings {
		c := testCase{Name: fmt.Sprintf("%d: %s", i+1, f.Text), Class: "mcsim.findings." + f.Page}
		if k := slices.IndexFunc(r.Unmet, func(u essay.Unmet) bool { return u.Page == f.Page && u.Text == f.Text }); k >= 0 {
			c.Skipped = &skipped{strings.Join(r.Unmet[k].Why, "; ")}
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// documentSuite has a test that the document does not contradict itself, and, unless its rows by
// themselves are enough, one that it was made again.
func documentSuite(v *verify.Judgement, rows bool) Suite {
	c := testCase{Name: "agrees with its own rows", Class: "mcsim.document"}
	if n := len(v.Mismatches); n > 0 {
		c.Failure = &problem{Type: "contradiction",
			Message: fmt.Sprintf("the document contradicts itself in %s: %s", show.Counted(n, "place"), v.Mismatches[0]),
			Text:    strings.Join(v.Mismatches, "\n")}
	}
	s := Suite{Name: "document", Package: "mcsim", Cases: []testCase{c}}
	if !rows {
		again := testCase{Name: "is made again", Class: "mcsim.document"}
		if v.Unmade != "" {
			again.Error = &problem{Type: string(result.Undecided), Message: v.Unmade, Text: show.Basis(v)}
		}
		s.Cases = append(s.Cases, again)
	}
	return s
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
func (s *Suite) complete(id int, of []property) {
	s.ID, s.Tests, s.Time, s.Timestamp, s.Hostname = id, len(s.Cases), "0", "1970-01-01T00:00:00", "localhost"
	s.Properties, s.Out = of, strings.Join(s.said, "")
	for i := range s.Cases {
		c := &s.Cases[i]
		c.Time = "0"
		if c.Failure != nil {
			s.Failures++
		}
		if c.Error != nil {
			s.Errors++
		}
		if c.Skipped != nil {
			s.Skipped++
		}
	}
}

// properties are the rates that all suites together keep to, and what
// draws the same again.
func properties(doc *result.Document, v *verify.Judgement, rows bool) []property {
	number := func(n result.Number) string { return strconv.FormatFloat(float64(n), 'g', -1, 64) }
	return []property{
		{"verdict", string(v.Verdict(rows))},
		{"alpha", number(v.Budget.Alpha)}, {"beta", number(v.Budget.Beta)}, {"gates", strconv.Itoa(v.Budget.Gates)},
		{"seed", strconv.FormatUint(doc.Seed, 10)}, {"kernel", strconv.Itoa(doc.Kernel)}, {"digest", doc.Digest},
	}
}
