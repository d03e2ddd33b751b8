package main

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcsim/cmd/mcsim/junit"
	"mcsim/report/essay"
	"mcsim/sim/engine/verify"
	"mcsim/sim/result"
)

// element is an element of an XML document.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (n element) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (n element) childrenNamed(name string) []element {
	var children []element
	for _, c := range n.Children {
		if c.XMLName.Local == name {
			children = append(children, c)
		}
	}
	return children
}

// elementRule is the rule for an element in the schema windyroad/JUnit-Schema, JUnit.xsd at
// 2378e66. Every report that this schema accepts is also accepted by the other common schema,
// junit-10.xsd of jenkinsci/xunit-plugin at 031e285.
type elementRule struct {
	required, optional string // names of attributes, separated by spaces
	children           string // regular expression for the names of the children in their order
}

// junitRules maps the name of an element to its rule.
var junitRules = map[string]elementRule{
	"testsuites": {children: `^(testsuite )*$`},
	"testsuite": {required: "name package id tests failures errors time timestamp hostname", optional: "skipped",
		children: `^properties (testcase )*system-out system-err $`},
	"properties": {children: `^(property )*$`},
	"property":   {required: "name value", children: `^$`},
	"testcase":   {required: "name classname time", children: `^(skipped |error |failure )?$`},
	"error":      {required: "type", optional: "message", children: `^$`},
	"skipped":    {optional: "message", children: `^$`},
	"failure":    {required: "type", optional: "message", children: `^$`},
	"system-out": {children: `^$`},
	"system-err": {children: `^$`},
}

// junitTypes maps an attribute that the schema restricts to the pattern of its values.
var junitTypes = map[string]string{
	"id": `^[0-9]+$`, "tests": `^[0-9]+$`, "failures": `^[0-9]+$`, "errors": `^[0-9]+$`, "skipped": `^[0-9]+$`,
	"time": `^[0-9]+(\.[0-9]+)?$`, "timestamp": `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$`,
	"name": `^\S+( \S+)*$`, "hostname": `^\S+$`, "package": `^\S+( \S+)*$`, "classname": `^\S+( \S+)*$`,
}

// checkSchema returns an error for the first rule that an element or its children break.
func checkSchema(n element) error {
	name := n.XMLName.Local
	r, known := junitRules[name]
	if !known {
		return fmt.Errorf("unknown element %s", name)
	}
	var children, attributes []string
	for _, a := range n.Attrs {
		attributes = append(attributes, a.Name.Local)
		if !slices.Contains(strings.Fields(r.required+" "+r.optional), a.Name.Local) {
			return fmt.Errorf("%s has the attribute %s, which the schema does not allow", name, a.Name.Local)
		}
		if form := junitTypes[a.Name.Local]; form != "" && !regexp.MustCompile(form).MatchString(a.Value) {
			return fmt.Errorf("the attribute %s of %s is %q, which does not match %s", a.Name.Local, name, a.Value,
				form)
		}
	}
	for _, required := range strings.Fields(r.required) {
		if !slices.Contains(attributes, required) {
			return fmt.Errorf("%s has no attribute %s", name, required)
		}
	}
	for _, c := range n.Children {
		children = append(children, c.XMLName.Local+" ")
		if err := checkSchema(c); err != nil {
			return err
		}
	}
	if text := strings.Join(children, ""); !regexp.MustCompile(r.children).MatchString(text) {
		return fmt.Errorf("%s has the children %q, which do not match %s", name, text, r.children)
	}
	return nil
}

// checkCounts returns an error for the first wrong count, repeated name or time other than 0.
func checkCounts(report element) error {
	seen := map[string]bool{}
	for i, s := range report.childrenNamed("testsuite") {
		failures, errors, skipped := 0, 0, 0
		for _, c := range s.childrenNamed("testcase") {
			failures, errors, skipped = failures+len(c.childrenNamed("failure")), errors+len(c.childrenNamed("error")),
				skipped+len(c.childrenNamed("skipped"))
			id := c.attr("classname") + "\x00" + c.attr("name")
			if seen[id] {
				return fmt.Errorf("the report has the test %q twice", id)
			}
			if c.attr("time") != "0" {
				return fmt.Errorf("the time of the test %q is %s, want 0", id, c.attr("time"))
			}
			seen[id] = true
		}
		for name, want := range map[string]int{"id": i, "tests": len(s.childrenNamed("testcase")), "failures": failures,
			"errors": errors, "skipped": skipped, "time": 0} {
			if s.attr(name) != strconv.Itoa(want) {
				return fmt.Errorf("%s of %s is %q, want %d", name, s.attr("name"), s.attr(name), want)
			}
		}
		id := "suite " + s.attr("name")
		if seen[id] {
			return fmt.Errorf("the report has the %s twice", id)
		}
		seen[id] = true
	}
	return nil
}

// encodeAndCheck encodes a judgement as a JUnit report, checks it against the schema, and returns
// its root.
func encodeAndCheck(t *testing.T, v *verify.Judgement) element {
	t.Helper()
	text, err := junit.EncodeVerification(&result.Document{Seed: 7, Kernel: 1, Digest: "sha256:0"}, v, sampleFindings,
		true)
	if err != nil {
		t.Fatal(err)
	}
	var n element
	if err := xml.Unmarshal(text, &n); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := checkSchema(n); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := checkCounts(n); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return n
}

