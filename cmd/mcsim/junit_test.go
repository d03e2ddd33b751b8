package main

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

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

// childrenNamed returns the children with a name.
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
// 2378e66: its required and optional attributes, and its children in their order. This schema is
// stricter than the other common one, junit-10.xsd of jenkinsci/xunit-plugin at 031e285, which
// accepts all that it accepts.
type elementRule struct {
	required, optional string
	children           string // a regular expression over their names
}

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

// junitTypes has patterns for the attributes that the schema restricts.
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
			return fmt.Errorf("%s has an attribute %s", name, a.Name.Local)
		}
		if form := junitTypes[a.Name.Local]; form != "" && !regexp.MustCompile(form).MatchString(a.Value) {
			return fmt.Errorf("%s of %s is %q", a.Name.Local, name, a.Value)
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
		return fmt.Errorf("%s has children %q", name, text)
	}
	return nil
}

// checkCounts returns an error for the first wrong count or repeated name.
func checkCounts(report element) error {
	seen := map[string]bool{}
	for i, s := range report.childrenNamed("testsuite") {
		failures, errors, skipped := 0, 0, 0
		for _, c := range s.childrenNamed("testcase") {
			failures, errors, skipped = failures+len(c.childrenNamed("failure")), errors+len(c.childrenNamed("error")),
				skipped+len(c.childrenNamed("skipped"))
			id := c.attr("classname") + "\x00" + c.attr("name")
			if seen[id] || c.attr("time") != "0" {
				return fmt.Errorf("%q is there twice or takes time", id)
			}
			seen[id] = true
		}
		for name, want := range map[string]int{"id": i, "tests": len(s.childrenNamed("testcase")), "failures": failures,
			"errors": errors, "skipped": skipped, "time": 0} {
			if s.attr(name) != strconv.Itoa(want) {
				return fmt.Errorf("%s of %s is %q, want %d", name, s.attr("name"), s.attr(name), want)
			}
		}
		if id := "suite " + s.attr("name"); seen[id] {
			return fmt.Errorf("%s is there twice", id)
		} else {
			seen[id] = true
		}
	}
	return nil
}

func encodeAndCheck(t *testing.T, v *verify.Judgement) element {
	t.Helper()
	text, err := encodeVerification(&result.Document{Seed: 7, Kernel: 1, Digest: "sha256:0"}, v, sampleFindings, true)
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
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		delete(verdicts, name)
	}
	if len(verdicts) > 0 {
		t.Errorf("also has %q", verdicts)
	}
	suite := n.childrenNamed("testsuite")[1]
	if stdout := suite.childrenNamed("system-out")[0].Text; strings.Count(stdout, "\n") != 5 ||
		!strings.Contains(stdout, measured+"pass") {
		t.Errorf("the suite's output is %q", stdout)
	}
	var properties []string
	for _, p := range suite.childrenNamed("properties")[0].Children {
		properties = append(properties, p.attr("name")+"="+p.attr("value"))
	}
	if want := []string{"verdict=fail", "alpha=1e-06", "beta=1e-05", "gates=7", "seed=7", "kernel=1",
		"digest=sha256:0"}; !slices.Equal(properties, want) {
		t.Errorf("properties %q, want %q", properties, want)
	}
}

// TestJUnitContradiction checks that a document that contradicts itself is a failure even if its
// gates pass.
func TestJUnitContradiction(t *testing.T) {
	v := newVerification()
	v.Gates, v.Budget.Verdict = v.Gates[:1], result.Pass
	v.Mismatches = []string{"one thing", "another < thing\x00"}
	s := encodeAndCheck(t, v).childrenNamed("testsuite")[0]
	failures := s.childrenNamed("testcase")[0].childrenNamed("failure")
	if s.attr("failures") != "1" || len(failures) != 1 ||
		!strings.Contains(failures[0].attr("message"), "in 2 places: one thing") ||
		!strings.Contains(failures[0].Text, "another < thing") {
		t.Errorf("%+v", s)
	}
}
