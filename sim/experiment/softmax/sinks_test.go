package softmax

import (
	"math"
	"strings"
	"testing"

	"mcsim/sim/experiment/experimenttest"
	"mcsim/sim/names"
)

// TestSinksUnderRules compares draws of the weight of a sink with its moments by quadrature, up to
// maxSinkSD, and checks which rules are refused.
func TestSinksUnderRules(t *testing.T) {
	newValues := func(rules string) map[string]string {
		return map[string]string{names.ParamDistribution: names.DistributionNormal, names.ParamDimension: "16",
			names.ParamRule: rules}
	}
	c := experimenttest.NewCell(t, Sinks, newValues("power(0) power(1/4) log-n(1.5) qk-norm(4) cosine(3)"))
	if err := c.Refuse(true); err != nil {
		t.Fatal(err)
	}
	node := experimenttest.SampleCell(c, 300)
	for i, s := range sinkScalings(c) {
		m, want := node.Moments[i], sinkTheory(c, s)
		sd, _ := want.SDAndSkewness()
		if z := (m.Mean - want[0]) / sd * math.Sqrt(float64(m.N)); math.Abs(z) > 5 {
			t.Errorf("%v: got the mean %v of %d rows, want %v: z = %v", s, m.Mean, m.N, want[0], z)
		}
		if ratio := math.Sqrt(m.Variance()) / sd; math.Abs(ratio-1) > 0.02 {
			t.Errorf("%v: the standard deviation is %v times that by quadrature", s, ratio)
		}
	}
	for rule, reason := range map[string]string{"soft-cap(2)": "not known by quadrature",
		"key-normalised": "not known by quadrature", "qk-norm(5)": "it is at most 4", "power(-1)": "it is at most 4"} {
		err := experimenttest.NewCell(t, Sinks, newValues(rule)).Refuse(true)
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: got the error %v, want one with %q", rule, err, reason)
		}
	}
}
