// Package junit encodes verifications and inspections as JUnit reports.
package junit

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcsim/cmd/mcsim/inspection"
	"mcsim/cmd/mcsim/show"
	"mcsim/cmd/mcsim/view"
	"mcsim/report/digits"
	"mcsim/report/essay"
	"mcsim/sim/engine/verify"
	"mcsim/sim/experiment"
	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
)

// suite is a test suite of a JUnit report. Times and host are constants, so that equal results have
// equal reports.
type suite struct {
	Name       string     `xml:"name,attr"`
	Package    string     `xml:"package,attr"`
	ID         int        `xml:"id,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Skipped    int        `xml:"skipped,attr"`
	Time       int        `xml:"time,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Hostname   string     `xml:"hostname,attr"`
	Properties []property `xml:"properties>property"`
	Cases      []testCase `xml:"testcase"`
	Stdout     string     `xml:"system-out"`
	Stderr     string     `xml:"system-err"`
}

// property is a number or word that describes a suite.
type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Time    int      `xml:"time,attr"`
	Outcome *outcome // nil if the test passed
}

// outcome is the result of a test that did not pass.
type outcome struct {
	XMLName xml.Name // failure, error or skipped
	Type    string   `xml:"type,attr,omitempty"`
	Message string   `xml:"message,attr"`
	Text    string   `xml:",chardata"`
}

func newFailure(kind, message, text string) *outcome {
	return &outcome{xml.Name{Local: "failure"}, kind, message, text}
}

func newUndecided(message, text string) *outcome {
	return &outcome{xml.Name{Local: "error"}, string(result.Undecided), message, text}
}

// add adds a test to the suite. The test passed if its outcome is nil.
func (s *suite) add(name, class string, o *outcome) {
	s.Cases = append(s.Cases, testCase{Name: name, Class: class, Outcome: o})
	s.Tests++
	if o == nil {
		return
	}
	switch o.XMLName.Local {
	case "failure":
		s.Failures++
	case "error":
		s.Errors++
	default:
		s.Skipped++
	}
}

// addGate adds a gate as a test. finding describes the result of the gate.
func (s *suite) addGate(name, class string, v result.Verdict, finding string) {
	var o *outcome
	line := name + ": " + finding
	switch v {
	case result.Pass:
	case result.Fail:
		o = newFailure(string(v), finding, line)
	default:
		o = newUndecided(finding, line)
	}
	s.add(name, class, o)
	s.Stdout += line + "\n"
}

// encodeSuites encodes suites as XML. It gives every suite the same properties.
func encodeSuites(suites []suite, properties []property) ([]byte, error) {
	for i := range suites {
		s := &suites[i]
		s.ID, s.Timestamp, s.Hostname, s.Properties = i, "1970-01-01T00:00:00", "localhost", properties
	}
	report := struct {
		XMLName xml.Name `xml:"testsuites"`
		Suites  []suite  `xml:"testsuite"`
	}{Suites: suites}
	body, err := xml.MarshalIndent(report, "", "  ")
	if err != nil {
		return nil, err
	}
	return []byte(xml.Header + string(body) + "\n"), nil
}

// EncodeInspection encodes the report of an inspection, which must have a judgement.
func EncodeInspection(a *inspection.Report) ([]byte, error) {
	s := newInspectionSuite("inspect", a.Judgement)
	if f := a.Applied; f != nil {
		s.addGate("factor of q·k", "mcsim.inspect.factor", f.Verdict, inspection.DescribeFactor(f))
	}
	properties := []property{{"verdict", string(a.Judgement.Verdict)},
		{"alpha", fmt.Sprint(a.Judgement.Alpha)}, {"beta", fmt.Sprint(a.Judgement.Beta)}}
	for _, caveat := range a.Caveats {
		properties = append(properties, property{"caveat", caveat})
		s.Stdout += "caveat: " + caveat + "\n"
	}
	return encodeSuites([]suite{s}, properties)
}

// newInspectionSuite returns a suite with a test for each gate of an inspection.
func newInspectionSuite(name string, j *inspect.Judgement) suite {
	s := suite{Name: name, Package: "mcsim"}
	for _, g := range j.Gates {
		s.addGate(g.Quantity+" of "+g.Name, "mcsim.inspect."+g.Quantity, g.Verdict, inspection.DescribeGate(g))
	}
	return s
}

