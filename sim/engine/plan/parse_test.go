package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"mcsim/sim/base/distribution"
	"mcsim/sim/base/markup"
	"mcsim/sim/experiment"
)

// mark marks the position of the error in a bad plan: it is before the wrong token.
const mark = "⟦"

type badPlan struct{ name, text, want string }

// badPlans reads testdata/plans/bad.txtar, and replaces DISTRIBUTIONS by the names of all
// distributions.
func badPlans(t testing.TB) []badPlan {
	archive, err := txtar.ParseFile("testdata/plans/bad.txtar")
	must(t, err)
	plans := make([]badPlan, len(archive.Files))
	for i, f := range archive.Files {
		text, want, ok := strings.Cut("\n"+string(f.Data), "\n=> ")
		if !ok {
			t.Fatalf("%s: no expected error", f.Name)
		}
		plans[i] = badPlan{f.Name, strings.TrimPrefix(text+"\n", "\n"),
			strings.ReplaceAll(strings.TrimSuffix(want, "\n"), "DISTRIBUTIONS",
				strings.Join(distribution.Names(), ", "))}
	}
	return plans
}

// cutMark removes the mark from a plan and returns its line and column, counted from 1. Both are 0
// if the plan has no mark.
func cutMark(text string) (plain string, line, column int) {
	before, after, ok := strings.Cut(text, mark)
	if !ok {
		return text, 0, 0
	}
	last := before[strings.LastIndex(before, "\n")+1:]
	return before + after, 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(last)
}

func TestBadPlans(t *testing.T) {
	seen := map[string]bool{}
	for _, bad := range badPlans(t) {
		if seen[bad.name] {
			t.Errorf("two bad plans have the name %s", bad.name)
		}
		seen[bad.name] = true
		t.Run(bad.name, func(t *testing.T) {
			text, line, column := cutMark(bad.text)
			_, err := Parse("plan.yaml", []byte(text))
			if err == nil {
				t.Fatalf("no error; want %s", bad.want)
			}
			if err.Error() != bad.want {
				t.Errorf("\n got %s\nwant %s", err, bad.want)
			}
			checkError(t, []byte(text), err)
			var e *Error
			if errors.As(err, &e) && (e.Line != line || e.Column != column) {
				t.Errorf("the error is at %d:%d, want %d:%d as marked", e.Line, e.Column, line, column)
			}
		})
	}
}

// checkError fails unless err is an *Error whose message is one line and whose position is in the
// text.
func checkError(t *testing.T, text []byte, err error) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("%T is not a *plan.Error", err)
	}
	message := err.Error()
	if !strings.HasPrefix(message, e.File+":") || strings.ContainsAny(message, "\n\r\x1b\x00") ||
		!utf8.ValidString(message) {
		t.Errorf("the message is not one line of visible text after the file: %q", message)
	}
	if len(message) > 2000 {
		t.Errorf("the message has %d bytes, want at most 2000", len(message))
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text)), "\n")
	if e.Line == 0 {
		return
	}
	if e.Line > len(lines) || e.Column < 1 || e.Column > max(1, utf8.RuneCountInString(lines[e.Line-1])) {
		t.Errorf("the error is at %d:%d, outside the text", e.Line, e.Column)
	}
}

const smallPlan = "experiments:\n  - experiment: variance\n    distribution: normal\n    d_k: 4\n"

