package main

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcsim/cmd/mcsim/show"
	"mcsim/report/digits"
	"mcsim/report/essay"
	"mcsim/sim/engine/verify"
	"mcsim/sim/experiment"
	"mcsim/sim/result"
)

// suite is the tests of one kind.
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
	Out        string     `xml:"system-out"`
	Err        string     `xml:"system-err"`
}

// property is a number or word that a suite carries along.
type property struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Time    int      `xml:"time,attr"`
	Outcome *outcome // nil: passed
}

// outcome is a failure, an error, or skipped.
type outcome struct {
	XMLName xml.Name
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func failure(kind, message, text string) *outcome {
	return &outcome{xml.Name{Local: "failure"}, kind, message, text}
}

func undecided(message, text string) *outcome {
	return &outcome{xml.Name{Local: "error"}, string(result.Undecided), message, text}
}

// add adds a test to the suite.
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

// addGate adds a gate with what it found.
func (s *suite) addGate(name, class string, v result.Verdict, found string) {
	var o *outcome
	line := name + ": " + found
	switch v {
	case result.Pass:
	case result.Fail:
		o = failure(string(v), found, line)
	default:
		o = undecided(found, line)
	}
	s.add(name, class, o)
	s.Out += line + "\n"
}

// text returns suites with the same properties as XML.
func text(suites []suite, properties []property) ([]byte, error) {
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

// junitOfInspection returns the report of samples or weights.
func junitOfInspection(a *show.Inspected) ([]byte, error) {
	s := suite{Name: "inspect", Package: "mcsim"}
	for _, g := range a.Judgement.Gates {
		s.addGate(g.Quantity+" of "+g.Name, "mcsim.inspect."+g.Quantity, g.Verdict, show.DescribeGate(g))
	}
	if f := a.Applied; f != nil {
		s.addGate("factor of q·k", "mcsim.inspect.factor", f.Verdict, show.DescribeFactor(f))
	}
	properties := []property{{"verdict", string(a.Judgement.Verdict)},
		{"alpha", fmt.Sprint(a.Judgement.Alpha)}, {"beta", fmt.Sprint(a.Judgement.Beta)}}
	for _, caveat := range a.Caveats {
		properties = append(properties, property{"caveat", caveat})
		s.Out += "caveat: " + caveat + "\n"
	}
	return text([]suite{s}, properties)
}

// junitOfVerification returns the report of a verification: a suite for the document, one for each kind of
// gate, and one for the findings of the essay if the document has what they read. If rows is true,
// the document need not be made again.
func junitOfVerification(doc *result.Document, v *verify.Judgement, findings essay.Report, rows bool) ([]byte, error) {
	suites := []suite{documentSuite(v, rows)}
	kindOf := func(g result.Gate) string { return g.Experiment + "/" + g.Name }
	for _, gates := range experiment.GroupBy(v.Gates, kindOf) {
		s := suite{Name: kindOf(gates[0]), Package: gates[0].Experiment}
		for _, g := range gates {
			// Jenkins takes the part of the class before the last full stop as its package.
			s.addGate(g.Cell+show.Point(g.Cell, g.Params), g.Experiment+"."+g.Name, g.Verdict, describeGate(g))
		}
		suites = append(suites, s)
	}
	if len(findings.Missing) == 0 && len(findings.Findings) > 0 {
		suites = append(suites, findingsSuite(findings))
	}
	number := func(n result.Number) string { return strconv.FormatFloat(float64(n), 'g', -1, 64) }
	return text(suites, []property{
		{"verdict", string(v.Verdict(rows))},
		{"alpha", number(v.Budget.Alpha)}, {"beta", number(v.Budget.Beta)}, {"gates", strconv.Itoa(v.Budget.Gates)},
		{"seed", strconv.FormatUint(doc.Seed, 10)}, {"kernel", strconv.Itoa(doc.Kernel)}, {"digest", doc.Digest},
	})
}

// documentSuite tests that the document does not contradict itself and, unless its rows are enough,
// that it was made again.
func documentSuite(v *verify.Judgement, rows bool) suite {
	s := suite{Name: "document", Package: "mcsim"}
	var contradiction, unmade *outcome
	if n := len(v.Mismatches); n > 0 {
		contradiction = failure("contradiction", fmt.Sprintf("the document contradicts itself in %s: %s",
			show.Counted(n, "place"), v.Mismatches[0]), strings.Join(v.Mismatches, "\n"))
	}
	s.add("agrees with its own rows", "mcsim.document", contradiction)
	if rows {
		return s
	}
	if v.WhyNotRemade != "" {
		unmade = undecided(v.WhyNotRemade, show.Basis(v))
	}
	s.add("is made again", "mcsim.document", unmade)
	return s
}

// findingsSuite has a test for each finding of the essay. One that is not supported is skipped, since
// a sentence has no tolerance.
func findingsSuite(r essay.Report) suite {
	s := suite{Name: "findings", Package: "mcsim"}
	for i, f := range r.Findings {
		var o *outcome
		isFinding := func(u essay.Unmet) bool { return u.Page == f.Page && u.Text == f.Text }
		if k := slices.IndexFunc(r.Unmet, isFinding); k >= 0 {
			o = &outcome{XMLName: xml.Name{Local: "skipped"}, Message: strings.Join(r.Unmet[k].Reasons, "; ")}
		}
		s.add(fmt.Sprintf("%d: %s", i+1, f.Text), "mcsim.findings."+f.Page, o)
	}
	return s
}

// describeGate says what a gate found and what it concludes.
func describeGate(g result.Gate) string {
	line := fmt.Sprintf("%s must be %s [%s, %s]: %s", digits.PlusMinus(float64(g.Value), float64(g.SE)),
		g.Expect, digits.Short(float64(g.Band[0])), digits.Short(float64(g.Band[1])), g.Verdict)
	if g.NToDecide != nil {
		line += fmt.Sprintf("; about %s samples would decide", digits.Count(*g.NToDecide))
	}
	return line
}
