package all

import (
	"slices"
	"strings"
	"testing"

	"mcsim/sim/experiment"
	"mcsim/sim/experiment/inits"
)

func texts(values []experiment.Value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.String()
	}
	return out
}

func TestParseAll(t *testing.T) {
	d, p, l, r := &experiment.DimensionAxis, &experiment.ExponentAxis, &experiment.LawAxis, &experiment.RuleAxis
	for _, c := range []struct {
		axis *experiment.Axis
		text string
		want []string
	}{
		{d, "64", []string{"64"}},
		{d, "1..8", []string{"1", "2", "4", "8"}},
		{d, "1..7", []string{"1", "2", "4"}},
		{d, "3..24", []string{"3", "6", "12", "24"}},
		{d, "5..5", []string{"5"}},
		{d, "2^3..2^5", []string{"8", "16", "32"}},
		{d, "1048576", []string{"1048576"}},
		{p, "1/3", []string{"0.3333333333333333"}},
		{p, "-4", []string{"-4"}},
		{p, "1/4..1", []string{"0.25", "0.5", "1"}},
		{l, "normal", []string{"normal"}},
		{l, "student-t", []string{"student-t(10)"}},
		{l, "student-t:1e1", []string{"student-t(10)"}},
		{l, "bernoulli-gaussian(1/10)", []string{"bernoulli-gaussian(0.1)"}},
		{l, "bernoulli-gaussian(10%)", []string{"bernoulli-gaussian(0.1)"}},
		{r, "sqrt(d_k/2)", []string{"sqrt(d_k/2)"}},
	} {
		got, err := c.axis.ParseAll(c.text)
		if err != nil || !slices.Equal(texts(got), c.want) {
			t.Errorf("%s %q: %v (%v), want %v", c.axis.Name, c.text, texts(got), err, c.want)
		}
	}
	if got, _ := d.ParseAll("1..1048576"); len(got) != 21 {
		t.Errorf("1..1048576 has %d doublings, want 21", len(got))
	}
}

func TestParseAllRefuses(t *testing.T) {
	d, p, l, r := &experiment.DimensionAxis, &experiment.ExponentAxis, &experiment.LawAxis, &experiment.RuleAxis
	for _, c := range []struct {
		axis       *experiment.Axis
		text, part string
	}{
		{d, "0", "not in 1..1048576"}, {d, "-1", "not in 1..1048576"}, {d, "1048577", "not in 1..1048576"},
		{d, "1.5", "not a whole number"}, {d, "", "not a number"}, {d, "nan", "not a finite number"},
		{d, "8..4", "not a range of doublings"}, {d, "0..4", "not in 1..1048576"}, {d, "..4", "not a number"}, {d, "1..", "not a number"},
		{d, "1..2..4", "not a number"}, {d, "1...4", "not a whole number"}, {d, "1..2000000", "not in 1..1048576"},
		{p, "4.1", "not in -4..4"}, {p, "-5", "not in -4..4"}, {p, "inf", "not a finite number"}, {p, "1/0", "not a finite number"},
		{p, "0..1", "not a range of doublings"}, {p, "-1..1", "not a range of doublings"},
		{l, "norml", "did you mean normal?"}, {l, "student-t(1)", "not in (2, 1000000)"}, {l, "student-t(x)", "not a number"},
		{l, "normal..sphere", `unknown law "normal..sphere"`}, {l, "qqqqqqqqqqqqqqqqqq", "it is one of normal, uniform"},
		{l, "bernoulli-gausian", "did you mean bernoulli-gaussian?"}, {l, "gausian", "did you mean gaussian?"}, {&inits.InitAxis, "glorot", "did you mean glorot-uniform or glorot-normal or glorot-fused?"},
		{&inits.InitAxis, "", "it is one of glorot-uniform, "}, {&inits.InitAxis, "e", "it is one of glorot-uniform, "},
		{r, "sqrt(d_k)", "did you mean sqrt(d_k/2)?"},
	} {
		got, err := c.axis.ParseAll(c.text)
		if err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s %q: %v, %v, want an error that has %q", c.axis.Name, c.text, texts(got), err, c.part)
		}
	}
}

// The ends of a range are read like any value: a range beyond the axis, or of
// very many doublings, cannot be made.
func TestRangesStayShort(t *testing.T) {
	if got, err := experiment.ExponentAxis.ParseAll("1e-300..4"); err != nil || len(got) > 1100 {
		t.Errorf("%d values, %v", len(got), err)
	}
}
