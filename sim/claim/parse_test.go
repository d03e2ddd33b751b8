package claim_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcsim/sim/base/markup"
	"mcsim/sim/claim"
)

// newLedger returns a ledger with one claim that has the given further lines.
func newLedger(lines string) string {
	return "source: mine\nclaims:\n  - id: a\n    text: something\n" + lines
}

// TestFaults checks that the error for a faulty ledger is a markup.Error of one line, with the
// position and the problem.
func TestFaults(t *testing.T) {
	const byWeights = "    kind: deterministic\n    published: [0.5, 0.5]\n    by: weights\n"
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "l: the ledger is empty"},
		{"no YAML", "[", "is not YAML"},
		{"a list", "- a", "l:1:1: ledger: is a list where keys with values belong"},
		{"no source", "claims: [{id: a, text: b, kind: document, verdict: holds, evidence: e, dated: 2026-01-01}]",
			"ledger: lacks the key source"},
		{"no claims", "source: a", "ledger: lacks the key claims"},
		{"an empty list", "source: a\nclaims: []", "l:2:9: claims: the list is empty"},
		{"an unknown key", newLedger("    knd: cost\n"), `l:5:5: claims[0]: unknown key "knd"; did you mean kind?`},
		{"an unknown kind", newLedger("    kind: costly\n"), `l:5:11: claims[0].kind: unknown value "costly"`},
		{"no verdict, number or condition", newLedger("    kind: cost\n"), "needs one of these"},
		{"both a number and a condition", newLedger(byWeights +
			"    of: {scores: [1, 1]}\n    literal: [{by: row_entropy, of: {scores: [1, 1]}, is: diffuse}]\n"),
			"needs one of these"},
		{"an unknown function", newLedger("    kind: cost\n    published: 1\n    by: softmix\n    of: {scores: 1}\n"),
			`l:7:9: claims[0].by: unknown function "softmix"`},
		{"an unknown argument", newLedger(byWeights + "    of: {scores: [1, 1], width: 3}\n"),
			`l:8:26: claims[0].of: unknown key "width"; choose from scores, d_k, temperature`},
		{"a missing argument", newLedger(byWeights + "    of: {d_k: 4}\n"), "weights lacks its argument scores"},
		{"an argument twice", newLedger(byWeights + "    of: {scores: [1, 1], scores: [2, 2]}\n"),
			"stands here a second time"},
		{"an argument that is not a number", newLedger(byWeights + "    of: {scores: [1, one]}\n"),
			`"one" is not a number`},
		{"NaN", newLedger(byWeights + "    of: {scores: [1, .nan]}\n"), "is not a number"},
		{"infinite", newLedger(byWeights + "    of: {scores: [1, .inf]}\n"), "is not a number"},
		{"out of range", newLedger(byWeights + "    of: {scores: [1, 1e9]}\n"), "1e9 is not in -1e+06..1e+06"},
		{"two scales", newLedger(byWeights + "    of: {scores: [1, 1], d_k: 4, temperature: 2}\n"), "not by both"},
		{"too few published", newLedger("    kind: deterministic\n    published: [0.5]\n    by: weights\n" +
			"    of: {scores: [1, 1]}\n"), "1 numbers are published, but weights computes 2"},
		{"a published text that is not a number", newLedger("    kind: deterministic\n    published: [0.5, half]\n" +
			"    by: weights\n    of: {scores: [1, 1]}\n"), `claims[0].published[1]: "half" is not a number`},
		{"rounded without such an argument", newLedger(byWeights + "    of: {scores: [1, 1]}\n    rounded: weights\n"),
			`"weights" is not a given argument`},
		{"rounded a whole number",
			newLedger("    kind: deterministic\n    published: [0.25, -0.25]\n    by: jacobian_entries\n" +
				"    of: {weights: [0.5, 0.5], row: 1}\n    rounded: [row]\n"),
			"l:9:14: claims[0].rounded: row is a whole number"},
		{"rounded a number of columns",
			newLedger("    kind: deterministic\n    published: 1\n    by: sums_of_rows\n" +
				"    of: {weights: [0.5, 0.5], columns: 1}\n    rounded: [columns]\n"), "columns is a whole number"},
		{"a bug without its formula", newLedger("    kind: closed-form\n    published: 1\n    by: unit_factor\n" +
			"    of: {d_k: 4}\n    bug: missing\n"), "bug and right need each other"},
		{"a formula without a bug", newLedger("    kind: closed-form\n    published: 1\n    by: unit_factor\n" +
			"    of: {d_k: 4}\n    wrong: none\n"), "bug and wrong need each other"},
		{"rounded a dimension", newLedger("    kind: closed-form\n    published: 3\n    by: unit_factor\n" +
			"    of: {d_k: 1}\n    rounded: d_k\n"), "d_k is a whole number"},
		{"rounded a name", newLedger("    kind: closed-form\n    published: 3\n    by: variance_of_rule\n" +
			"    of: {rule: power(1/2), d_k: 1}\n    rounded: rule\n"), "rule is a name"},
		{"pick is not a number", newLedger("    kind: cost\n    published: 1\n    by: weights\n" +
			"    of: {scores: [1, 1]}\n    pick: 1abc\n"), `claims[0].pick: "1abc" is not a number`},
		{"several exponents", newLedger("    kind: cost\n    published: 1\n    by: printed_variance\n" +
			"    of: {d_k: 4, queries: 3, keys: 3, exponent: [0, 1]}\n"), "has 2 values; it takes one"},
		{"pick is beyond the result",
			newLedger("    kind: cost\n    published: 1\n    by: weights\n    of: {scores: [1, 1]}\n" +
				"    pick: 3\n"), "weights has 2 numbers; there is no 3"},
		{"a text that is not a row", newLedger("    kind: monte-carlo\n    literal: [{row: softmax, is: diffuse}]\n"),
			"is not a row"},
		{"an unknown experiment",
			newLedger("    kind: monte-carlo\n    literal: [{row: \"softmix.entropy[d_k=4]\", is: diffuse}]\n"),
			`unknown experiment "softmix"`},
		{"an unknown quantity", newLedger("    kind: monte-carlo\n" +
			"    literal: [{row: \"softmax.entrpy[d_k=4]\", is: diffuse}]\n"), `unknown quantity "entrpy"`},
		{"an unknown parameter",
			newLedger("    kind: monte-carlo\n    literal: [{row: \"softmax.entropy[dk=4]\", is: diffuse}]\n"),
			`unknown parameter of softmax "dk"`},
		{"a missing parameter", newLedger("    kind: monte-carlo\n" +
			"    literal: [{row: \"softmax.entropy[d_k=4, exponent=0]\", is: diffuse}]\n"),
			"lacks the parameter keys"},
		{"a missing scale", newLedger("    kind: monte-carlo\n" +
			"    literal: [{row: \"softmax.entropy[d_k=4, keys=8]\", is: diffuse}]\n"), "lacks its scale"},
		{"an incomplete rounding", newLedger("    kind: monte-carlo\n" +
			"    literal: [{row: \"precision.total_variation_q50[d_k=64, keys=8, format=float16]\", is: diffuse}]\n"),
			"lacks placement and arithmetic: a row of precision has one value of each of format, placement, arithmetic"},
		{"an unknown word", newLedger("    kind: cost\n" +
			"    literal: [{by: row_entropy, of: {scores: [1, 1]}, is: difuse}]\n"), "did you mean diffuse?"},
		{"an empty range", newLedger("    kind: cost\n" +
			"    literal: [{by: row_entropy, of: {scores: [1, 1]}, is: in 3..2}]\n"), "3..2 is empty"},
		{"several numbers", newLedger("    kind: cost\n" +
			"    literal: [{by: weights, of: {scores: [1, 1]}, is: diffuse}]\n"), "gives 2 numbers; pick one"},
		{"no evidence", newLedger("    kind: document\n    verdict: holds\n"), "a verdict needs evidence"},
		{"a verdict that is computed", newLedger(byWeights + "    of: {scores: [1, 1]}\n    dated: 2026-01-01\n"),
			"evidence and dated need a verdict"},
		{"a text that is not a date",
			newLedger("    kind: document\n    verdict: holds\n    evidence: e\n    dated: tomorrow\n"),
			`"tomorrow" is not a date`},
		{"the condition <=", newLedger("    kind: cost\n" +
			"    literal: [{by: row_entropy, of: {scores: [1, 1]}, is: \"<= 3\"}]\n"),
			`"<= 3" begins with <=; a condition is < or >= with a number`},
		{"the condition >", newLedger("    kind: cost\n" +
			"    literal: [{by: row_entropy, of: {scores: [1, 1]}, is: \"> 3\"}]\n"), `"> 3" begins with >;`},
		{"an id twice", newLedger("    kind: document\n    verdict: holds\n    evidence: e\n" +
			"    dated: 2026-01-01\n  - id: a\n    text: b\n    kind: document\n    verdict: holds\n" +
			"    evidence: e\n    dated: 2026-01-01\n"), "duplicate id a, first in claims[0]"},
		{"a claim that repeats itself", newLedger("    kind: document\n    verdict: wrong\n    evidence: e\n" +
			"    dated: 2026-01-01\n    repeats: a\n"),
			`claims[0].repeats: "a" must be another claim of this ledger`},
		{"hidden text", newLedger("    kind: document\n    verdict: holds\n    evidence: \"a\\u202eb\"\n" +
			"    dated: 2026-01-01\n"), "not a line of visible characters"},
		{"an anchor", newLedger("    kind: &a cost\n"), "anchor or alias, which ledgers do not have"},
		{"a file that is too long", strings.Repeat("#", markup.MaxSize+1), "l: the ledger has more than 262144 bytes"},
	} {
		_, err := claim.Parse("l", []byte(c.text))
		var fault *markup.Error
		if err == nil || !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: the error is %v, want a markup.Error of one line with %q", c.name, err, c.want)
		}
	}
}

