package page

import (
	"strings"
	"testing"

	"mcsim/sim/names"
	"mcsim/sim/result"
)

// Numbers have a minus sign, and names keep the hyphens that they are looked up by.
func TestNamesCanBeCopied(t *testing.T) {
	for text, want := range map[string]string{
		"unscaled_logit_sd(init=he-normal, d_model=512)": " at init = he-normal, d_model = 512",
		"variance_of_rule(rule=key-normalised, d_k=64)":  " at rule = key-normalised, d_k = 64",
		"unscaled_logit_sd(init=normal-0.02)":            " at init = normal-0.02",
		"weights(scores=-1.5 2 -1/2 3e-4)":               " at scores = −1.5, 2, −1/2, 3e−4",
		"softmax.max_weight[d_k=64, exponent=-0.5]":      " at d_k = 64, exponent = −0.5",
	} {
		if got := inWords(text); !strings.HasSuffix(got, want) {
			t.Errorf("%s is %q, want %q at its end", text, got, want)
		}
	}
	for published, want := range map[string]string{"-0.25": "−0.25", "he-normal": "he-normal", "3.7e-44": "3.7e−44", "-9.2%": "−9.2\u202f%", "torch-mha": "torch-mha"} {
		if got := PublishedText(result.Claim{Published: []string{published}}); strings.ReplaceAll(got, " %", "\u202f%") != want {
			t.Errorf("%s is published as %q, want %q", published, got, want)
		}
	}
}

// What a number may be stands in brackets, of rows as of functions: ± would be read as one
// standard error.
func TestIntervalsStandInBrackets(t *testing.T) {
	row := result.Condition{Sense: "literal", Reading: "softmax.max_weight[d_k=64, keys=8, exponent=0]", Requirement: "< 1", Experiment: "softmax", Met: names.ConditionMet,
		Value: 0.5, Lo: 0.48, Hi: 0.52, Min: result.Absent(), Max: 1}
	if got := conditionText(row); !strings.Contains(got, " is 0.500 [0.480, 0.520], < 1") {
		t.Errorf("a row is written %q", got)
	}
	c := result.Claim{Kind: "deterministic", Published: []string{"0.98"}, By: "weights(scores=4)", Value: []result.Number{0.976}, Lo: []result.Number{0.97}, Hi: []result.Number{0.982}, Off: 0, Allowed: 0.005}
	if got := strings.Join(Recomputed(c), ""); got != "0.976 [0.970, 0.982]" {
		t.Errorf("a number is written %q", got)
	}
}
