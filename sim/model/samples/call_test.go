package samples

import (
	"strings"
	"testing"

	"mcsim/sim/model/inspect"
	"mcsim/sim/result"
	"mcsim/sim/simtest"
)

// TestSavedScale checks the verdicts on the scales that a hook saved for two layers.
func TestSavedScale(t *testing.T) {
	m := newModel(51, 4, 2, 2, 16, 16)
	newNumber := func(x float64) testArray { return testArray{shape: []int{1, 1}, data: []float64{x}} }
	for name, c := range map[string]struct {
		scales  []float64 // of both layers
		verdict result.Verdict
		want    string // part of the diagnosis
	}{
		"right":           {[]float64{0.25, 0.25}, result.Pass, ""},
		"forgotten":       {[]float64{1, 1}, result.Fail, "the scale is forgotten: q·k goes into softmax as it is"},
		"wrong in one":    {[]float64{0.25, 1.0 / 16}, result.Fail, "in layer 1"},
		"not in each":     {[]float64{0.25}, "", ""},
		"array as a name": {nil, "", ""},
	} {
		arrays := map[string]testArray{"layer0.scale": {shape: []int{3}, data: []float64{1, 2, 3}}}
		for suffix, v := range m.arrays(nil) {
			arrays["layer0."+suffix], arrays["layer1."+suffix] = v, v
		}
		for i, scale := range c.scales {
			arrays[[]string{"layer0.scale", "layer1.scale"}[i]] = newNumber(scale)
		}
		_, a, err := measureSamples(t, arrays, inspect.Options{})
		simtest.Must(t, err)
		if c.verdict == "" {
			if a != nil {
				t.Errorf("%s: the factor is judged: %+v, want no judgement", name, a)
			}
			continue
		}
		if a == nil || a.Verdict != c.verdict || !strings.Contains(a.Diagnosis, c.want) {
			t.Errorf("%s: the factor is judged as %+v, want %s with %q", name, a, c.verdict, c.want)
		}
	}
	arrays := map[string]testArray{"layer0.causal": newNumber(1)}
	for suffix, v := range m.arrays(nil) {
		arrays["layer0."+suffix], arrays["layer1."+suffix] = v, v
	}
	s, err := Find(openArrays(t, arrays), Names{}, 0, 0)
	simtest.Must(t, err)
	if _, err := s.IsCausal(); err == nil || !strings.Contains(err.Error(), "not both causal") {
		t.Errorf("one causal layer of two: got the error %v, want one", err)
	}
}