// TestHostile checks that large and deeply nested ledgers are refused in reasonable time.
func TestHostile(t *testing.T) {
	rows := strings.Repeat("{row: \"softmax.entropy[d_k=4, keys=8, exponent=0]\", is: diffuse}, ", 15) +
		"{row: \"softmax.entropy[d_k=4, keys=8, exponent=0]\", is: diffuse}"
	for name, text := range map[string]string{
		"dashes":   strings.Repeat("- ", markup.MaxSize/2-1) + "x",
		"keys":     strings.Repeat("? x\n", markup.MaxSize/4),
		"brackets": "claims: " + strings.Repeat("[", markup.MaxSize/2),
		"braces":   "claims: " + strings.Repeat("{a: ", markup.MaxSize/8),
		"powers":   newLedger("    kind: cost\n    published: " + strings.Repeat("1^", 30) + "1\n"),
		"numbers":  newLedger("    kind: cost\n    published: [" + strings.Repeat("1, ", 5000) + "1]\n"),
		"text":     newLedger("    kind: " + strings.Repeat("a", 100000)),
		"deep": newLedger("    kind: cost\n    literal: " + strings.Repeat("{any: ", 12) + "[]" +
			strings.Repeat("}", 12)),
		"many": newLedger("    kind: monte-carlo\n    literal: [" + rows + "]\n" +
			strings.Repeat("  - {id: a, text: b, kind: cost}\n", 1001)),
		"tokens": newLedger("    kind: deterministic\n    published: [1, 1, 1, 1]\n    by: attention_shapes\n" +
			"    of: {context: 1000000, d_k: 512, d_v: 512}\n"),
	} {
		start := time.Now()
		if _, err := claim.Parse("l", []byte(text)); err == nil {
			t.Errorf("%s: Parse returned no error", name)
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%s: Parse takes %v, want at most 20 s", name, took)
		}
	}
}

