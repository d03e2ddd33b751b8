package page

import (
	"strings"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// TestNamesCanBeCopied checks that numbers have minus signs, while names keep their hyphens.
func TestNamesCanBeCopied(t *testing.T) {
	for text, want := range map[string]string{
		"unscaled_logit_sd(init=he-normal, d_model=512)": " at init = he-normal, d_model = 512",
		"variance_of_rule(rule=key-normalised, d_k=64)":  " at rule = key-normalised, d_k = 64",
		"unscaled_logit_sd(init=normal-0.02)":            " at init = normal-0.02",
		"weights(scores=-1.5 2 -1/2 3e-4)":               " at scores = −1.5, 2, −1/2, 3e−4",
		"softmax.max_weight[d_k=64, exponent=-0.5]":      " at d_k = 64, exponent = −0.5",
	} {
		if got := referenceInWords(text); !strings.HasSuffix(got, want) {
			t.Errorf("referenceInWords(%q) = %q, want %q at its end", text, got, want)
		}
	}
	for published, want := range map[string]string{
		"-0.25": "−0.25", "he-normal": "he-normal", "3.7e-44": "3.7e−44", "-9.2%": "−9.2\u202f%",
		"torch-mha": "torch-mha",
	} {
		got := PublishedText(result.Claim{Published: []string{published}})
		if strings.ReplaceAll(got, " %", "\u202f%") != want {
			t.Errorf("the published number %s is written as %q, want %q", published, got, want)
		}
	}
}

// TestIntervalsInBrackets checks that intervals are in brackets, both those of estimates and those
// of numbers that a claim computes. They must not be written with ±, which means one standard
// error.
func TestIntervalsInBrackets(t *testing.T) {
	condition := result.Condition{
		Sense: "literal", Reading: "softmax.max_weight[d_k=64, keys=8, exponent=0]", Requirement: "< 1",
		Experiment: "softmax", Met: names.ConditionMet,
		Value: 0.5, Lo: 0.48, Hi: 0.52, Min: result.Absent(), Max: 1,
	}
	if got, want := conditionText(condition), " is 0.500 [0.480, 0.520], < 1"; !strings.Contains(got, want) {
		t.Errorf("the condition is written as %q, want it to contain %q", got, want)
	}
	c := result.Claim{
		Kind: "deterministic", Published: []string{"0.98"}, Function: "weights(scores=4)",
		Value: []result.Number{0.976}, Lo: []result.Number{0.97}, Hi: []result.Number{0.982}, Distance: 0,
		Allowed: 0.005,
	}
	if got, want := strings.Join(RecomputedTexts(c), ""), "0.976 [0.970, 0.982]"; got != want {
		t.Errorf("the number is written as %q, want %q", got, want)
	}
}
