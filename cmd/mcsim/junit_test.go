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

// node is any element of an XML document.
type node struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []node     `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (n node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// all are the children of that name.
func (n node) all(name string) []node {
	var list []node
	for _, c := range n.Children {
		if c.XMLName.Local == name {
			list = append(list, c)
		}
	}
	return list
}

// elementRule is what the schema windyroad/JUnit-Schema, JUnit.xsd at 2378e66, asks
// of an element: the attributes it needs, those it may have, and its children
// in their order. It is the stricter of the two common ones; what it takes,
// junit-10.xsd of jenkinsci/xunit-plugin at 031e285 takes too.
type elementRule struct {
	needs, may string
	children   string // a regular expression over their names
}

var junitRules = map[string]elementRule{
	"testsuites": {children: `^(testsuite )*$`},
	"testsuite": {needs: "name package id tests failures errors time timestamp hostname", may: "skipped",
		children: `^properties (testcase )*system-out system-err $`},
	"properties": {children: `^(property )*$`},
	"property":   {needs: "name value", children: `^$`},
	"testcase":   {needs: "name classname time", children: `^(skipped |error |failure )?$`},
	"error":      {needs: "type", may: "message", children: `^$`},
	"skipped":    {may: "message", children: `^$`},
	"failure":    {needs: "type", may: "message", children: `^$`},
	"system-out": {children: `^$`},
	"system-err": {children: `^$`},
}

// junitTypes are the schema's types of attributes, where they are not any text.
var junitTypes = map[string]string{
	"id": `^[0-9]+$`, "tests": `^[0-9]+$`, "failures": `^[0-9]+$`, "errors": `^[0-9]+$`, "skipped": `^[0-9]+$`,
	"time": `^[0-9]+(\.[0-9]+)?$`, "timestamp": `^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}$`,
	"name": `^\S+( \S+)*$`, "hostname": `^\S+$`, "package": `^\S+( \S+)*$`, "classname": `^\S+( \S+)*$`,
}

// obeys reports the first rule that an element or one below it breaks.
func obeys(n node) error {
	name := n.XMLName.Local
	r, known := junitRules[name]
	if !known {
		return fmt.Errorf("unknown element %s", name)
	}
	var children, has []string
	for _, a := range n.Attrs {
		has = append(has, a.Name.Local)
		if !slices.Contains(strings.Fields(r.needs+" "+r.may), a.Name.Local) {
			return fmt.Errorf("%s has an attribute %s", name, a.Name.Local)
		}
		if form := junitTypes[a.Name.Local]; form != "" && !regexp.MustCompile(form).MatchString(a.Value) {
			return fmt.Errorf("%s of %s is %q", a.Name.Local, name, a.Value)
		}
	}
	for _, need := range strings.Fields(r.needs) {
		if !slices.Contains(has, need) {
			return fmt.Errorf("%s has no attribute %s", name, need)
		}
	}
	for _, c := range n.Children {
		children = append(children, c.XMLName.Local+" ")
		if err := obeys(c); err != nil {
			return err
		}
	}
	if text := strings.Join(children, ""); !regexp.MustCompile(r.children).MatchString(text) {
		return fmt.Errorf("%s has children %q", name, text)
	}
	return nil
}

// consistent reports the first count that is wrong or name that is there twice.
func consistent(report node) error {
	seen := map[string]bool{}
	for i, s := range report.all("testsuite") {
		failures, errors, skipped := 0, 0, 0
		for _, c := range s.all("testcase") {
			failures, errors, skipped = failures+len(c.all("failure")), errors+len(c.all("error")),
				skipped+len(c.all("skipped"))
			key := c.attr("classname") + "\x00" + c.attr("name")
			if seen[key] || c.attr("time") != "0" {
				return fmt.Errorf("%q is there twice or takes time", key)
			}
			seen[key] = true
		}
		for name, want := range map[string]int{"id": i, "tests": len(s.all("testcase")), "failures": failures,
			"errors": errors, "skipped": skipped, "time": 0} {
			if s.attr(name) != strconv.Itoa(want) {
				return fmt.Errorf("%s of %s is %q, want %d", name, s.attr("name"), s.attr(name), want)
			}
		}
		if key := "suite " + s.attr("name"); seen[key] {
			return fmt.Errorf("%s is there twice", key)
		} else {
			seen[key] = true
		}
	}
	return nil
}

func reported(t *testing.T, v *verify.Judgement) node {
	t.Helper()
	text, err := junitOfVerification(&result.Document{Seed: 7, Kernel: 1, Digest: "sha256:0"}, v, findings, true)
	if err != nil {
		t.Fatal(err)
	}
	var n node
	if err := xml.Unmarshal(text, &n); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := obeys(n); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := consistent(n); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return n
}

// findings are two, of which one is not borne out.
var findings = essay.Report{
	Findings: []essay.Finding{{Page: "index", Text: "It is flat."}, {Page: "variance", Text: "It grows."}},
	Unmet: []essay.Unmet{{
		Finding: essay.Finding{Page: "variance", Text: "It grows."},
		Reasons: []string{"it is 1", "it is 2"},
	}},
}

// verification has gates of every verdict.
func verification() *verify.Judgement {
	need := int64(12345)
	gate := func(name, cell string, v result.Verdict, more result.Params) result.Gate {
		return result.Gate{Name: name, Expect: "inside", Experiment: "variance", Cell: cell, Params: more,
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
	n := reported(t, verification())
	verdicts := map[string]string{}
	for _, s := range n.all("testsuite") {
		for _, c := range s.all("testcase") {
			what := "pass"
			for _, child := range c.Children {
				what = child.XMLName.Local + ": " + child.attr("message")
			}
			verdicts[s.attr("name")+": "+c.attr("name")] = what
		}
	}
	const found = "64.02 ± 0.06 must be inside [63.36, 64.64]: "
	for name, want := range map[string]string{
		"document: agrees with its own rows":                         "pass",
		"variance/unit variance: variance/a<&\"]]>/d_k=2":            "pass",
		"variance/unit variance: variance/b/d_k=2":                   "error: " + found + "undecided; about 12\u202f345 samples would decide",
		"variance/unit variance: variance/b/d_k=4":                   "failure: " + found + "fail",
		"variance/zero mean: variance/b/d_k=2":                       "failure: " + found + "fail",
		"variance/unit variance: variance/b/d_k=4, p = 1/2":          "pass",
		"variance/unit variance: variance/b/d_k=4, keys = 8, cosine": "pass",
		"variance/no verdict: variance/b/d_k=4":                      "error: " + found,
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
	suite := n.all("testsuite")[1]
	if out := suite.all("system-out")[0].Text; strings.Count(out, "\n") != 5 || !strings.Contains(out, found+"pass") {
		t.Errorf("the suite's output is %q", out)
	}
	var properties []string
	for _, p := range suite.all("properties")[0].Children {
		properties = append(properties, p.attr("name")+"="+p.attr("value"))
	}
	if want := []string{"verdict=fail", "alpha=1e-06", "beta=1e-05", "gates=7", "seed=7", "kernel=1",
		"digest=sha256:0"}; !slices.Equal(properties, want) {
		t.Errorf("properties %q, want %q", properties, want)
	}
}

// A document that contradicts itself is a failure, whatever its gates say.
func TestJUnitContradiction(t *testing.T) {
	v := verification()
	v.Gates, v.Budget.Verdict = v.Gates[:1], result.Pass
	v.Mismatches = []string{"one thing", "another < thing\x00"}
	s := reported(t, v).all("testsuite")[0]
	failures := s.all("testcase")[0].all("failure")
	if s.attr("failures") != "1" || len(failures) != 1 ||
		!strings.Contains(failures[0].attr("message"), "in 2 places: one thing") ||
		!strings.Contains(failures[0].Text, "another < thing") {
		t.Errorf("%+v", s)
	}
}