// FuzzParse checks that every ledger that Parse accepts can be judged.
func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("ledger/*.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("got the ledgers %v with the error %v, want at least one", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for part := range strings.SplitSeq(string(text), "\n  - ") {
			f.Add("source: s\nclaims:\n  - " + part)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := claim.Parse("l", []byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("the error %q has several lines, want one", err)
			}
			return
		}
		judged := claim.Judge([]*claim.Ledger{l}, nil)
		if len(judged) != len(l.Claims) {
			t.Errorf("%d of %d claims are judged, want all", len(judged), len(l.Claims))
		}
		for _, c := range judged {
			if c.Verdict == "" {
				t.Errorf("claim %s has no verdict", c.ID)
			}
			if len(c.Lo) != len(c.Value) {
				t.Errorf("claim %s has %d values, but %d lower bounds", c.ID, len(c.Value), len(c.Lo))
			}
		}
		if _, err := claim.Missing([]*claim.Ledger{l}, nil); err != nil && !strings.HasPrefix(err.Error(), "l:") {
			t.Errorf("the error of Missing is %v, want one that begins with the file l:", err)
		}
	})
}

// TestTolerances checks the verdicts on numbers published for √512 = 22.627…, with and without a
// hedge.
func TestTolerances(t *testing.T) {
	for _, c := range []struct{ published, hedge, want string }{
		{"22.6", "", "holds to rounding"}, {"22.5", "", "wrong"}, {"22.7", "", "wrong"}, {"22", "", "wrong"},
		{"23", "", "holds to rounding"},
		{"22", "about", "holds to rounding"}, {"21", "about", "wrong"}, {"24", "about", "wrong"},
		{"22", "roughly", "holds to rounding"}, {"21", "roughly", "wrong"}, {"25", "roughly", "wrong"},
		{"22.6", "exactly", "wrong"}, {"22.627416997969522", "exactly", "holds"},
	} {
		text := newLedger("    kind: closed-form\n    published: " + c.published +
			"\n    by: sd_of_score\n    of: {d_k: 512}\n")
		if c.hedge != "" {
			text += "    hedge: " + c.hedge + "\n"
		}
		l, err := claim.Parse("l", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := claim.Judge([]*claim.Ledger{l}, nil)[0].Verdict; got != c.want {
			t.Errorf("%s %s published for √512: the verdict is %q, want %q", c.hedge, c.published, got, c.want)
		}
	}
}

// TestThresholds checks conditions on the largest softmax weight of the scores 2, 1, 1: 0.576117.
func TestThresholds(t *testing.T) {
	for _, c := range []struct{ requirement, want string }{
		{"< 0.5763", "holds"}, {"< 0.5760", "wrong"}, {">= 0.5760", "holds"}, {">= 0.5763", "wrong"},
		{"in 0.57..0.58", "holds"}, {"in 0.58..0.59", "wrong"},
		{"near one-hot", "wrong"}, {"diffuse", "holds"},
	} {
		l, err := claim.Parse("l",
			[]byte(newLedger(fmt.Sprintf("    kind: cost\n"+
				"    literal: [{by: row_max_weight, of: {scores: [2, 1, 1]}, is: %q}]\n", c.requirement))))
		if err != nil {
			t.Fatal(err)
		}
		got := claim.Judge([]*claim.Ledger{l}, nil)[0]
		if got.Verdict != c.want || math.Abs(float64(got.Conditions[0].Value)-0.576117) > 1e-6 {
			t.Errorf("%s: the verdict is %q for the value %v, want %q for 0.576117", c.requirement, got.Verdict,
				got.Conditions[0].Value, c.want)
		}
	}
}

// TestRefusedRows checks the position and the text of errors for rows whose cells are too large to
// be sampled, and for rows with a quantity that the sampled cell does not have.
func TestRefusedRows(t *testing.T) {
	parse := func(row string) []*claim.Ledger {
		l, err := claim.Parse("l",
			[]byte(newLedger("    kind: monte-carlo\n    literal:\n      - {row: \""+row+"\", is: \"< 1\"}\n")))
		if err != nil {
			t.Fatal(row, err)
		}
		return []*claim.Ledger{l}
	}
	for row, want := range map[string]string{
		"softmax.max_weight[d_k=65536, keys=4096, exponent=0]": "sampled components; the maximum for a cell is",
		"softmax.max_weight[d_k=64, keys=1000000, exponent=0]": "keys",
	} {
		l, err := claim.Parse("l",
			[]byte(newLedger("    kind: monte-carlo\n    literal:\n      - {row: \""+row+"\", is: \"< 1\"}\n")))
		if err == nil {
			_, err = claim.Missing([]*claim.Ledger{l}, nil)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "l:7:15: claims[0].literal[0].row: ") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one at l:7:15 with %q", row, err, want)
		}
	}
	for row, want := range map[string]string{
		"softmax.score_variance[d_k=8, keys=8, exponent=0]": "l:7:15: claims[0].literal[0].row: softmax has no score_variance",
		"softmax.max_weight[d_k=8, keys=8, exponent=0]":     "",
	} {
		ledgers := parse(row)
		p, err := planMissing(ledgers, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		estimates, err := sampleEstimates(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := claim.CheckRows(ledgers, estimates); (err == nil) != (want == "") ||
			err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: the error is %v, want one at l:7:15 with %q", row, err, want)
		}
	}
}