// TestUnusualTexts checks the errors of bad plans that a text file in testdata cannot contain.
func TestUnusualTexts(t *testing.T) {
	exponents := make([]string, 300)
	for i := range exponents {
		exponents[i] = fmt.Sprintf("0.%04d", i+1)
	}
	many := make([]string, 10_000)
	for i := range many {
		many[i] = fmt.Sprintf("student-t(%d)", i+10)
	}
	long := strings.Repeat("x", 300)
	for _, c := range []struct{ name, text, want string }{
		{"huge file", strings.Repeat("#", markup.MaxSize+1), "p: the plan has more than 262144 bytes"},
		{"not UTF-8", "name: caf\xe9\n" + smallPlan, "p:1:10: this byte is not UTF-8 text | name: caf�"},
		{"not UTF-8 in a comment", smallPlan + "# ä\xff\n", "p:5:4: this byte is not UTF-8 text | # ä�"},
		{"UTF-16", "\xff\xfea\x00", "p:1:1: this byte is not UTF-8 text | ��a�"},
		{"CRLF", "seed: 1\r\ntolerance: 2\r\n", "p:2:12: tolerance: 2 is not in (0, 1) | tolerance: 2"},
		{"CR", "seed: 1\rtolerance: 2\r", "p:2:12: tolerance: 2 is not in (0, 1) | tolerance: 2"},
		{"byte order mark", "\ufefftolerance: 2\n", "p:1:12: tolerance: 2 is not in (0, 1) | tolerance: 2"},
		{"NUL", "name: a\x00b\n", "p:1:7: name: is not a line of visible characters | name: a�b"},
		{"comments alone", "# a\n\n# b\n", "p: the plan is empty"},
		{"spaces alone", "  \n  \n", "p: the plan is empty"},
		{"separator alone", "---\n", "p: the plan is empty"},
		{"deep list", "experiments:\n- - - - - - - - - -\n" + strings.Repeat(" ", 22) + strings.Repeat("- ", markup.MaxSize/4),
			"p:3:35: lists and brackets are nested more than 16 deep | " + strings.Repeat("- ", 28) + "-"},
		{"keys", strings.Repeat("a: 1\n", 20000), "p:16385:2: the plan has more than 16384 keys | a: 1"},
		{"deep", "experiments: " + strings.Repeat("[", 20),
			"p:1:30: lists and brackets are nested more than 16 deep | experiments: [[[[[[[[[[[[[[[[[[[["},
		{"too many cells", "experiments:\n  - experiment: variance\n    d_k: 1..1024\n    distribution: [" +
			strings.Join(many, ", ") + "]\n",
			"p:2:5: experiments[0]: the plan has at least 110000 variants (cells × scalings); the limit is 100000; " +
				"raise it with --max-cells (up to 1000000) | - experiment: variance"},
		{"too many scalings", "experiments:\n  - experiment: softmax\n    distribution: normal\n    d_k: 2\n    keys: 2\n" +
			"    exponent: [" + strings.Join(exponents, ", ") + "]\n",
			"p:2:5: experiments[0]: each cell has 300 scalings; at most 256 are drawn | - experiment: softmax"},
		{"long line", "{name: '" + strings.Repeat("y", 80) + "', seed: -1, experiments: " + long + "}",
			"p:1:98: seed: -1 is not in 0..9007199254740992 | " + strings.Repeat("y", 30) +
				"', seed: -1, experiments: " + strings.Repeat("x", 24)},
		{"long key", long + ": 1\n", "p:1:1: a key of 300 bytes is not one of a plan's | " + strings.Repeat("x", 80)},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse("p", []byte(c.text))
			if err == nil || err.Error() != c.want {
				t.Fatalf("\n got %v\nwant %s", err, c.want)
			}
			checkError(t, []byte(strings.TrimPrefix(c.text, "\ufeff")), err)
		})
	}
}

func parse(t testing.TB, text string) *Plan {
	t.Helper()
	p, err := Parse("plan.yaml", []byte(text))
	must(t, err)
	return p
}

func numbers(values []experiment.AxisValue) []float64 {
	xs := make([]float64, len(values))
	for i, v := range values {
		xs[i] = v.Number
	}
	return xs
}

// TestNumbers checks notations of numbers (powers, quotients, percentages), ranges and lists.
func TestNumbers(t *testing.T) {
	for text, want := range map[string][]float64{
		"64":                     {64},
		"'64'":                   {64},
		"2^10":                   {1024},
		"1e3":                    {1000},
		"128/2":                  {64},
		"1..8":                   {1, 2, 4, 8},
		"3..20":                  {3, 6, 12},
		"2^3..2^5":               {8, 16, 32},
		"[1..4, 3, 2^10]":        {1, 2, 4, 3, 1024},
		"[5]":                    {5},
		"\n      - 7\n      - 9": {7, 9},
		"[1, # one\n       1e2]": {1, 100},
		"1048576":                {1048576},
		"2^20 # the maximum":     {1048576},
	} {
		p := parse(t, "experiments:\n  - experiment: variance\n    distribution: normal\n    d_k: "+text+"\n")
		if got := numbers(p.Entries[0].Values["d_k"]); !slices.Equal(got, want) {
			t.Errorf("d_k: %s is %v, want %v", text, got, want)
		}
	}
	p := parse(t, "seed: 2^53\ntolerance: 5%\nalpha: 1/1000\nbeta: 1e-3\n"+smallPlan+
		"    samples: 1e6\n  - experiment: exponents\n    exponent: [0, 1/3, 50%, -1, 2^2]\n")
	if p.Seed != 1<<53 || p.Tolerance != 0.05 || p.Alpha != 0.001 || p.Beta != 0.001 || p.Entries[0].Samples != 1e6 {
		t.Errorf("got seed %d, tolerance %v, alpha %v, beta %v and samples %d", p.Seed, p.Tolerance, p.Alpha, p.Beta,
			p.Entries[0].Samples)
	}
	if got := numbers(p.Entries[1].Values["exponent"]); !slices.Equal(got, []float64{0, 1.0 / 3, 0.5, -1, 4}) {
		t.Errorf("exponent is %v, want 0, 1/3, 0.5, -1 and 4", got)
	}
}