// EncodeSeries encodes the gates of several files, with a suite for each file.
func EncodeSeries(s *inspection.Series) ([]byte, error) {
	var suites []suite
	for _, p := range s.Points {
		suites = append(suites, newInspectionSuite(p.File, p.Judgement))
	}
	return encodeSuites(suites, []property{{"verdict", string(s.Verdict())}})
}

// EncodeVerification encodes the report of a verification. It has a suite for the document and a
// suite for the gates of each experiment and name. If the document has the estimates that the essay
// needs, the report also has a suite for the findings of the essay. If acceptRows is true, the
// document passes even if it was not made again.
func EncodeVerification(
	doc *result.Document, v *verify.Judgement, findings essay.Report, acceptRows bool,
) ([]byte, error) {
	suites := []suite{newDocumentSuite(v, acceptRows)}
	suiteName := func(g result.Gate) string { return g.Experiment + "/" + g.Name }
	for _, gates := range experiment.GroupBy(v.Gates, suiteName) {
		s := suite{Name: suiteName(gates[0]), Package: gates[0].Experiment}
		for _, g := range gates {
			// Jenkins takes the part of the class before the last full stop as its package.
			s.addGate(g.Cell+show.DescribeParams(g.Cell, g.Params), g.Experiment+"."+g.Name, g.Verdict, describeGate(g))
		}
		suites = append(suites, s)
	}
	if len(findings.Missing) == 0 && len(findings.Findings) > 0 {
		suites = append(suites, newFindingsSuite(findings))
	}
	formatNumber := func(n result.Number) string { return strconv.FormatFloat(float64(n), 'g', -1, 64) }
	return encodeSuites(suites, []property{
		{"verdict", string(v.Verdict(acceptRows))},
		{"alpha", formatNumber(v.Budget.Alpha)}, {"beta", formatNumber(v.Budget.Beta)},
		{"gates", strconv.Itoa(v.Budget.Gates)},
		{"seed", strconv.FormatUint(doc.Seed, 10)}, {"kernel", strconv.Itoa(doc.Kernel)}, {"digest", doc.Digest},
	})
}

// newDocumentSuite returns a suite with a test that the document does not contradict itself. If
// acceptRows is false, it also has a test that the document was made again.
func newDocumentSuite(v *verify.Judgement, acceptRows bool) suite {
	s := suite{Name: "document", Package: "mcsim"}
	var contradiction, notRemade *outcome
	if n := len(v.Mismatches); n > 0 {
		contradiction = newFailure("contradiction", fmt.Sprintf("the document contradicts itself in %s: %s",
			show.FormatCount(n, "place"), v.Mismatches[0]), strings.Join(v.Mismatches, "\n"))
	}
	s.add("agrees with its own rows", "mcsim.document", contradiction)
	if acceptRows {
		return s
	}
	if v.WhyNotRemade != "" {
		notRemade = newUndecided(v.WhyNotRemade, view.DescribeBasis(v))
	}
	s.add("is made again", "mcsim.document", notRemade)
	return s
}

// newFindingsSuite returns a suite with a test for each finding of the essay. The test of a finding
// that the document does not support is skipped; it does not fail, since a sentence of the essay
// has no tolerance.
func newFindingsSuite(r essay.Report) suite {
	s := suite{Name: "findings", Package: "mcsim"}
	for i, f := range r.Findings {
		var o *outcome
		isThisFinding := func(u essay.Unmet) bool { return u.Page == f.Page && u.Text == f.Text }
		if j := slices.IndexFunc(r.Unmet, isThisFinding); j >= 0 {
			o = &outcome{XMLName: xml.Name{Local: "skipped"}, Message: strings.Join(r.Unmet[j].Reasons, "; ")}
		}
		s.add(fmt.Sprintf("%d: %s", i+1, f.Text), "mcsim.findings."+f.Page, o)
	}
	return s
}

// describeGate gives the estimate, the band and the verdict of a gate.
func describeGate(g result.Gate) string {
	line := fmt.Sprintf("%s must be %s [%s, %s]: %s", digits.PlusMinus(float64(g.Value), float64(g.SE)),
		g.Expect, digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])), g.Verdict)
	if g.NToDecide != nil {
		line += fmt.Sprintf("; about %s samples would decide", digits.Count(*g.NToDecide))
	}
	return line
}