// sampleFindings has two findings, one of which is not supported.
var sampleFindings = essay.Report{
	Findings: []essay.Finding{{Page: "index", Text: "It is flat."}, {Page: "variance", Text: "It grows."}},
	Unmet: []essay.Unmet{{
		Finding: essay.Finding{Page: "variance", Text: "It grows."},
		Reasons: []string{"it is 1", "it is 2"},
	}},
}

// newVerification returns a judgement with gates of every verdict.
func newVerification() *verify.Judgement {
	need := int64(12345)
	gate := func(name, cell string, v result.Verdict, params result.Params) result.Gate {
		return result.Gate{Name: name, Expect: "inside", Experiment: "variance", Cell: cell, Params: params,
			Quantity: "score_variance",
			Value:    64.02, SE: 0.06, Band: [2]result.Number{63.36, 64.64}, Verdict: v}
	}
	undecided := gate("unit variance", "variance/b/d_k=2", result.Undecided, nil)
	undecided.NToDecide = &need
	return &verify.Judgement{
		Gates: []result.Gate{
			gate("unit variance", "variance/a<&\"]]>/d_k=2", result.Pass, nil),
			undecided,
			gate("zero mean", "variance/b/d_k=2", result.Fail, nil),
			gate("unit variance", "variance/b/d_k=4", result.Fail, nil),
			gate("unit variance", "variance/b/d_k=4", result.Pass,
				result.Params{"distribution": "b", "d_k": 4.0, "exponent": 0.5}),
			gate("unit variance", "variance/b/d_k=4", result.Pass, result.Params{"keys": 8.0, "rule": "cosine"}),
			gate("no verdict", "variance/b/d_k=4", "", nil),
		},
		Budget: result.Budget{Alpha: 1e-6, Beta: 1e-5, Gates: 7, Verdict: result.Fail},
	}
}

func TestJUnit(t *testing.T) {
	n := encodeAndCheck(t, newVerification())
	verdicts := map[string]string{}
	for _, s := range n.childrenNamed("testsuite") {
		for _, c := range s.childrenNamed("testcase") {
			outcome := "pass"
			for _, child := range c.Children {
				outcome = child.XMLName.Local + ": " + child.attr("message")
			}
			verdicts[s.attr("name")+": "+c.attr("name")] = outcome
		}
	}
	const measured = "64.02 ± 0.06 must be inside [63.36, 64.64]: "
	for name, want := range map[string]string{
		"document: agrees with its own rows":              "pass",
		"variance/unit variance: variance/a<&\"]]>/d_k=2": "pass",
		"variance/unit variance: variance/b/d_k=2": "error: " + measured +
			"undecided; about 12\u202f345 samples would decide",
		"variance/unit variance: variance/b/d_k=4":                   "failure: " + measured + "fail",
		"variance/zero mean: variance/b/d_k=2":                       "failure: " + measured + "fail",
		"variance/unit variance: variance/b/d_k=4, p = 1/2":          "pass",
		"variance/unit variance: variance/b/d_k=4, keys = 8, cosine": "pass",
		"variance/no verdict: variance/b/d_k=4":                      "error: " + measured,
		"findings: 1: It is flat.":                                   "pass",
		"findings: 2: It grows.":                                     "skipped: it is 1; it is 2",
	} {
		if got, ok := verdicts[name]; !ok || got != want {
			t.Errorf("the outcome of %s is %q, want %q", name, got, want)
		}
		delete(verdicts, name)
	}
	if len(verdicts) > 0 {
		t.Errorf("the report has unexpected tests: %q", verdicts)
	}
	suite := n.childrenNamed("testsuite")[1]
	stdout := suite.childrenNamed("system-out")[0].Text
	if n := strings.Count(stdout, "\n"); n != 5 {
		t.Errorf("the output of the suite has %d lines, want one for each of its 5 gates: %q", n, stdout)
	}
	if !strings.Contains(stdout, measured+"pass") {
		t.Errorf("the output of the suite lacks a gate that passes: %q", stdout)
	}
	var properties []string
	for _, p := range suite.childrenNamed("properties")[0].Children {
		properties = append(properties, p.attr("name")+"="+p.attr("value"))
	}
	if want := []string{"verdict=fail", "alpha=1e-06", "beta=1e-05", "gates=7", "seed=7", "kernel=1",
		"digest=sha256:0"}; !slices.Equal(properties, want) {
		t.Errorf("the properties are %q, want %q", properties, want)
	}
}

// TestJUnitContradiction checks that the report of a document that contradicts itself has one
// failure with the contradictions, although its gates pass.
func TestJUnitContradiction(t *testing.T) {
	v := newVerification()
	v.Gates, v.Budget.Verdict = v.Gates[:1], result.Pass
	v.Mismatches = []string{"one thing", "another < thing\x00"}
	s := encodeAndCheck(t, v).childrenNamed("testsuite")[0]
	failures := s.childrenNamed("testcase")[0].childrenNamed("failure")
	if s.attr("failures") != "1" || len(failures) != 1 {
		t.Fatalf("the suite of the document has %s failures, want 1: %+v", s.attr("failures"), s)
	}
	if got, want := failures[0].attr("message"), "in 2 places: one thing"; !strings.Contains(got, want) {
		t.Errorf("the message is %q, want one with %q", got, want)
	}
	if got, want := failures[0].Text, "another < thing"; !strings.Contains(got, want) {
		t.Errorf("the text is %q, want one with %q", got, want)
	}
}