// goodPlans together use every key.
var goodPlans = map[string]string{
	"small":      smallPlan,
	"own values": "name: <b> & \"ü\" → 😀 \\ '\nseed: 0\ntolerance: 1/3\nalpha: 1e-15\nbeta: 0.49\n" + smallPlan,
	"entry": "experiments:\n  - experiment: variance\n" +
		"    distribution: [student-t(3), bernoulli-gaussian(1/3), sphere]\n    d_k: [1..64, 2^20]\n" +
		"    gate: false\n    samples: 1e6\n    tolerance: 2%\n    alpha: 1e-3\n  - experiment: health\n" +
		"    distribution: student-t\n    beta: 1e-4\n    rel_se: 1/1000\n",
	"exponents": smallPlan + "  - experiment: exponents\n    exponent: [1/3, 2/3, -0.1]\n    rule: [sqrt(d_k/2)]\n" +
		"    gate: true\n    tolerance: 1e-3\n",
	"softmax": "experiments:\n" +
		"  - {experiment: softmax, distribution: [normal, sphere], d_k: 1..8, keys: [2, 2^12], shared_keys: [no, " +
		"yes], exponent: [0, 1/2], rule: sqrt(d_k/2), temperature: [0, 1e-30, 5, infinite], samples: 10, gate: " +
		"false}\n" +
		"  - {experiment: freezing, keys: 3, sigma: [0, 1/2, 1e6], rel_se: 1%}\n",
	"order": "experiments:\n  - experiment: exponents\n  - d_k: 4\n    distribution: normal\n" +
		"    experiment: variance\n",
	"ungated": "experiments:\n" +
		"  - {experiment: variance, distribution: [student-t(3), student-t(5), student-t(2.5)], d_k: 4, gate: false}\n",
	"JSON":     `{"name": "json", "seed": 7, "experiments": [{"experiment": "variance", "distribution": ["normal"], "d_k": [1, 2, 1e3], "gate": false}]}`,
	"CRLF":     strings.ReplaceAll("name: windows\n"+smallPlan, "\n", "\r\n"),
	"mark":     "\ufeff" + smallPlan,
	"document": "---\n" + smallPlan + "...\n",
}

// TestRoundTrip checks that a plan written as JSON and read back is the same plan, and that each
// ready plan has the name of its file.
func TestRoundTrip(t *testing.T) {
	plans := maps.Clone(goodPlans)
	for _, name := range Names() {
		text, err := Embedded(name)
		must(t, err)
		plans["embedded "+name] = string(text)
	}
	for name, text := range plans {
		p := parse(t, text)
		roundTrip(t, p)
		if ready, ok := strings.CutPrefix(name, "embedded "); ok && p.Name != ready {
			t.Errorf("the ready plan %s has the name %s", ready, p.Name)
		}
	}
	if _, err := Embedded("defualt"); err == nil || !strings.Contains(err.Error(), "did you mean default?") {
		t.Errorf("an unknown ready plan: got the error %v, want a suggestion", err)
	}
}

// roundTrip checks that a plan's JSON form is read back as the same plan.
func roundTrip(t *testing.T, p *Plan) {
	t.Helper()
	written, err := json.Marshal(p)
	must(t, err)
	if again, err := Decode(written, 0); err != nil || !reflect.DeepEqual(p, again) {
		t.Fatalf("the plan differs after it was written as %s and read (%v)", written, err)
	}
}

// FuzzParse checks that any bytes are either a plan that survives its JSON form, or give an error
// of one line with a position inside them.
func FuzzParse(f *testing.F) {
	for _, bad := range badPlans(f) {
		text, _, _ := cutMark(bad.text)
		f.Add([]byte(text))
	}
	for _, text := range goodPlans {
		f.Add([]byte(text))
	}
	for _, hostile := range []string{ // texts that could take very long
		"experiments: " + strings.Repeat("[", markup.MaxSize/2),
		"experiments: " + strings.Repeat("{a: ", markup.MaxSize/8),
		"tolerance: " + strings.Repeat("1^", markup.MaxSize/3) + "1",
		smallPlan[:strings.Index(smallPlan, "4\n")] + "[" + strings.Repeat("1..1048576, ", markup.MaxSize/13) + "]",
		strings.Repeat("\"", markup.MaxSize),
		"seed: " + strings.Repeat("!a ", markup.MaxSize/4),
	} {
		f.Add([]byte(hostile))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := Parse("plan.yaml", text)
		if err != nil {
			checkError(t, bytes.TrimPrefix(text, []byte("\ufeff")), err)
			return
		}
		roundTrip(t, p)
	})
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
